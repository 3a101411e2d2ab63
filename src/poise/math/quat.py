"""Unit quaternions as plain arrays: `(..., 4)`, order wxyz, `v_parent = q v_child q*`.

A namespace of short verbs that broadcast over leading axes. Angles are in radians. Rotation vectors are axis times
angle. Euler angles come from SciPy at the borders; everything here is NumPy.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "IDENTITY",
    "angle_between",
    "between",
    "conj",
    "continuous",
    "exp",
    "from_axis_angle",
    "from_matrix",
    "log",
    "mul",
    "normalize",
    "rotate",
    "slerp",
    "swing_twist",
    "to_matrix",
]

Array = NDArray[np.float64]

IDENTITY: Array = np.array([1.0, 0.0, 0.0, 0.0])
IDENTITY.setflags(write=False)
_UNIT: Array = np.eye(3)
_SKEW: Array = 1e-12 + 1e-5 * _UNIT
"""By how much the products of a rotation's rows may differ from those of unit vectors at right angles."""


def _array(value: ArrayLike) -> Array:
    array: Array = np.asarray(value, dtype=np.float64)
    return array


def mul(a: ArrayLike, b: ArrayLike) -> Array:
    """Product of quaternions, shape (..., 4): first rotate by `b`, then by `a`."""
    first, second = _array(a), _array(b)
    aw, ax, ay, az = first[..., 0], first[..., 1], first[..., 2], first[..., 3]
    bw, bx, by, bz = second[..., 0], second[..., 1], second[..., 2], second[..., 3]
    w = aw * bw - ax * bx - ay * by - az * bz
    product = np.empty((*w.shape, 4))
    product[..., 0] = w
    product[..., 1] = aw * bx + ax * bw + ay * bz - az * by
    product[..., 2] = aw * by - ax * bz + ay * bw + az * bx
    product[..., 3] = aw * bz + ax * by - ay * bx + az * bw
    return product


def conj(q: ArrayLike) -> Array:
    """Inverse rotation of unit quaternions, shape (..., 4)."""
    inverse: Array = _array(q) * np.array([1.0, -1.0, -1.0, -1.0])
    return inverse


def rotate(q: ArrayLike, v: ArrayLike) -> Array:
    """Vectors `v`, shape (..., 3), rotated by `q`, shape (..., 4)."""
    quaternion, vector = _array(q), _array(v)
    w, xyz = quaternion[..., :1], quaternion[..., 1:]
    t = 2.0 * _cross(xyz, vector)
    rotated: Array = vector + w * t + _cross(xyz, t)
    return rotated


def _cross(a: Array, b: Array) -> Array:
    """The cross product (..., 3), to the bit as `np.cross`, which takes five times as long to see what it was given."""
    ax, ay, az = a[..., 0], a[..., 1], a[..., 2]
    bx, by, bz = b[..., 0], b[..., 1], b[..., 2]
    x = ay * bz - az * by
    product = np.empty((*x.shape, 3))
    product[..., 0] = x
    product[..., 1] = az * bx - ax * bz
    product[..., 2] = ax * by - ay * bx
    return product


def normalize(q: ArrayLike) -> Array:
    """Unit quaternions in the direction of `q`, shape (..., 4); a zero quaternion becomes the identity.

    One that is unit to rounding stays as it is, so that doing this twice changes no bit.
    """
    quaternion = _array(q)
    norm = np.linalg.norm(quaternion, axis=-1, keepdims=True)
    norm = np.where(np.abs(norm - 1.0) < 1e-15, 1.0, norm)
    return np.where(norm > 1e-300, quaternion / np.maximum(norm, 1e-300), IDENTITY)


def exp(rotation_vector: ArrayLike) -> Array:
    """Quaternions of rotation vectors [rad], shape (..., 3) to (..., 4)."""
    vector = _array(rotation_vector)
    half = 0.5 * np.linalg.norm(vector, axis=-1, keepdims=True)
    return np.concatenate([np.cos(half), 0.5 * np.sinc(half / np.pi) * vector], axis=-1)


def log(q: ArrayLike) -> Array:
    """Rotation vectors [rad] of unit quaternions, shape (..., 4) to (..., 3), of length at most pi."""
    quaternion = _array(q)
    quaternion = np.where(quaternion[..., :1] < 0.0, -quaternion, quaternion)
    w, xyz = quaternion[..., :1], quaternion[..., 1:]
    sine = np.linalg.norm(xyz, axis=-1, keepdims=True)
    # 2 atan2(s, w) / s, whose limit at s = 0 is 2 / w.
    factor = np.where(sine > 1e-12, 2.0 * np.arctan2(sine, w) / np.maximum(sine, 1e-12), 2.0)
    return factor * xyz


def from_axis_angle(axis: ArrayLike, angle: ArrayLike) -> Array:
    """Quaternions of rotations about unit `axis`, shape (..., 3), by `angle` [rad], shape (...)."""
    return exp(_array(axis) * _array(angle)[..., None])


def between(a: ArrayLike, b: ArrayLike) -> Array:
    """Shortest rotation that takes directions `a` to directions `b`, shape (..., 3) to (..., 4).

    Opposite directions turn by pi about an axis perpendicular to `a`.
    """
    u, v = (x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-300) for x in (_array(a), _array(b)))
    u, v = np.broadcast_arrays(u, v)
    w = 1.0 + np.sum(u * v, axis=-1, keepdims=True)
    other = np.where(np.abs(u[..., :1]) < 0.9, np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0]))
    opposite = np.concatenate([np.zeros_like(w), np.cross(u, other)], axis=-1)
    return normalize(np.where(w > 1e-12, np.concatenate([w, np.cross(u, v)], axis=-1), opposite))


def angle_between(a: ArrayLike, b: ArrayLike) -> Array:
    """Angle [rad] of the rotation from `a` to `b`, both of shape (..., 4), to shape (...)."""
    relative: Array = np.linalg.norm(log(mul(conj(a), b)), axis=-1)
    return relative


def slerp(a: ArrayLike, b: ArrayLike, t: ArrayLike) -> Array:
    """Rotation a fraction `t` (shape (...)) of the short way from `a` to `b`, shape (..., 4)."""
    return mul(a, exp(log(mul(conj(a), b)) * _array(t)[..., None]))


def swing_twist(q: ArrayLike, axis: ArrayLike) -> tuple[Array, Array]:
    """Split `q = swing * twist`, the twist being about unit `axis` (shape (..., 3)), first from the right.

    Where the twist is undetermined (a swing by pi) it is the identity.
    """
    quaternion, direction = _array(q), _array(axis)
    along = np.sum(quaternion[..., 1:] * direction, axis=-1, keepdims=True)
    twist = normalize(np.concatenate([quaternion[..., :1], along * direction], axis=-1))
    return mul(quaternion, conj(twist)), twist


def continuous(q: ArrayLike, axis: int = 0) -> Array:
    """The same rotations with signs chosen so that neighbors along `axis` lie on the same side."""
    quaternion = np.moveaxis(np.array(q, dtype=np.float64), axis, 0)
    dots = np.sum(quaternion[1:] * quaternion[:-1], axis=-1)
    signs = np.cumprod(np.where(dots < 0.0, -1.0, 1.0), axis=0)
    quaternion[1:] *= signs[..., None]
    return np.moveaxis(quaternion, 0, axis)


def to_matrix(q: ArrayLike) -> Array:
    """Rotation matrices, shape (..., 4) to (..., 3, 3), whose columns are the child's axes in the parent."""
    w, x, y, z = np.moveaxis(_array(q), -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def from_matrix(matrix: ArrayLike) -> Array:
    """Quaternions of rotation matrices, shape (..., 3, 3) to (..., 4), with w >= 0.

    By the largest of the four components (Markley 2008), as SciPy does and to the same bits, without the third of a second
    that importing it takes. What is no rotation by more than rounding is taken for the nearest one.

    Raises:
        ValueError: A matrix mirrors, or has no inverse.
    """
    values = _array(matrix)
    turns = values.reshape(-1, 3, 3)
    if not (np.linalg.det(turns) > 0.0).all():
        raise ValueError("a matrix of no positive determinant is no rotation")
    skewed = (np.abs(turns @ turns.transpose(0, 2, 1) - _UNIT) > _SKEW).any(axis=(1, 2))
    if skewed.any():
        left, _, right = np.linalg.svd(turns[skewed])
        turns = turns.copy()
        turns[skewed] = left @ right
    rows, trace = np.arange(len(turns)), turns[:, 0, 0] + turns[:, 1, 1] + turns[:, 2, 2]
    largest = np.argmax(np.column_stack([np.diagonal(turns, axis1=1, axis2=2), trace]), axis=1)
    i = largest % 3
    j, k = (i + 1) % 3, (i + 2) % 3
    found = np.empty((len(turns), 4))
    found[rows, 0] = turns[rows, k, j] - turns[rows, j, k]
    found[rows, 1 + i] = 1.0 - trace + 2.0 * turns[rows, i, i]
    found[rows, 1 + j] = turns[rows, j, i] + turns[rows, i, j]
    found[rows, 1 + k] = turns[rows, k, i] + turns[rows, i, k]
    real = largest == 3
    found[real, 0] = 1.0 + trace[real]
    for axis in range(3):
        after, before = (axis + 1) % 3, (axis + 2) % 3
        found[real, 1 + axis] = turns[real, before, after] - turns[real, after, before]
    w, x, y, z = found.T
    unit = found / np.sqrt(x * x + y * y + z * z + w * w)[:, None]  # SciPy's order of summing, for its bits
    return _canonical(unit).reshape(*values.shape[:-2], 4)


def _canonical(q: Array) -> Array:
    """Of the two quaternions of a rotation the one whose first component that is not 0 is positive; shape (N, 4)."""
    first = np.argmax(q != 0.0, axis=1)
    return np.where(q[np.arange(len(q)), first][:, None] < 0.0, -q, q)
