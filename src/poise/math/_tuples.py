"""Compiled vectors and rotations for the kernels of other packages, as tuples (they stay in registers); rows of arrays outside.

Everything is inlined by force: left to the compiler, calls that pass arrays cost a quarter of a limb's time. Numba does not
see that a function of another module changed: after editing this file, delete the `__pycache__` folders of its users.
"""

from __future__ import annotations

import numpy as np

from poise.math._compile import njit


@njit(cache=True, error_model="numpy", forceinline=True)
def vector(array, row):
    """A row of an (n, 3) array."""
    return (array[row, 0], array[row, 1], array[row, 2])


@njit(cache=True, error_model="numpy", forceinline=True)
def quaternion(array, row):
    """A row of an (n, 4) array."""
    return (array[row, 0], array[row, 1], array[row, 2], array[row, 3])


@njit(cache=True, error_model="numpy", forceinline=True)
def put(array, row, values):
    """Write a tuple into a row."""
    for k in range(len(values)):
        array[row, k] = values[k]


@njit(cache=True, error_model="numpy", forceinline=True)
def add(a, b):
    """Sum of vectors."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@njit(cache=True, error_model="numpy", forceinline=True)
def subtract(a, b):
    """Difference of vectors."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@njit(cache=True, error_model="numpy", forceinline=True)
def scale(a, factor):
    """A vector times a number."""
    return (a[0] * factor, a[1] * factor, a[2] * factor)


@njit(cache=True, error_model="numpy", forceinline=True)
def dot(a, b):
    """Inner product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit(cache=True, error_model="numpy", forceinline=True)
def cross(a, b):
    """Vector product."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


@njit(cache=True, error_model="numpy", forceinline=True)
def length(a):
    """Euclidean length."""
    return np.sqrt(dot(a, a))


@njit(cache=True, error_model="numpy", forceinline=True)
def unit(a, spare):
    """Direction of a vector, or `spare` where it has none."""
    size = length(a)
    return scale(a, 1.0 / size) if size > 1e-12 else spare


@njit(cache=True, error_model="numpy", forceinline=True)
def conj(q):
    """Inverse of a unit quaternion."""
    return (q[0], -q[1], -q[2], -q[3])


@njit(cache=True, error_model="numpy", forceinline=True)
def product(a, b):
    """Rotate by b, then by a."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


@njit(cache=True, error_model="numpy", forceinline=True)
def normalized(q):
    """A unit quaternion."""
    factor = 1.0 / np.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return (q[0] * factor, q[1] * factor, q[2] * factor, q[3] * factor)


@njit(cache=True, error_model="numpy", forceinline=True)
def turned(q, v):
    """A vector rotated by a quaternion."""
    xyz = (q[1], q[2], q[3])
    t = scale(cross(xyz, v), 2.0)
    return add(add(v, scale(t, q[0])), cross(xyz, t))


@njit(cache=True, error_model="numpy", forceinline=True)
def about(axis, angle):
    """Rotation about a unit axis."""
    s = np.sin(0.5 * angle)
    return (np.cos(0.5 * angle), s * axis[0], s * axis[1], s * axis[2])


@njit(cache=True, error_model="numpy", forceinline=True)
def perpendicular(a):
    """A unit vector perpendicular to unit vector a."""
    return unit(cross(a, (0.0, 1.0, 0.0) if abs(a[1]) < 0.9 else (1.0, 0.0, 0.0)), (0.0, 0.0, 1.0))


@njit(cache=True, error_model="numpy", forceinline=True)
def from_to(a, b, spare):
    """Shortest rotation between unit vectors; opposite ones turn by pi about `spare`, or what of it is perpendicular to a."""
    w = 1.0 + dot(a, b)
    if w < 1e-12:
        across = unit(subtract(spare, scale(a, dot(spare, a))), perpendicular(a))
        return (0.0, across[0], across[1], across[2])
    c = cross(a, b)
    return normalized((w, c[0], c[1], c[2]))


@njit(cache=True, error_model="numpy", forceinline=True)
def clip(value, low, high):
    """A number held inside a range."""
    return min(max(value, low), high)


@njit(cache=True, error_model="numpy", forceinline=True)
def triple(array, index):
    """Three numbers of a flat array, from an index on."""
    return (array[index], array[index + 1], array[index + 2])


@njit(cache=True, error_model="numpy", forceinline=True)
def quadruple(array, index):
    """Four numbers of a flat array, from an index on."""
    return (array[index], array[index + 1], array[index + 2], array[index + 3])


@njit(cache=True, error_model="numpy", forceinline=True)
def write(array, index, values):
    """Write a tuple into a flat array, from an index on."""
    for k in range(len(values)):
        array[index + k] = values[k]


@njit(cache=True, error_model="numpy", forceinline=True)
def rotation_vector(q):
    """Rotation vector of a quaternion, the short way."""
    if q[0] < 0.0:
        q = (-q[0], -q[1], -q[2], -q[3])
    xyz = (q[1], q[2], q[3])
    sine = length(xyz)
    return scale(xyz, 2.0 if sine < 1e-9 else 2.0 * np.arctan2(sine, q[0]) / sine)


@njit(cache=True, error_model="numpy", forceinline=True)
def from_rotation_vector(v):
    """Quaternion of a rotation vector."""
    angle = length(v)
    return about(scale(v, 1.0 / angle), angle) if angle > 1e-12 else (1.0, 0.0, 0.0, 0.0)


@njit(cache=True, error_model="numpy", forceinline=True)
def shortened(way, most):
    """A vector, no longer than `most`."""
    far = length(way)
    return way if far <= most else scale(way, most / far)
