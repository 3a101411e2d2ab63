"""Curves through keys with continuous acceleration: rotations on the sphere of quaternions, and positions.

A cubic spline with not-a-knot ends runs through the quaternion components of the keys, made sign-continuous, and is
projected back to unit length. The projection of a C2 curve that stays away from zero is C2, it meets every key exactly,
and its angular velocity and acceleration are closed forms of the polynomial's derivatives. (Slerp between keys would
jump in velocity at every key, an infinite acceleration for a body that must follow it.) Keys more than 90 degrees apart
would let the curve pass near zero; such gaps are halved by slerp until none is left.

The coefficients are plain arrays, so the same curves are evaluated by compiled kernels in the hot path.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import InputError
from poise.math import quat
from poise.math.cubic import PiecewiseCubic, not_a_knot

__all__ = ["PositionSpline", "RotationSpline"]

Array = NDArray[np.float64]

_LARGEST_GAP = np.pi / 2.0


def _checked_times(times: ArrayLike, count: int) -> Array:
    knots = np.asarray(times, dtype=np.float64)
    if knots.shape != (count,) or count == 0:
        raise InputError(f"need one time per key and at least one key; got {knots.shape} times for {count} keys")
    if np.any(np.diff(knots) <= 0.0) or not np.isfinite(knots).all():
        raise InputError("key times must be finite and strictly increasing")
    return knots


def _cubic(knots: Array, values: Array) -> PiecewiseCubic:
    """A cubic spline through any number of keys; one key is a constant."""
    if len(knots) == 1:
        knots, values = np.array([knots[0], knots[0] + 1.0]), np.concatenate([values, values])
    return not_a_knot(knots, values)


def _clamped(times: ArrayLike, spline: PiecewiseCubic) -> Array:
    """Times held inside the keys: before the first and after the last key the curve rests at it."""
    held: Array = np.clip(np.atleast_1d(np.asarray(times, dtype=np.float64)), spline.x[0], spline.x[-1])
    return held


class PositionSpline:
    """C2 curves through positions.

    Args:
        times: Key times [s], shape (T,), strictly increasing.
        positions: Values at the keys, shape (T, ...).

    Raises:
        InputError: The times do not fit the keys.
    """

    def __init__(self, times: ArrayLike, positions: ArrayLike) -> None:
        values = np.asarray(positions, dtype=np.float64)
        self._spline = _cubic(_checked_times(times, len(values)), values)

    @property
    def knots(self) -> Array:
        """Key times [s], shape (T,)."""
        return np.asarray(self._spline.x)

    @property
    def coefficients(self) -> Array:
        """Polynomial coefficients, shape (4, T-1, ...), highest power first."""
        return np.asarray(self._spline.c)

    def __call__(self, times: ArrayLike, derivative: int = 0) -> Array:
        """Values, or their `derivative`-th time derivative, at `times` (n,) [s], shape (n, ...)."""
        return np.asarray(self._spline(_clamped(times, self._spline), derivative))


class RotationSpline:
    """C2 curves through rotations, with analytic angular velocity and acceleration.

    Args:
        times: Key times [s], shape (T,), strictly increasing.
        rotations: Unit quaternions wxyz at the keys, shape (T, ..., 4).

    Raises:
        InputError: The times do not fit the keys.
    """

    def __init__(self, times: ArrayLike, rotations: ArrayLike) -> None:
        keys = quat.continuous(quat.normalize(rotations))
        knots = _checked_times(times, len(keys))
        knots, keys = _without_wide_gaps(knots, keys)
        self._spline = _cubic(knots, keys)

    @property
    def knots(self) -> Array:
        """Key times [s] including those put in to halve wide gaps, shape (T,)."""
        return np.asarray(self._spline.x)

    @property
    def coefficients(self) -> Array:
        """Coefficients of the curve before projection, shape (4, T-1, ..., 4), highest power first."""
        return np.asarray(self._spline.c)

    def __call__(self, times: ArrayLike) -> Array:
        """Unit quaternions at `times` (n,) [s], shape (n, ..., 4)."""
        return quat.normalize(self._spline(_clamped(times, self._spline)))

    def angular_velocity(self, times: ArrayLike) -> Array:
        """Angular velocity in the child frame [rad/s], shape (n, ..., 3).

        From omega = Vec(2 q* dq/dt) (van Welbergen 2009, Eq. 14, whose printed order gives the parent frame instead).
        """
        held = _clamped(times, self._spline)
        r, dr = self._spline(held), self._spline(held, 1)
        return 2.0 * quat.mul(quat.conj(r), dr)[..., 1:] / _square(r)

    def angular_acceleration(self, times: ArrayLike) -> Array:
        """Angular acceleration in the child frame [rad/s²], shape (n, ..., 3).

        The derivative of `angular_velocity`, from Vec(2 q* d²q/dt²) (van Welbergen 2009, Eq. 15, in the child frame)
        with the terms that the projection to unit length adds.
        """
        held = _clamped(times, self._spline)
        r, dr, ddr = (self._spline(held, order) for order in range(3))
        square = _square(r)
        rate = 2.0 * np.sum(r * dr, axis=-1, keepdims=True) / square
        omega = 2.0 * quat.mul(quat.conj(r), dr)[..., 1:] / square
        acceleration: Array = 2.0 * quat.mul(quat.conj(r), ddr)[..., 1:] / square - rate * omega
        return acceleration


def _square(r: Array) -> Array:
    square: Array = np.sum(r * r, axis=-1, keepdims=True)
    return square


def _without_wide_gaps(knots: Array, keys: Array) -> tuple[Array, Array]:
    """Keys with slerped ones in the middle of gaps wider than `_LARGEST_GAP`; the given keys all stay."""
    while len(keys) > 1:
        gaps = quat.angle_between(keys[:-1], keys[1:]).reshape(len(keys) - 1, -1).max(axis=1)
        wide = np.flatnonzero(gaps > _LARGEST_GAP)
        if len(wide) == 0:
            break
        middle = quat.slerp(keys[wide], keys[wide + 1], np.full(keys.shape[1:-1], 0.5))
        knots = np.insert(knots, wide + 1, 0.5 * (knots[wide] + knots[wide + 1]))
        keys = quat.continuous(np.insert(keys, wide + 1, middle, axis=0))
    return knots, keys
