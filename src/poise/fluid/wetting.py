"""What of a skin got wet: how far under the surfaces of fluids each of its points was at most."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from poise.signals import Coat, FluidSheet

__all__ = ["Wetting", "depths_under"]

Array = NDArray[np.float64]

_DRY = -10.0
"""Of what was nowhere near a fluid [m]."""
_THIN, _THICK = 0.30, 0.65
"""Opacity of what clear fluid leaves on a skin, and how much more of it fluid leaves that cannot be seen through."""
_DARK = 0.35
"""Wet cloth and skin are as dark as this share of clear water: light that comes in is not let out again."""


def depths_under(sheet: FluidSheet, places: Array, time: float) -> Array:
    """How far places (n, 3) are under a surface at a time [s]: [m], shape (n,); very far above it beside the sheet."""
    heights = sheet.at(time)
    rows, columns = heights.shape
    x, y = ((places[:, axis] - sheet.origin[axis]) / sheet.cell for axis in (0, 1))
    inside = (x >= 0.0) & (y >= 0.0) & (x <= columns - 1) & (y <= rows - 1)
    column = np.clip(x.astype(np.int64), 0, columns - 2)
    row = np.clip(y.astype(np.int64), 0, rows - 2)
    across, along = np.clip(x - column, 0.0, 1.0), np.clip(y - row, 0.0, 1.0)
    near = (1.0 - across) * heights[row, column] + across * heights[row, column + 1]
    far = (1.0 - across) * heights[row + 1, column] + across * heights[row + 1, column + 1]
    level = sheet.origin[2] + (1.0 - along) * near + along * far
    return np.where(inside, level - places[:, 2], _DRY)


class Wetting:
    """One skin over the time of a run, in which nothing dries: skin and cloth take many minutes.

    Args:
        sheets: Surfaces of what it may come into.
        count: Vertices of the skin.
    """

    def __init__(self, sheets: Sequence[FluidSheet], count: int) -> None:
        # What has no color cannot be seen on a skin either.
        self._sheets = tuple(sheet for sheet in sheets if sheet.opacity > 0.0)
        self._depths = np.full((len(self._sheets), count), _DRY)

    def advance(self, vertices: Array, time: float) -> None:
        """The skin's vertices (V, 3) are there at a time [s]."""
        for most, sheet in zip(self._depths, self._sheets, strict=True):
            np.maximum(most, depths_under(sheet, vertices, time), out=most)

    def coat(self) -> Coat | None:
        """What is on the skin now, as the fluid leaves it that most of it was in; None while all of it is dry."""
        wet = (self._depths > 0.0).sum(axis=1)
        if not wet.any():
            return None
        sheet = self._sheets[int(wet.argmax())]
        red, green, blue = ((_DARK + (1.0 - _DARK) * sheet.opacity**4) * part for part in sheet.color)
        return Coat(self._depths.max(axis=0), (red, green, blue), _THIN + _THICK * sheet.opacity**2)
