"""Cubics from knot to knot: smooth ones through all of them, and such as never overshoot.

SciPy has both, and half a second of processor time of imports that nothing else here asks for; `tests/test_math_cubic.py` holds
these against them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["PiecewiseCubic", "monotone_cubic", "not_a_knot"]

Array = NDArray[np.float64]


class PiecewiseCubic:
    """A polynomial from each knot to the next; beyond the ends the outer ones go on.

    Args:
        knots: Strictly increasing, shape (N,).
        coefficients: Of each piece, counted from its first knot, highest power first, shape (K, N-1, ...).
    """

    def __init__(self, knots: Array, coefficients: Array) -> None:
        self.x = knots
        self.c = coefficients

    def __call__(self, places: ArrayLike, order: int = 0) -> Array:
        """Its value, or its `order`-th derivative, at places of shape (n,); shape (n, ...)."""
        if order > 0:
            return self.derivative()(places, order - 1)
        at = np.asarray(places, dtype=np.float64)
        piece = np.clip(np.searchsorted(self.x, at, side="right") - 1, 0, len(self.x) - 2)
        away = (at - self.x[piece]).reshape(*at.shape, *[1] * (self.c.ndim - 2))
        value, power = self.c[-1, piece], np.ones_like(away)
        for row in self.c[-2::-1]:
            power = power * away
            value = value + row[piece] * power
        return np.asarray(value)

    def derivative(self) -> PiecewiseCubic:
        """Its slope, of one power less."""
        powers = np.arange(len(self.c) - 1, 0, -1.0).reshape(-1, *[1] * (self.c.ndim - 1))
        return PiecewiseCubic(self.x, self.c[:-1] * powers)


def not_a_knot(knots: ArrayLike, values: ArrayLike) -> PiecewiseCubic:
    """The spline with continuous second derivative whose first two pieces are one cubic, and so are its last two.

    Two values give a line, three a parabola.

    Args:
        knots: Strictly increasing, shape (N,), N at least 2.
        values: At the knots, shape (N, ...).

    Source: de Boor, A Practical Guide to Splines (1978), chapter IV.
    """
    x, y = np.asarray(knots, dtype=np.float64), np.asarray(values, dtype=np.float64)
    steps, slopes = _steps(x, y)
    if len(x) == 2:
        return _hermite(x, y, np.concatenate([slopes, slopes]))
    if len(x) == 3:
        # Of a parabola: the slope in the middle is the mean of both, each weighted by the other's step.
        middle = (steps[0] * slopes[1] + steps[1] * slopes[0]) / (steps[0] + steps[1])
        return _hermite(x, y, np.stack([2.0 * slopes[0] - middle, middle, 2.0 * slopes[1] - middle]))
    return _hermite(x, y, _even_curvature(steps, slopes))


def _even_curvature(steps: Array, slopes: Array) -> Array:
    """Slopes at four or more knots between which the second derivative is continuous."""
    from scipy.linalg import solve_banded  # Slow to import (docs/architecture.md, decision 12).

    step = steps.reshape(len(steps))
    bands, right = np.zeros((3, len(steps) + 1)), np.empty((len(steps) + 1, *slopes.shape[1:]))
    bands[0, 2:], bands[1, 1:-1], bands[2, :-2] = step[:-1], 2.0 * (step[:-1] + step[1:]), step[1:]
    right[1:-1] = 3.0 * (steps[1:] * slopes[:-1] + steps[:-1] * slopes[1:])
    first, last = steps[0] + steps[1], steps[-2] + steps[-1]
    bands[1, 0], bands[0, 1] = step[1], step[0] + step[1]
    bands[1, -1], bands[2, -2] = step[-2], step[-2] + step[-1]
    right[0] = ((steps[0] + 2.0 * first) * steps[1] * slopes[0] + steps[0] ** 2 * slopes[1]) / first
    right[-1] = (steps[-1] ** 2 * slopes[-2] + (2.0 * last + steps[-1]) * steps[-2] * slopes[-1]) / last
    flat = right.reshape(len(right), -1)
    return np.asarray(solve_banded((1, 1), bands, flat, check_finite=False)).reshape(right.shape)


def monotone_cubic(knots: ArrayLike, values: ArrayLike) -> PiecewiseCubic:
    """Cubics that rise where the values rise, fall where they fall, and turn at knots only.

    Args:
        knots: Strictly increasing, shape (N,), N at least 2.
        values: At the knots, shape (N, ...).

    Source: Fritsch and Butland, A method for constructing local monotone piecewise cubic interpolants (1984).
    """
    x, y = np.asarray(knots, dtype=np.float64), np.asarray(values, dtype=np.float64)
    steps, slopes = _steps(x, y)
    if len(x) == 2:
        return _hermite(x, y, np.concatenate([slopes, slopes]))
    before, after = slopes[:-1], slopes[1:]
    first, second = 2.0 * steps[1:] + steps[:-1], steps[1:] + 2.0 * steps[:-1]
    same_way = before * after > 0.0
    safe = [np.where(same_way, each, 1.0) for each in (before, after)]
    middle = np.where(same_way, (first + second) / (first / safe[0] + second / safe[1]), 0.0)
    ends = [_end_slope(steps[[0, 1]], slopes[[0, 1]]), _end_slope(steps[[-1, -2]], slopes[[-1, -2]])]
    return _hermite(x, y, np.concatenate([ends[0][None], middle, ends[1][None]]))


def _end_slope(steps: Array, slopes: Array) -> Array:
    """Slope at an end, of a parabola through three knots, held within what overshoots nothing; the nearest first."""
    slope = ((2.0 * steps[0] + steps[1]) * slopes[0] - steps[0] * slopes[1]) / (steps[0] + steps[1])
    turns = np.sign(slopes[0]) != np.sign(slopes[1])
    steep = turns & (np.abs(slope) > 3.0 * np.abs(slopes[0]))
    slope = np.where(steep, 3.0 * slopes[0], slope)
    return np.asarray(np.where(np.sign(slope) != np.sign(slopes[0]), 0.0, slope))


def _steps(x: Array, y: Array) -> tuple[Array, Array]:
    """From knot to knot: how far, of as many axes as the values have, and how steep."""
    steps = np.diff(x).reshape(-1, *[1] * (y.ndim - 1))
    return steps, np.diff(y, axis=0) / steps


def _hermite(x: Array, y: Array, slopes: Array) -> PiecewiseCubic:
    """Cubics with given values and slopes at the knots."""
    steps, mean = _steps(x, y)
    bend = (slopes[:-1] + slopes[1:] - 2.0 * mean) / steps
    rows = [bend / steps, (mean - slopes[:-1]) / steps - bend, slopes[:-1], y[:-1]]
    return PiecewiseCubic(x, np.stack(rows))
