"""What there is to stand on, asked for without MuJoCo: the highest of a scene's terrain and its floor under a place.

MuJoCo's own distance to height fields is wrong (`mj_geomDistance`, measured), and a ray costs a call each; this answers any
number of places at once. Height fields are interpolated on the same two triangles per cell as MuJoCo's, not bilinearly: in
the middle of a twisted cell the two differ by a quarter of its twist, centimetres on rough ground.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.world.terrain import Block, HeightField, Platform, Slope, Steps, Terrain

__all__ = ["TerrainGround"]

Array = NDArray[np.float64]

_SPREAD = 1e-3
"""Half the distance between the heights from which a normal is taken [m]."""
_EDGE = 1e-9
"""A place counts as on a piece up to this far outside it [m], so that pieces that meet leave no gap."""


class TerrainGround:
    """The ground of a scene; implements `poise.signals.Ground`.

    Args:
        pieces: Its terrain.
        floor: Height of the flat floor around and under it [m], or None for none: then there are holes beside the terrain.
    """

    def __init__(self, pieces: Sequence[Terrain], floor: float | None) -> None:
        self.pieces = tuple(pieces)
        self.floor = floor

    def height(self, places: Array, time: ArrayLike = 0.0) -> Array:
        """Height of the ground [m] under `places` (..., 2) at `time` [s], shape (...); NaN over a hole."""
        spots = np.asarray(places, dtype=np.float64)
        result = np.full(spots.shape[:-1], np.nan if self.floor is None else self.floor)
        for piece in self.pieces:
            x, y = _local(piece, spots)
            result = np.fmax(result, _HEIGHTS[type(piece)](piece, x, y, time) + piece.position[2])
        return result

    def normal(self, places: Array, time: ArrayLike) -> Array:
        """Unit normal of the ground under `places` (..., 2), shape (..., 3); straight up over a hole."""
        spots = np.asarray(places, dtype=np.float64)
        if not self.pieces:
            up = np.zeros((*spots.shape[:-1], 3))
            up[..., 2] = 1.0
            return up
        slopes = [
            (self.height(spots + shift, time) - self.height(spots - shift, time)) / (2.0 * _SPREAD)
            for shift in (np.array([_SPREAD, 0.0]), np.array([0.0, _SPREAD]))
        ]
        normal = np.stack([-slopes[0], -slopes[1], np.ones(spots.shape[:-1])], axis=-1)
        normal[~np.isfinite(normal).all(axis=-1)] = (0.0, 0.0, 1.0)
        return np.asarray(normal / np.linalg.norm(normal, axis=-1, keepdims=True))


def _local(piece: Terrain, places: Array) -> tuple[Array, Array]:
    """Places seen from a piece: along its heading and to the left of it [m]."""
    yaw = getattr(piece, "yaw", 0.0)
    away = places - np.array(piece.position[:2])
    c, s = np.cos(yaw), np.sin(yaw)
    return c * away[..., 0] + s * away[..., 1], c * away[..., 1] - s * away[..., 0]


def _inside(x: Array, y: Array, low: float, high: float, width: float, heights: Array | float) -> Array:
    on = (x >= low - _EDGE) & (x <= high + _EDGE) & (np.abs(y) <= 0.5 * width + _EDGE)
    return np.where(on, heights, np.nan)


def _field_height(field: HeightField, x: Array, y: Array, time: ArrayLike) -> Array:
    rows, columns = field.heights.shape
    u = (x / field.size[0] + 0.5) * (columns - 1)
    v = (y / field.size[1] + 0.5) * (rows - 1)
    column = np.clip(np.floor(u), 0, columns - 2).astype(int)
    row = np.clip(np.floor(v), 0, rows - 2).astype(int)
    u, v = u - column, v - row
    near, far = field.heights[row, column], field.heights[row + 1, column + 1]
    right, left = field.heights[row, column + 1], field.heights[row + 1, column]
    lower = near + (right - near) * u + (far - right) * v
    upper = near + (left - near) * v + (far - left) * u
    half = 0.5 * field.size[0]
    return _inside(x, y, -half, half, field.size[1], np.where(u >= v, lower, upper))


def _steps_height(steps: Steps, x: Array, y: Array, time: ArrayLike) -> Array:
    count = len(steps.tops)
    tops = np.array(steps.tops)
    index = np.clip(np.floor(x / steps.depth), 0, count - 1).astype(int)
    return _inside(x, y, 0.0, count * steps.depth, steps.width, tops[index])


def _slope_height(slope: Slope, x: Array, y: Array, time: ArrayLike) -> Array:
    return _inside(x, y, 0.0, slope.length, slope.width, np.tan(slope.angle) * x)


def _block_height(block: Block, x: Array, y: Array, time: ArrayLike) -> Array:
    return _inside(x, y, -0.5 * block.size[0], 0.5 * block.size[0], block.size[1], 0.0)


def _platform_height(platform: Platform, x: Array, y: Array, time: ArrayLike) -> Array:
    half = 0.5 * platform.size[0]
    return _inside(x, y, -half, half, platform.size[1], np.broadcast_to(platform.rise(time), x.shape))


_HEIGHTS: dict[type, Callable[..., Array]] = {
    HeightField: _field_height,
    Steps: _steps_height,
    Slope: _slope_height,
    Block: _block_height,
    Platform: _platform_height,
}
