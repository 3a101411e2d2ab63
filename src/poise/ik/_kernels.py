"""Compiled vectors, rotations and joint limits that `limbs`, `trunk` and `poles` share.

Vectors and quaternions are tuples inside (they stay in registers) and rows of plain arrays outside.
"""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, error_model="numpy")
def vector(array, row):
    """A row of an (n, 3) array."""
    return (array[row, 0], array[row, 1], array[row, 2])


@njit(cache=True, error_model="numpy")
def quaternion(array, row):
    """A row of an (n, 4) array."""
    return (array[row, 0], array[row, 1], array[row, 2], array[row, 3])


@njit(cache=True, error_model="numpy")
def put(array, row, values):
    """Write a tuple into a row."""
    for k in range(len(values)):
        array[row, k] = values[k]


@njit(cache=True, error_model="numpy")
def add(a, b):
    """Sum of vectors."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@njit(cache=True, error_model="numpy")
def subtract(a, b):
    """Difference of vectors."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@njit(cache=True, error_model="numpy")
def scale(a, factor):
    """A vector times a number."""
    return (a[0] * factor, a[1] * factor, a[2] * factor)


@njit(cache=True, error_model="numpy")
def dot(a, b):
    """Inner product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit(cache=True, error_model="numpy")
def cross(a, b):
    """Vector product."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


@njit(cache=True, error_model="numpy")
def length(a):
    """Euclidean length."""
    return np.sqrt(dot(a, a))


@njit(cache=True, error_model="numpy")
def unit(a, spare):
    """Direction of a vector, or `spare` where it has none."""
    size = length(a)
    return scale(a, 1.0 / size) if size > 1e-12 else spare


@njit(cache=True, error_model="numpy")
def conj(q):
    """Inverse of a unit quaternion."""
    return (q[0], -q[1], -q[2], -q[3])


@njit(cache=True, error_model="numpy")
def product(a, b):
    """Rotate by b, then by a."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


@njit(cache=True, error_model="numpy")
def normalized(q):
    """A unit quaternion."""
    factor = 1.0 / np.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return (q[0] * factor, q[1] * factor, q[2] * factor, q[3] * factor)


@njit(cache=True, error_model="numpy")
def turned(q, v):
    """A vector rotated by a quaternion."""
    xyz = (q[1], q[2], q[3])
    t = scale(cross(xyz, v), 2.0)
    return add(add(v, scale(t, q[0])), cross(xyz, t))


@njit(cache=True, error_model="numpy")
def about(axis, angle):
    """Rotation about a unit axis."""
    s = np.sin(0.5 * angle)
    return (np.cos(0.5 * angle), s * axis[0], s * axis[1], s * axis[2])


@njit(cache=True, error_model="numpy")
def from_to(a, b, spare):
    """Shortest rotation between unit vectors; opposite ones turn by pi about `spare`, which is perpendicular to a."""
    w = 1.0 + dot(a, b)
    if w < 1e-12:
        return (0.0, spare[0], spare[1], spare[2])
    c = cross(a, b)
    return normalized((w, c[0], c[1], c[2]))


@njit(cache=True, error_model="numpy")
def perpendicular(a):
    """A unit vector perpendicular to unit vector a."""
    return unit(cross(a, (0.0, 1.0, 0.0) if abs(a[1]) < 0.9 else (1.0, 0.0, 0.0)), (0.0, 0.0, 1.0))


@njit(cache=True, error_model="numpy")
def swing_twist(q):
    """Swing about x, swing about y and twist about z of an anatomical rotation (`body.limits`)."""
    if q[0] < 0.0:
        q = (-q[0], -q[1], -q[2], -q[3])
    size = np.sqrt(q[0] * q[0] + q[3] * q[3])
    if size < 1e-9:
        return (np.pi * q[1], np.pi * q[2], 0.0)
    x, y = (q[1] * q[0] - q[2] * q[3]) / size, (q[1] * q[3] + q[2] * q[0]) / size
    sine = np.sqrt(x * x + y * y)
    factor = 2.0 if sine < 1e-12 else 2.0 * np.arctan2(sine, size) / sine
    return (factor * x, factor * y, 2.0 * np.arctan2(q[3], q[0]))


@njit(cache=True, error_model="numpy")
def from_swing_twist(angles):
    """The anatomical rotation with these angles."""
    x, y, twist = angles
    swing = np.sqrt(x * x + y * y)
    factor = 0.5 if swing < 1e-12 else np.sin(0.5 * swing) / swing
    return product((np.cos(0.5 * swing), factor * x, factor * y, 0.0), about((0.0, 0.0, 1.0), twist))


@njit(cache=True, error_model="numpy")
def clip(value, low, high):
    """A number held inside a range."""
    return min(max(value, low), high)


@njit(cache=True, error_model="numpy")
def _held(angles, lower, upper):
    """Angles held inside a box."""
    x, y = clip(angles[0], lower[0], upper[0]), clip(angles[1], lower[1], upper[1])
    return (x, y, clip(angles[2], lower[2], upper[2]))


@njit(cache=True, error_model="numpy")
def unfolded(angles, lower, upper):
    """The same rotation with its swing read the other way round, past pi, where that lies nearer to the limits.

    So an arm that is raised and goes on backwards has passed its upper limit, not its lower one.
    """
    size = np.sqrt(angles[0] * angles[0] + angles[1] * angles[1])
    if size < 1.0:
        return angles
    factor = 1.0 - 2.0 * np.pi / size
    other = (factor * angles[0], factor * angles[1], angles[2])
    here, there = subtract(angles, _held(angles, lower, upper)), subtract(other, _held(other, lower, upper))
    return other if dot(there, there) < dot(here, here) else angles


@njit(cache=True, error_model="numpy")
def within(coordinate, angles, neutral, lower, upper):
    """A joint coordinate, whose anatomical angles these are, held inside its swing and twist limits."""
    if _held(angles, lower, upper) == angles:
        return coordinate
    held = _held(unfolded(angles, lower, upper), lower, upper)
    # A box may reach past a swing of pi, where the same rotation would be read as one outside it.
    shrink = min(1.0, (np.pi - 1e-6) / max(np.sqrt(held[0] * held[0] + held[1] * held[1]), 1e-12))
    held = (shrink * held[0], shrink * held[1], held[2])
    return product(product(conj(neutral), from_swing_twist(held)), neutral)


@njit(cache=True, error_model="numpy")
def excess(angles, lower, upper, margin):
    """How far angles lie outside limits narrowed by `margin`."""
    if _held(angles, lower, upper) != angles:
        angles = unfolded(angles, lower, upper)
    x = angles[0] - clip(angles[0], lower[0] + margin, upper[0] - margin)
    y = angles[1] - clip(angles[1], lower[1] + margin, upper[1] - margin)
    return (x, y, angles[2] - clip(angles[2], lower[2] + margin, upper[2] - margin))


@njit(cache=True, error_model="numpy")
def frames(parents, offsets, bind, order, row, turns, places):
    """World frames of the bodies in `order` (parents first, the pelvis first of all)."""
    put(places, 0, (row[0], row[1], row[2]))
    put(turns, 0, (row[3], row[4], row[5], row[6]))
    for i in range(1, order.shape[0]):
        body = order[i]
        above, at = quaternion(turns, parents[body]), 3 + 4 * body
        local = product(quaternion(bind, body), (row[at], row[at + 1], row[at + 2], row[at + 3]))
        put(turns, body, product(above, local))
        put(places, body, add(vector(places, parents[body]), turned(above, vector(offsets, body))))


@njit(cache=True, error_model="numpy")
def put_at(row, body, coordinate):
    """Write a joint coordinate into generalized positions."""
    for k in range(4):
        row[3 + 4 * body + k] = coordinate[k]


@njit(cache=True, error_model="numpy")
def relative(bind, above, own):
    """Joint coordinate of a body from its own and its parent's orientation."""
    return normalized(product(conj(bind), product(conj(above), own)))
