"""Compiled joint limits and body frames that `limbs`, `trunk` and `poles` share; vectors and rotations are `math._tuples`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.body._layout import turn_at
from poise.math._compile import njit
from poise.math._tuples import (
    about,
    add,
    clip,
    conj,
    dot,
    length,
    normalized,
    product,
    put,
    quaternion,
    subtract,
    turned,
    vector,
    write,
)

Array = NDArray[np.float64]


class Pose(NamedTuple):
    """A pose that a kernel works on, in place.

    Args:
        row: Generalized positions, shape (nq,).
        turns: Orientations of the nodes of a tree in the world, shape (K, 4).
        places: Where they are [m], shape (K, 3).
    """

    row: Array
    turns: Array
    places: Array


class Ends(NamedTuple):
    """Ends of a tree, and what is asked of them.

    Args:
        nodes: Which nodes they are, shape (E,).
        goals: Where they shall be [m], shape (E, 3).
        weights: How much each goal counts, shape (E,).
        turns: How they shall be turned, shape (E, 4).
        turn_weights: Which of these count (above 0), shape (E,).
    """

    nodes: NDArray[np.int64]
    goals: Array
    weights: Array
    turns: Array
    turn_weights: Array


@njit(cache=True, error_model="numpy", forceinline=True)
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


@njit(cache=True, error_model="numpy", forceinline=True)
def _bounds(square):
    """Bounds on asin(s) / s from the square of s: its series in the square has positive terms only, and ends at pi / 2."""
    low = 1.0 + square * (1.0 / 6.0 + square * (3.0 / 40.0 + square * (15.0 / 336.0)))
    return low, low + square**4 * (0.5 * np.pi - 1.0 - 1.0 / 6.0 - 3.0 / 40.0 - 15.0 / 336.0)


@njit(cache=True, error_model="numpy", forceinline=True)
def _between(sine, low, high, least, most):
    """Whether the angle whose half has this sine lies between least and most, by bounds on angle over sine."""
    one, two = 2.0 * sine * low, 2.0 * sine * high
    return min(one, two) >= least and max(one, two) <= most


@njit(cache=True, error_model="numpy", forceinline=True)
def surely_within(q, lower, upper, margin):
    """Whether an anatomical rotation certainly lies inside limits narrowed by `margin`, told without an angle.

    Close to the limits, or beyond a swing of about 120 degrees, it says no either way.
    """
    cosine = q[0] * q[0] + q[3] * q[3]
    if cosine < 0.25:
        return False
    factor = 1.0 / np.sqrt(cosine)
    if q[0] < 0.0:
        factor = -factor
    low, high = _bounds(q[1] * q[1] + q[2] * q[2])
    x, y, z = (q[1] * q[0] - q[2] * q[3]) * abs(factor), (q[1] * q[3] + q[2] * q[0]) * abs(factor), q[3] * factor
    if not _between(x, low, high, lower[0] + margin, upper[0] - margin):
        return False
    if not _between(y, low, high, lower[1] + margin, upper[1] - margin):
        return False
    low, high = _bounds(z * z)
    return _between(z, low, high, lower[2] + margin, upper[2] - margin)


@njit(cache=True, error_model="numpy", forceinline=True)
def from_swing_twist(angles):
    """The anatomical rotation with these angles."""
    x, y, twist = angles
    swing = np.sqrt(x * x + y * y)
    factor = 0.5 if swing < 1e-12 else np.sin(0.5 * swing) / swing
    return product((np.cos(0.5 * swing), factor * x, factor * y, 0.0), about((0.0, 0.0, 1.0), twist))


@njit(cache=True, error_model="numpy", forceinline=True)
def _held(angles, lower, upper):
    """Angles held inside a box."""
    x, y = clip(angles[0], lower[0], upper[0]), clip(angles[1], lower[1], upper[1])
    return (x, y, clip(angles[2], lower[2], upper[2]))


@njit(cache=True, error_model="numpy", forceinline=True)
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


@njit(cache=True, error_model="numpy", forceinline=True)
def within(coordinate, angles, neutral, lower, upper):
    """A joint coordinate, whose anatomical angles these are, held inside its swing and twist limits."""
    if _held(angles, lower, upper) == angles:
        return coordinate
    held = _held(unfolded(angles, lower, upper), lower, upper)
    # A box may reach past a swing of pi, where the same rotation would be read as one outside it.
    shrink = min(1.0, (np.pi - 1e-6) / max(np.sqrt(held[0] * held[0] + held[1] * held[1]), 1e-12))
    held = (shrink * held[0], shrink * held[1], held[2])
    return product(product(conj(neutral), from_swing_twist(held)), neutral)


@njit(cache=True, error_model="numpy", forceinline=True)
def excess(angles, lower, upper, margin):
    """How far angles lie outside limits narrowed by `margin`."""
    if _held(angles, lower, upper) != angles:
        angles = unfolded(angles, lower, upper)
    x = angles[0] - clip(angles[0], lower[0] + margin, upper[0] - margin)
    y = angles[1] - clip(angles[1], lower[1] + margin, upper[1] - margin)
    return (x, y, angles[2] - clip(angles[2], lower[2] + margin, upper[2] - margin))


@njit(cache=True, error_model="numpy", forceinline=True)
def frames(parents, offsets, bind, order, row, turns, places):
    """World frames of the bodies in `order` (parents first, the pelvis first of all)."""
    put(places, 0, (row[0], row[1], row[2]))
    put(turns, 0, (row[3], row[4], row[5], row[6]))
    for i in range(1, order.shape[0]):
        body = order[i]
        above, at = quaternion(turns, parents[body]), turn_at(body)
        local = product(quaternion(bind, body), (row[at], row[at + 1], row[at + 2], row[at + 3]))
        put(turns, body, product(above, local))
        put(places, body, add(vector(places, parents[body]), turned(above, vector(offsets, body))))


@njit(cache=True, error_model="numpy", forceinline=True)
def put_at(row, body, coordinate):
    """Write a joint coordinate into generalized positions."""
    write(row, turn_at(body), coordinate)


@njit(cache=True, error_model="numpy", forceinline=True)
def relative(bind, above, own):
    """Joint coordinate of a body from its own and its parent's orientation."""
    return normalized(product(conj(bind), product(conj(above), own)))


@njit(cache=True, error_model="numpy")
def place(tree, offsets, bind, row, turns, places):
    """World frames of the tree's nodes from `row`; node 0's frame is given."""
    bodies, above = tree
    for k in range(1, bodies.shape[0]):
        at, parent = turn_at(bodies[k]), above[k]
        local = product(quaternion(bind, bodies[k]), (row[at], row[at + 1], row[at + 2], row[at + 3]))
        put(turns, k, product(quaternion(turns, parent), local))
        shift = turned(quaternion(turns, parent), vector(offsets, bodies[k]))
        put(places, k, add(vector(places, parent), shift))


@njit(cache=True, error_model="numpy")
def largest_miss(places, ends, goals, weights):
    """Distance of the worst end from its goal [m]."""
    miss = 0.0
    for e in range(ends.shape[0]):
        if weights[e] > 0.0:
            miss = max(miss, length(subtract(vector(places, ends[e]), vector(goals, e))))
    return miss


@njit(cache=True, error_model="numpy")
def squared_miss(places, ends, goals, weights):
    """Weighted sum of the squared distances of the ends from their goals."""
    total = 0.0
    for e in range(ends.shape[0]):
        away = subtract(vector(places, ends[e]), vector(goals, e))
        total += weights[e] * dot(away, away)
    return total


@njit(cache=True, error_model="numpy")
def below(above, node, end):
    """Whether turning `node` moves `end`."""
    while end > node:
        end = above[end]
    return end == node
