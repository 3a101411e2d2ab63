"""The smoothest curve through what is fixed, near what is wished and between bounds."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csc_matrix, diags_array
from scipy.sparse.linalg import splu

__all__ = ["smoothest"]

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

_CALM = 1.0
"""Weight of the squared rate of change beside the squared derivative of higher order, in units of the time constant: it keeps
a stretch with nothing fixed on one side from running off."""
_DIFFERENCES = {1: (-1.0, 1.0), 2: (1.0, -2.0, 1.0), 3: (-1.0, 3.0, -3.0, 1.0)}
_HOLD = 10.0
"""Stiffness of a bound, in units of what bending the curve at a single frame costs."""
_ROUNDS, _ENOUGH = 60, 1e-7


def smoothest(
    rate: float,
    fixed: Mask,
    values: ArrayLike,
    *,
    time: float,
    order: int = 2,
    weights: ArrayLike = 0.0,
    wishes: ArrayLike = 0.0,
    bounds: tuple[ArrayLike, ArrayLike] = (-np.inf, np.inf),
) -> Array:
    """Curves that minimise (derivative of `order`)² + (rate of change)² + weights (curve - wishes)², summed over the frames.

    With order 2 they leave and reach what is fixed with continuous velocity. With order 3 (jerk) acceleration is continuous
    too; but it then carries on whatever the fixed part did last, and so wants fixed parts that are smooth. Bounds are
    one-sided springs so stiff that a curve keeps them but for rounding of its corners; it is found by Newton's method, a
    sparse factorization each round.

    Args:
        rate: Frames per second [Hz].
        fixed: Where the curve is given, shape (T,).
        values: What it is there, shape (T,) or (T, K) for K curves; elsewhere not read.
        time: Unit of time [s] of both derivatives: features much shorter than it are smoothed away.
        order: 2 or 3.
        weights: How strongly the curve is drawn to the wishes, shape (T,) or one number.
        wishes: Where to, of the shape of `values` or one number.
        bounds: Lower and upper ones, shape (T,) each or one number, only for a single curve; a fixed value beats a bound.
    """
    given = np.asarray(values, dtype=np.float64)
    count = len(given)
    curves = given.reshape(count, -1)
    pull = np.broadcast_to(np.asarray(weights, dtype=np.float64), count)
    aims = np.broadcast_to(np.asarray(wishes, dtype=np.float64), given.shape).reshape(count, -1)
    free = np.flatnonzero(~fixed)
    result = np.where(fixed[:, None], curves, 0.0)
    if len(free) == 0:
        return result.reshape(given.shape)
    stiffness = _stiffness(count, rate * time, order) + diags_array(pull)
    inner = csc_matrix(stiffness[free][:, free])
    push = (pull[:, None] * aims - stiffness @ result)[free]
    if fixed.sum() == 0 and not pull.any():
        return result.reshape(given.shape)
    low, high = (np.broadcast_to(np.asarray(bound, dtype=np.float64), count)[free] for bound in bounds)
    result[free] = _between(inner, push, low, high, _HOLD * float(stiffness.diagonal().max()))
    return result.reshape(given.shape)


def _stiffness(count: int, steps: float, order: int) -> csc_matrix:
    """Quadratic form of the squared derivatives; `steps` is the unit of time in frames."""
    total = csc_matrix((count, count))
    for degree, weight in ((order, 1.0), (1, _CALM)):
        if count > degree:
            signs = _DIFFERENCES[degree]
            rows = count - degree
            diagonals = [np.full(rows, sign) for sign in signs]
            difference = diags_array(diagonals, offsets=list(range(degree + 1)), shape=(rows, count))
            total = total + weight * steps ** (2 * degree) * (difference.T @ difference)
    return csc_matrix(total)


def _between(inner: csc_matrix, push: Array, low: Array, high: Array, hold: float) -> Array:
    """Minimise ½ x·K x - push·x + ½ hold (how far x is outside its bounds)², a convex function with one minimum."""
    solution = np.asarray(splu(inner).solve(push))
    if np.isneginf(low).all() and np.isposinf(high).all():
        return solution
    curve, force = solution[:, 0], push[:, 0]

    def cost(x: Array) -> float:
        outside = x - np.clip(x, low, high)
        return float(0.5 * x @ (inner @ x) - force @ x + 0.5 * hold * outside @ outside)

    for _ in range(_ROUNDS):
        bound = np.clip(curve, low, high)
        springs = np.where(curve != bound, hold, 0.0)
        step = splu(csc_matrix(inner + diags_array(springs))).solve(force + springs * bound) - curve
        before, share = cost(curve), 1.0
        while share > 1e-6 and cost(curve + share * step) > before:
            share *= 0.5
        curve = curve + share * step
        if share * np.abs(step).max() < _ENOUGH:
            break
    return np.asarray(curve[:, None])
