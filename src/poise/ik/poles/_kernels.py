"""Compiled elastic poles; plain arrays in, changed in place."""

from __future__ import annotations

import numpy as np

from poise.math._compile import njit
from poise.math._tuples import add, conj, dot, length, put, quaternion, scale, subtract, turned, unit, vector

_SUBSTEP = 0.2
"""Longest substep, as a share of the pole's period / 2 pi."""
_MOST_SUBSTEPS = 256
"""After so many a pole is at rest whatever it did before."""


@njit(cache=True, error_model="numpy")
def pull(start, end, speed, anchor, stiffness, rest, damping, tangential):
    """Mean acceleration by one spring and damper over a step from `start` to `end`.

    The spring is a discrete gradient, so its work is its change in energy to the last digit.
    """
    a, b = subtract(start, anchor), subtract(end, anchor)
    both = add(a, b)
    sizes = max(length(a) + length(b), 1e-12)
    along = unit(both, (0.0, 0.0, 0.0))
    radial = scale(along, (1.0 - tangential) * damping * dot(speed, along))
    spring = scale(both, 0.5 * stiffness * (1.0 - 2.0 * rest / sizes))
    return scale(add(spring, add(radial, scale(speed, tangential * damping))), -1.0)


@njit(cache=True, error_model="numpy")
def step_pole(point, velocity, mid, natural, springs, rests, time):
    """Point and velocity of a pole after `time`; springs are stiffness, damping of mid and natural, tangential share."""
    rate = np.sqrt(springs[0] + springs[2])
    count = int(min(max(np.ceil(time * rate / _SUBSTEP), 1.0), _MOST_SUBSTEPS))
    step = min(time / count, _SUBSTEP / rate)
    for _ in range(count):
        end, after = add(point, scale(velocity, step)), velocity
        for _ in range(25):
            mean = scale(add(velocity, after), 0.5)
            by_mid = pull(point, end, mean, mid, springs[0], rests[0], springs[1], springs[4])
            by_natural = pull(point, end, mean, natural, springs[2], rests[1], springs[3], springs[4])
            new = add(velocity, scale(add(by_mid, by_natural), step))
            change = subtract(new, after)
            after = new
            end = add(point, scale(add(velocity, after), 0.5 * step))
            if dot(change, change) < 1e-28:
                break
        point, velocity = end, after
    return point, velocity


@njit(cache=True, error_model="numpy")
def step_poles(state, mids, naturals, springs, rests, time):
    """Every pole of every body (N, L, 6), in place."""
    for i in range(state.shape[0]):
        for limb in range(state.shape[1]):
            s, m, o = state[i, limb], mids[i, limb], naturals[limb]
            point, velocity = step_pole(
                (s[0], s[1], s[2]),
                (s[3], s[4], s[5]),
                (m[0], m[1], m[2]),
                (o[0], o[1], o[2]),
                springs,
                rests[limb],
                time,
            )
            for axis in range(3):
                s[axis], s[3 + axis] = point[axis], velocity[axis]


@njit(cache=True, error_model="numpy")
def into_frames(turns, places, frames, bodies, out):
    """Joints of `bodies` as seen from `frames` (body indices both), (N, L, 3)."""
    for i in range(turns.shape[0]):
        for limb in range(frames.shape[0]):
            away = subtract(vector(places[i], bodies[limb]), vector(places[i], frames[limb]))
            put(out[i], limb, turned(conj(quaternion(turns[i], frames[limb])), away))


@njit(cache=True, error_model="numpy")
def out_of_frames(turns, places, frames, points, out):
    """Points (N, L, 3 or more) given in the frames of bodies, in the world."""
    for i in range(turns.shape[0]):
        for limb in range(frames.shape[0]):
            away = turned(quaternion(turns[i], frames[limb]), vector(points[i], limb))
            put(out[i], limb, add(vector(places[i], frames[limb]), away))
