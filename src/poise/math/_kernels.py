"""Compiled quaternion arithmetic for the kernels of other packages; single quaternions wxyz, results written to `out`.

Numba does not see that a function called from another module changed: after editing this file, delete the `__pycache__` folders
of its users.
"""

from __future__ import annotations

import numpy as np

from poise.math._compile import njit


@njit(cache=True)
def product(a, b, out):
    """Product of two quaternions: first rotate by b, then by a."""
    w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3]
    x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2]
    y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1]
    z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]
    out[0], out[1], out[2], out[3] = w, x, y, z


@njit(cache=True)
def rotate(q, v, out):
    """A vector rotated by a quaternion."""
    tx = 2.0 * (q[2] * v[2] - q[3] * v[1])
    ty = 2.0 * (q[3] * v[0] - q[1] * v[2])
    tz = 2.0 * (q[1] * v[1] - q[2] * v[0])
    x = v[0] + q[0] * tx + q[2] * tz - q[3] * ty
    y = v[1] + q[0] * ty + q[3] * tx - q[1] * tz
    z = v[2] + q[0] * tz + q[1] * ty - q[2] * tx
    out[0], out[1], out[2] = x, y, z


@njit(cache=True)
def difference(a, b, out):
    """Rotation vector that takes quaternion a to b the short way, in a's own frame."""
    w = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
    x = a[0] * b[1] - a[1] * b[0] - a[2] * b[3] + a[3] * b[2]
    y = a[0] * b[2] + a[1] * b[3] - a[2] * b[0] - a[3] * b[1]
    z = a[0] * b[3] - a[1] * b[2] + a[2] * b[1] - a[3] * b[0]
    sine = np.sqrt(x * x + y * y + z * z)
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    factor = 2.0 if sine < 1e-12 else 2.0 * np.arctan2(sine, w) / sine
    out[0], out[1], out[2] = factor * x, factor * y, factor * z


@njit(cache=True)
def exponential(v, out):
    """Quaternion of a rotation vector."""
    angle = np.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    factor = 0.5 if angle < 1e-12 else np.sin(0.5 * angle) / angle
    out[0] = np.cos(0.5 * angle)
    for axis in range(3):
        out[1 + axis] = factor * v[axis]
