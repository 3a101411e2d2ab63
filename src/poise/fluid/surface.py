"""A fluid's surface as heights on a grid, driven by what moves through it (Bermudez 2018, Fig. 9).

Linear gravity waves over an even bottom: every wave of the grid's Fourier sum is carried on exactly, with its own speed
(dispersion), as in Tessendorf's exponential solver; so a step of any length is stable. A body displaces the column of fluid it
takes up: where it comes the surface is raised by the column, where it was it is lowered, and the fluid flows from one to the
other as waves. Waves of pastes die at once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import fft

from poise.fluid import _kernels
from poise.fluid.flow import GRAVITY
from poise.fluid.fluids import Fluid

__all__ = ["SurfaceGrid", "WaterSurface"]

Array = NDArray[np.float64]

_BLUR = 0.05
"""What is displaced is spread over about this [m]: a body's edge is finer than the grid."""
_CALMS = 0.35
"""Rate at which waves die in water [1/s]."""
_PASTE = 0.12
"""By how much faster for every newton of the fluid's offset on its reference area [1/(N s)]."""
_FINE = 0.0012
"""Waves die faster the shorter they are, by this times the square of the wave number [m²/s]."""
_SHORE = 0.6
"""Within this of the grid's edge waves are taken out, or they would come in again on the other side [m]."""
_REACH = 0.30
"""What is displaced deeper than this moves the surface no more [m]: at depth z a wave of length L is faint by exp(-2πz / L)."""
_HIGHEST = 0.16
"""Crests are rounded off towards this height [m], where linear waves would break."""


class SurfaceGrid:
    """Where the heights lie.

    Args:
        origin: The first node [m], shape (2,).
        cell: Distance of nodes [m].
        shape: Nodes along y and along x.
    """

    def __init__(self, origin: Array, cell: float, shape: tuple[int, int]) -> None:
        self.origin, self.cell, self.shape = np.asarray(origin, dtype=np.float64), cell, shape

    @classmethod
    def around(cls, low: Array, high: Array, cell: float, most: int) -> SurfaceGrid:
        """A grid from `low` to `high` (2,) with cells of at least `cell` and at most `most` nodes."""
        size = np.maximum(np.asarray(high) - np.asarray(low), 2.0 * cell)
        cell = max(cell, float(np.sqrt(size[0] * size[1] / most)))
        columns, rows = (fft.next_fast_len(int(np.ceil(length / cell)) + 1, real=True) for length in size)
        return cls(np.asarray(low, dtype=np.float64), cell, (rows, columns))

    def places(self) -> Array:
        """Of all nodes [m], shape (ny, nx, 2)."""
        y, x = np.meshgrid(np.arange(self.shape[0]), np.arange(self.shape[1]), indexing="ij")
        return self.origin + self.cell * np.stack([x, y], axis=-1)


class WaterSurface:
    """The moving surface of a fluid.

    Args:
        grid: Where its heights lie.
        fluid: What it is.
        depth: To the bottom [m].
    """

    def __init__(self, grid: SurfaceGrid, fluid: Fluid, depth: float) -> None:
        self.grid = grid
        rows, columns = grid.shape
        along = 2.0 * np.pi * fft.rfftfreq(columns, grid.cell)
        across = 2.0 * np.pi * fft.fftfreq(rows, grid.cell)
        self._square = along[None, :] ** 2 + across[:, None] ** 2
        number = np.sqrt(self._square)
        self._pulse = np.sqrt(GRAVITY * number * np.tanh(number * depth))
        self._blur = np.exp(-0.5 * self._square * _BLUR**2)
        self._dying = _CALMS + _PASTE * fluid.offset + _FINE * self._square
        edge = [np.minimum(np.arange(n), np.arange(n)[::-1]) * grid.cell for n in grid.shape]
        self._shore = np.minimum(np.minimum.outer(edge[0], edge[1]) / _SHORE, 1.0)
        self._height = np.zeros(self._square.shape, dtype=np.complex128)
        self._rate = np.zeros_like(self._height)
        self._columns: Array | None = None

    def advance(self, columns: Array, step: float) -> None:
        """Go on by a step [s], at whose end a body takes up `columns` (ny, nx) of fluid [m]."""
        if self._columns is not None:
            self._height += self._blur * fft.rfft2(columns - self._columns)
        self._columns = columns
        turn, fade = self._pulse * step, np.exp(-self._dying * step)
        c, s = np.cos(turn), np.sin(turn)
        over = np.divide(s, self._pulse, out=np.full_like(s, step), where=self._pulse > 0.0)
        height = fade * (c * self._height + over * self._rate)
        rate = fade * (c * self._rate - self._pulse * s * self._height)
        away = np.exp(-3.0 * step * (1.0 - self._shore))
        self._height, self._rate = (fft.rfft2(away * fft.irfft2(part, self.grid.shape)) for part in (height, rate))

    def heights(self) -> Array:
        """Over the calm surface [m], shape (ny, nx)."""
        raw = np.asarray(fft.irfft2(self._height, self.grid.shape))
        return np.asarray(_HIGHEST * np.tanh(raw / _HIGHEST))

    def displaced(self, vertices: Array, triangles: NDArray[np.int64], level: float, reach: float = _REACH) -> Array:
        """Columns of fluid that a closed mesh takes up below a level, down to a reach [m], shape (ny, nx).

        They sum, times a cell's area, to its volume between the two.
        """
        out = np.zeros(self.grid.shape)
        _kernels.columns(vertices, triangles, level, reach, self.grid.origin, self.grid.cell, out)
        return out
