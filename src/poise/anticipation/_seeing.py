"""Compiled loops: what is in view, and what was seen and taken in; plain arrays in."""

from __future__ import annotations

import numpy as np

from poise.math._compile import njit
from poise.math._tuples import add, conj, dot, length, product, put, quadruple, subtract, triple, turned, vector, write


@njit(cache=True, error_model="numpy")
def in_view(limits, eye, axes, points, out):
    """See `sight.in_view`; limits are sideways, up and down [rad] and how far [m]."""
    for n in range(points.shape[0]):
        away = subtract(vector(points, n), triple(eye, 0))
        ahead, left, up = dot(away, vector(axes, 0)), dot(away, vector(axes, 1)), dot(away, vector(axes, 2))
        level = np.arctan2(up, np.sqrt(ahead * ahead + left * left))
        beside = abs(np.arctan2(left, ahead)) <= limits[0]
        out[n] = beside and -limits[2] <= level <= limits[1] and length(away) <= limits[3]


@njit(cache=True, error_model="numpy")
def level_facing(turn, neutral):
    """Where a body faces that looks along x in the neutral pose, level; shape (3,)."""
    own = product(quadruple(turn, 0), conj(quadruple(neutral, 0)))
    ahead = turned(own, (1.0, 0.0, 0.0))
    far = np.sqrt(ahead[0] ** 2 + ahead[1] ** 2)
    out = np.array([1.0, 0.0, 0.0])
    if far > 1e-6:
        out[0], out[1] = ahead[0] / far, ahead[1] / far
    return out


@njit(cache=True, error_model="numpy")
def watch(head, sight, threats, point, open_eyes, gaze, out):
    """What threatens and is not left unseen, where, and whether it is in the frustum of the gaze.

    Args:
        head: Turn (4,), the same in the neutral pose (4,), place of its joint (3,), and eyes from there in that pose [m] (3,).
        sight: Sideways, up and down [rad] and how far [m].
        threats: Urgency, infinite for what does not threaten, and the spot each threatens, shape (P,) each.
        point: Closest points, shape (R, P, 3).
        open_eyes: Whether each can be seen at all, shape (P,).
        gaze: Where the eyes are (3,), and ahead, left and up of the gaze as rows (3, 3); written.
        out: Obstacles (P,), of which the first ones are written, points of them (P, 3), and whether they are in view (P,).

    Returns:
        How many they are.
    """
    turn, neutral, place, eyes = head
    (urgency, threatened), (eye, axes), (which, points, shown) = threats, gaze, out
    own = product(quadruple(turn, 0), conj(quadruple(neutral, 0)))
    write(eye, 0, add(triple(place, 0), turned(own, triple(eyes, 0))))
    put(axes, 0, turned(own, (1.0, 0.0, 0.0)))
    put(axes, 1, turned(own, (0.0, 1.0, 0.0)))
    put(axes, 2, turned(own, (0.0, 0.0, 1.0)))
    count = 0
    for p in range(urgency.shape[0]):
        if np.isfinite(urgency[p]) and open_eyes[p]:
            which[count] = p
            put(points, count, vector(point[threatened[p]], p))
            count += 1
    in_view(sight, eye, axes, points[:count], shown)
    return count


@njit(cache=True, error_model="numpy")
def remember(time, which, seen, spans, threats, memory, noticed):
    """Note what is seen; only what is seen or remembered threatens, and once that was taken in.

    Args:
        time: Now [s].
        which: What is looked for, shape (n,).
        seen: Whether it is seen, shape (n,).
        spans: How long something is minded after it was seen, and how long it takes to take in that it threatens [s].
        threats: Urgency of each, written: infinite for what is not minded; and whether it is too early to do anything about
            it, and whether it counts, shape (P,) each.
        memory: When each obstacle was last seen [s], when it was first seen to threaten [s], -inf for never, since when it
            has counted without a break [s], inf where it does not, whether it is minded, and whether a hand is about it,
            shape (P,) each; all but the last are written.
        noticed: What is seen for the first time, shape (P,); the first ones are written.

    Returns:
        How many those are.
    """
    (urgency, early, counts), (last, since, begun, minded, taken) = threats, memory
    count = 0
    for n in range(which.shape[0]):
        if seen[n]:
            if last[which[n]] == -np.inf:
                noticed[count] = which[n]
                count += 1
            last[which[n]] = time
    longest, latency = spans
    for p in range(last.shape[0]):
        minded[p] = time - last[p] <= longest
        if not minded[p]:
            urgency[p] = np.inf
        elif since[p] == -np.inf and np.isfinite(urgency[p]):
            since[p] = time
        begun[p] = min(begun[p], time) if counts[p] else np.inf
        # What is not taken in yet takes one by surprise.
        if since[p] > time - latency + 1e-9:
            urgency[p], minded[p] = np.inf, False
        elif early[p] or (begun[p] > time - latency + 1e-9 and not taken[p]):
            urgency[p] = np.inf
    return count
