"""A piecewise polynomial at one time after another: a call for many costs ten times as much for a single time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.math.cubic import PiecewiseCubic

__all__ = ["Curve"]

Array = NDArray[np.float64]


class Curve:
    """A piecewise polynomial with pieces of even length; beyond its ends the outer pieces go on.

    Args:
        piecewise: With values of shape (n,).
    """

    def __init__(self, piecewise: PiecewiseCubic) -> None:
        breaks = np.asarray(piecewise.x, dtype=np.float64)
        self._start, self._last = float(breaks[0]), len(breaks) - 2
        self._length = float(breaks[-1] - breaks[0]) / (len(breaks) - 1)
        # By piece and number first, as Python's own numbers: of so few of them NumPy's sums take eight times as long.
        self._coefficients = np.moveaxis(np.asarray(piecewise.c, dtype=np.float64), 0, 2).tolist()

    def __call__(self, time: float) -> Array:
        """Its value at a time, shape (n,)."""
        away = (time - self._start) / self._length
        piece = min(max(int(away), 0), self._last)
        rest = (away - piece) * self._length
        values = []
        for first, *others in self._coefficients[piece]:
            value = first
            for each in others:
                value = value * rest + each
            values.append(value)
        return np.array(values)
