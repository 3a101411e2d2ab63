"""The ground of a scene beyond its flat floor: height fields, flights of steps, slopes, blocks and moving platforms.

Each piece is a plain value that becomes MuJoCo geoms in `earthwork` and is asked for its height in `query`; both have the
same surface. Positions are in the world [m], Z up; their z is the level from which a piece's heights are measured.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import InputError

__all__ = ["Block", "HeightField", "Platform", "Slope", "Steps", "Terrain", "check_terrain"]

Array = NDArray[np.float64]
Vector = tuple[float, float, float]

HIGHEST_RISE = 0.4
"""From one step to the next [m]: what a person can climb without hands."""
STEEPEST = float(np.radians(30.0))
_MOST_NODES = 4_000_000


@dataclass(frozen=True, kw_only=True, eq=False)
class HeightField:
    """Heights on a grid, joined by two triangles per cell as MuJoCo does: they meet along (row, column)–(row+1, column+1)."""

    name: str
    position: Vector
    """Middle of the grid, and the level of height 0 [m]."""
    size: tuple[float, float]
    """Length along x and along y [m]."""
    heights: Array
    """Over the level [m], rows along y and columns along x, shape (at least 2, at least 2)."""


@dataclass(frozen=True, kw_only=True)
class Steps:
    """A flight of steps along a heading, each as deep as the others."""

    name: str
    position: Vector
    """Middle of the lower edge of the first step, at the level from which tops are measured [m]."""
    yaw: float = 0.0
    """Heading in which the steps follow one another [rad]."""
    tops: tuple[float, ...]
    """Height of each step over the level [m]; from one to the next at most 0.4 m."""
    depth: float = 0.5
    """Of a step along the heading [m]."""
    width: float = 2.0


@dataclass(frozen=True, kw_only=True)
class Slope:
    """A wedge that rises along a heading."""

    name: str
    position: Vector
    """Middle of the lower edge [m]."""
    yaw: float = 0.0
    """Heading in which it rises [rad]."""
    angle: float
    """Of its surface from the horizontal [rad], at most 30 degrees."""
    length: float
    """Horizontal length [m]."""
    width: float = 2.0

    @property
    def rise(self) -> float:
        """Height of its upper edge over the lower [m]."""
        return self.length * float(np.tan(self.angle))


@dataclass(frozen=True, kw_only=True)
class Block:
    """A box to stand on, fixed to the world."""

    name: str
    position: Vector
    """Middle of its top [m]."""
    size: tuple[float, float]
    """Length along its heading and width [m]."""
    yaw: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Platform:
    """A box that moves up and down as prescribed, whatever stands on it."""

    name: str
    position: Vector
    """Middle of its top at its lowest [m]."""
    size: tuple[float, float]
    """Length along its heading and width [m]."""
    yaw: float = 0.0
    thickness: float = 0.3
    travel: float
    """How far it goes up [m]."""
    period: float
    """Up and down again [s]."""
    phase: float = 0.0
    """Share of a period it is ahead at time 0; at 0 it starts from its lowest."""
    course: Literal["cosine", "triangle"] = "cosine"
    """A triangle's speed jumps at its ends (Hu 2024, Fig. 26)."""
    until: float = np.inf
    """When it stops where it is [s]."""

    def rise(self, times: ArrayLike) -> Array:
        """How far up it is at `times` [s]: metres, of the times' shape."""
        turns = np.minimum(times, self.until) / self.period + self.phase
        if self.course == "cosine":
            return np.asarray(0.5 * self.travel * (1.0 - np.cos(2.0 * np.pi * turns)))
        return np.asarray(self.travel * (1.0 - np.abs(2.0 * (turns - np.floor(turns)) - 1.0)))


Terrain = HeightField | Steps | Slope | Block | Platform


def check_terrain(piece: Terrain) -> None:
    """Raise `InputError` where a piece cannot be ground."""
    source = f"terrain {piece.name!r}"
    numbers = [piece.position, getattr(piece, "yaw", 0.0), getattr(piece, "phase", 0.0)]
    if not all(np.isfinite(value).all() for value in numbers):
        raise InputError(f"position, yaw and phase must be finite; got {numbers[0]}, {numbers[1]}", source=source)
    for field in ("depth", "width", "length", "thickness", "period", "angle"):
        value = getattr(piece, field, 1.0)
        if not (np.isfinite(value) and value > 0.0):
            raise InputError(f"{field} must be positive; got {value}", source=source)
    size = getattr(piece, "size", (1.0, 1.0))
    if not (np.isfinite(size).all() and min(size) > 0.0):
        raise InputError(f"size must be positive; got {size}", source=source)
    if isinstance(piece, Slope) and piece.angle > STEEPEST + 1e-9:
        raise InputError(f"a slope may have up to 30 degrees; got {np.degrees(piece.angle):g}", source=source)
    if isinstance(piece, Platform) and not (np.isfinite(piece.travel) and 0.0 <= piece.travel <= 2.0):
        raise InputError(f"travel must lie between 0 and 2 m; got {piece.travel}", source=source)
    if isinstance(piece, Platform) and not piece.until >= 0.0:
        raise InputError(f"until must be a time of at least 0 s; got {piece.until}", source=source)
    if isinstance(piece, HeightField):
        _check_heights(piece.heights, source)
    if isinstance(piece, Steps):
        _check_tops(piece.tops, source)


def _check_heights(heights: Array, source: str) -> None:
    if heights.ndim != 2 or min(heights.shape) < 2 or heights.size > _MOST_NODES:
        raise InputError(
            f"heights must have shape (rows >= 2, columns >= 2) and at most {_MOST_NODES} nodes; got {heights.shape}",
            source=source,
        )
    bad = np.argwhere(~(np.abs(heights) <= 1e3))
    if len(bad):
        row, column = (int(k) for k in bad[0])
        raise InputError(
            f"must be a number up to 1000 m; got {heights[row, column]}", source=source, place=f"heights.{row}.{column}"
        )


def _check_tops(tops: tuple[float, ...], source: str) -> None:
    if not tops or not np.isfinite(tops).all():
        raise InputError(f"a flight needs at least one step, and finite tops; got {tops}", source=source)
    rises = np.abs(np.diff([0.0, *tops]))
    if rises.max() > HIGHEST_RISE + 1e-9:
        raise InputError(
            f"from one step to the next it may be up to {HIGHEST_RISE} m; step {int(rises.argmax()) + 1} is {rises.max():g} m",
            source=source,
        )
