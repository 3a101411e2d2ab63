"""Terrain for scenes: noise, flights of equal steps, and setting props onto the ground."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import RectBivariateSpline

from poise.errors import InputError
from poise.signals import Ground
from poise.world.props import Ball, Prop
from poise.world.terrain import HeightField

__all__ = ["noise_field", "set_on_ground"]

Array = NDArray[np.float64]
Vector = tuple[float, float, float]

_FINER = 6
"""Nodes per cell of the noise, so that its hills are round."""
_MOST_CELLS = 250
_LOWEST = 0.02
"""Hollows stay this much above the level, as a share of the greatest height, so that a floor at it does not show through."""


def noise_field(
    name: str,
    position: Vector,
    size: tuple[float, float],
    *,
    cell: float = 0.5,
    amplitude: float,
    seed: int = 0,
    rim: bool = True,
) -> HeightField:
    """Rolling ground: a random height at every corner of a grid of cells, joined by a bicubic spline.

    Args:
        name: What to call it.
        position: Middle of the field, at the level of its lowest hollows [m].
        size: Along x and y [m]; cells are made a little smaller or larger so that a whole number fits.
        cell: Edge of a cell [m].
        amplitude: Heights lie within this much of the mean height, so between 0 and twice this over the level [m].
        seed: Same seed, same ground.
        rim: Whether the outermost corners lie at the level, so that the field can be walked onto from a floor.

    Raises:
        InputError: A size or the cell is not positive, the amplitude is negative, or there would be too many cells.
    """
    source = f"terrain {name!r}"
    if not (np.isfinite([*size, cell]).all() and min(*size, cell) > 0.0):
        raise InputError(f"size and cell must be positive; got {size} and {cell}", source=source)
    if not (np.isfinite(amplitude) and amplitude >= 0.0):
        raise InputError(f"amplitude must not be negative; got {amplitude}", source=source)
    columns, rows = (max(1, round(length / cell)) for length in size)
    if max(columns, rows) > _MOST_CELLS:
        raise InputError(f"a field has at most {_MOST_CELLS} cells a side; got {columns} by {rows}", source=source)
    corners = np.random.default_rng(seed).uniform(size=(rows + 1, columns + 1))
    if rim:
        corners[[0, -1]] = corners[:, [0, -1]] = 0.0
    degrees = {"kx": min(3, rows), "ky": min(3, columns)}
    spline = RectBivariateSpline(np.arange(rows + 1), np.arange(columns + 1), corners, **degrees)
    fine = spline(np.linspace(0, rows, _FINER * rows + 1), np.linspace(0, columns, _FINER * columns + 1))
    heights = 2.0 * amplitude * np.clip(fine, _LOWEST, 1.0)
    if rim:
        heights[[0, -1]] = heights[:, [0, -1]] = 0.0
    return HeightField(name=name, position=position, size=size, heights=heights)


def set_on_ground(props: Iterable[Prop], ground: Ground, floor: float) -> tuple[Prop, ...]:
    """Props made for a flat floor at `floor` [m], each as high over the ground under it; balls stay as they are."""
    result = []
    for prop in props:
        x, y, z = prop.position
        height = float(ground.height(np.array([x, y])))
        stays = isinstance(prop, Ball) or not np.isfinite(height)
        result.append(prop if stays else replace(prop, position=(x, y, z + height - floor)))
    return tuple(result)
