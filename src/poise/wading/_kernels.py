"""Compiled rotations of single vectors: a call of `quat` on one costs a tenth of a wader's tick."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.math._compile import njit

Array = NDArray[np.float64]


@njit(cache=True)
def rotate(q: Array, v: Array) -> Array:
    """A vector turned by a unit quaternion wxyz."""
    w, x, y, z = q[0], q[1], q[2], q[3]
    a, b, c = y * v[2] - z * v[1], z * v[0] - x * v[2], x * v[1] - y * v[0]
    return np.array(
        [
            v[0] + 2.0 * (w * a + y * c - z * b),
            v[1] + 2.0 * (w * b + z * a - x * c),
            v[2] + 2.0 * (w * c + x * b - y * a),
        ]
    )


@njit(cache=True)
def product(a: Array, b: Array) -> Array:
    """First b, then a."""
    return np.array(
        [
            a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
            a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
            a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
        ]
    )


@njit(cache=True)
def about(axis: Array, angle: float) -> Array:
    """Rotation by an angle [rad] about a unit axis."""
    s = np.sin(0.5 * angle)
    return np.array([np.cos(0.5 * angle), s * axis[0], s * axis[1], s * axis[2]])
