"""Compiled loops of what trunk, neck and head do; plain arrays in, outputs preallocated."""

from __future__ import annotations

import numpy as np
from numba import njit

from poise.math._easing import settled
from poise.math._kernels import difference, rotate
from poise.math._tuples import add, clip, put, subtract, vector


@njit(cache=True)
def settle(value, rate, goal, quickness, most, tick, out):
    """Critically damped angles (k, 3) at the ends of n even parts of a tick, written to `out` (n, k, 3); value and rate too."""
    count = out.shape[0]
    for k in range(value.shape[0]):
        off = subtract(vector(value, k), vector(goal, k))
        off = (clip(off[0], -most, most), clip(off[1], -most, most), clip(off[2], -most, most))
        aim, run = subtract(vector(value, k), off), vector(rate, k)
        for n in range(count):
            left, speed = settled(off, run, quickness, tick * (n + 1) / count)
            put(out[n], k, add(aim, left))
        put(value, k, add(aim, left))
        put(rate, k, speed)


@njit(cache=True)
def most_urgent(threats, point, velocity, masses, known, time, at, least):
    """What is worth a look and threatens soonest, -1 for nothing, and whether what is looked at is still worth it.

    Args:
        threats: Urgency, spot and closing speed, each shape (P,).
        point: Closest points, shape (R, P, 3).
        velocity: There, shape (R, P, 3).
        masses: Shape (P,).
        known: Until when each needs no look while it stands still [s], shape (P,).
        time: Now [s].
        at: What is looked at.
        least: Urgency, momentum, height and speed: what is later, less or lower is not looked at; what is slower stands still.
    """
    urgency, spots, closing = threats
    best, there = -1, False
    for p in range(masses.shape[0]):
        spot = spots[p]
        if urgency[p] >= least[0] or point[spot, p, 2] < least[2]:
            continue
        if masses[p] * max(closing[p], 0.5) <= least[1]:
            continue
        if p == at:
            there = True
        square = 0.0
        for axis in range(3):
            square += velocity[spot, p, axis] ** 2
        if time < known[p] and square < least[3] ** 2:
            continue
        if best < 0 or urgency[p] < urgency[best]:
            best = p
    return best, there


@njit(cache=True)
def look_turns(now, then, neutral, bodies, share, free, most, out):
    """How far each of k joints turns for a look, about forward, left and up, written to `out` (k, 3).

    Args:
        now: Generalized positions (nq,) as the motion has them.
        then: The same with the head's front at what is looked at.
        neutral: Turns of all bodies in the neutral pose, shape (B, 4).
        bodies: Whose joints, shape (k,).
        share: How much of the way beyond `free` the head goes.
        free: Angle that is left to the eyes [rad].
        most: Farthest turn of all joints together [rad].
        out: Written.
    """
    whole, own = np.zeros(3), np.empty(3)
    for k in range(bodies.shape[0]):
        at = 3 + 4 * bodies[k]
        difference(now[at : at + 4], then[at : at + 4], own)
        rotate(now[at : at + 4], own, own)
        rotate(neutral[bodies[k]], own, out[k])
        for axis in range(3):
            whole[axis] += out[k, axis]
    angle = np.sqrt(whole[0] ** 2 + whole[1] ** 2 + whole[2] ** 2)
    turn = min(share * max(angle - free, 0.0), most)
    for k in range(bodies.shape[0]):
        for axis in range(3):
            out[k, axis] *= turn / max(angle, 1e-9)


@njit(cache=True)
def approach(rows, span, share, own, urgency, spots, velocity, speeds):
    """Bring the body's own velocity `own` (3,) up to date, and write how fast what threatens moves; 0 for the rest.

    Args:
        rows: Generalized positions over a tick, shape (n, nq).
        span: Time from the first to the last of them [s].
        share: Of their velocity that goes into `own`.
        own: Of the pelvis [m/s]; written.
        urgency: Infinite for what does not threaten, shape (P,).
        spots: Spot each threatens, shape (P,).
        velocity: Of the obstacles there [m/s], shape (R, P, 3).
        speeds: Against the body and in the world [m/s], shape (P, 2); written.
    """
    for axis in range(3):
        own[axis] += share * ((rows[-1, axis] - rows[0, axis]) / span - own[axis])
    for p in range(urgency.shape[0]):
        speeds[p, 0], speeds[p, 1] = 0.0, 0.0
        if np.isfinite(urgency[p]):
            for axis in range(3):
                speeds[p, 0] += (velocity[spots[p], p, axis] - own[axis]) ** 2
                speeds[p, 1] += velocity[spots[p], p, axis] ** 2
            speeds[p, 0], speeds[p, 1] = np.sqrt(speeds[p, 0]), np.sqrt(speeds[p, 1])
