"""Compiled loops of what trunk, neck and head do; plain arrays in, outputs preallocated."""

from __future__ import annotations

import numpy as np

from poise.body._kernels import turn_joint
from poise.body._layout import turn_at
from poise.ik.trunk._kernels import look
from poise.math._compile import njit
from poise.math._easing import approached, settled
from poise.math._kernels import difference, rotate
from poise.math._tuples import add, clip, put, subtract, vector


@njit(cache=True)
def settle(value, rate, goal, quickness, most, tick, rests, out):
    """Critically damped angles (k, 3) at the ends of n even parts of a tick, written to `out` (n, k, 3); value and rate too.

    Returns:
        Whether all is at rest: there is no goal, and value and rate are less than `rests` and made zero.
    """
    count, at_rest = out.shape[0], True
    for k in range(value.shape[0]):
        off = subtract(vector(value, k), vector(goal, k))
        off = (clip(off[0], -most, most), clip(off[1], -most, most), clip(off[2], -most, most))
        aim, run = subtract(vector(value, k), off), vector(rate, k)
        for n in range(count):
            left, speed = settled(off, run, quickness, tick * (n + 1) / count)
            put(out[n], k, add(aim, left))
        put(value, k, add(aim, left))
        put(rate, k, speed)
        for axis in range(3):
            near = abs(value[k, axis]) < rests and abs(rate[k, axis]) < rests
            at_rest = at_rest and near and goal[k, axis] == 0.0
    if at_rest:
        value[:], rate[:] = 0.0, 0.0
    return at_rest


@njit(cache=True)
def displace(value, rate, gain, goal, duration, tick):
    """Bring a displacement, its velocity and acceleration, shape (3,) each, on by a tick towards a goal; see `approached`."""
    error = (value[0] - goal[0], value[1] - goal[1], value[2] - goal[2])
    run, swing = (rate[0], rate[1], rate[2]), (gain[0], gain[1], gain[2])
    left, speed, change = approached(error, run, swing, duration, tick)
    for axis in range(3):
        value[axis], rate[axis], gain[axis] = goal[axis] + left[axis], speed[axis], change[axis]


@njit(cache=True)
def turn_joints(rows, neutral, bodies, factors, divisors, vectors):
    """Turn several joints on top of what they do, in rows (n, nq) in place; see `body.coordinates.turn_joint`.

    Args:
        rows: Generalized positions.
        neutral: Turns of all bodies in the neutral pose, shape (B, 4).
        bodies: Whose joints, shape (k,).
        factors: On the vectors, for each, shape (k,).
        divisors: Of them, shape (k,).
        vectors: Rotation vectors about forward, left and up [rad], one for all, shape (n, 1, 3), or one each, (n, k, 3).
    """
    own = np.empty((rows.shape[0], 3))
    for k in range(bodies.shape[0]):
        for n in range(rows.shape[0]):
            for axis in range(3):
                own[n, axis] = factors[k] * vectors[n, min(k, vectors.shape[1] - 1), axis] / divisors[k]
        turn_joint(rows, turn_at(bodies[k]), neutral[bodies[k]], own)


@njit(cache=True)
def most_urgent(threats, point, velocity, masses, known, time, at, least):
    """What is worth a look and threatens soonest, -1 for nothing, and whether what is looked at is still worth it.

    Args:
        threats: Urgency, spot, closing speed and whether it is early, each shape (P,).
        point: Closest points, shape (R, P, 3).
        velocity: There, shape (R, P, 3).
        masses: Shape (P,).
        known: Until when each needs no look while it stands still [s], shape (P,).
        time: Now [s].
        at: What is looked at.
        least: Urgency, momentum, height and speed: what is later, less or lower is not looked at; what is slower stands still.
    """
    urgency, spots, closing, _, _ = threats
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
def glance(gaze, row, target, rounds, bodies, shares, out):
    """How far each of k joints turns for a look, about forward, left and up, written to `out` (k, 3).

    Args:
        gaze: See `ik.trunk.Gaze.compiled`.
        row: Generalized positions (nq,) as the motion has them.
        target: What is looked at [m].
        rounds: Of turning the chain there.
        bodies: Whose joints, shape (k,).
        shares: How much of the way the head goes, beyond what angle that is left to the eyes [rad], and the farthest turn of
            all joints together [rad].
        out: Written.
    """
    neutral, there, (share, free, most) = gaze[2][2], row.copy(), shares
    look(gaze, there, target, (1.0, 0.0, 0.0, 0.0), False, rounds)
    whole, own = np.zeros(3), np.empty(3)
    for k in range(bodies.shape[0]):
        at = turn_at(bodies[k])
        difference(row[at : at + 4], there[at : at + 4], own)
        rotate(row[at : at + 4], own, own)
        rotate(neutral[bodies[k]], own, out[k])
        for axis in range(3):
            whole[axis] += out[k, axis]
    angle = np.sqrt(whole[0] ** 2 + whole[1] ** 2 + whole[2] ** 2)
    turn = min(share * max(angle - free, 0.0), most)
    for k in range(bodies.shape[0]):
        for axis in range(3):
            out[k, axis] *= turn / max(angle, 1e-9)


@njit(cache=True)
def coming(rows, span, share, own, threats, velocity, slow, out):
    """Bring the body's own velocity `own` (3,) up to date, and find what comes of what threatens.

    Args:
        rows: Generalized positions over a tick, shape (n, nq).
        span: Time from the first to the last of them [s].
        share: Of their velocity that goes into `own`.
        own: Of the pelvis [m/s]; written.
        threats: Urgency, infinite for what does not threaten, and the spot each threatens, shape (P,) both.
        velocity: Of the obstacles there [m/s], shape (R, P, 3).
        slow: What is slower against the body does not come, and in the world need not be stopped [m/s].
        out: What comes, and how fast against the body [m/s], 0 of what is slow in the world, shape (P,) both; the first ones
            are written.

    Returns:
        How many come.
    """
    (urgency, spots), (which, speeds) = threats, out
    for axis in range(3):
        own[axis] += share * ((rows[-1, axis] - rows[0, axis]) / span - own[axis])
    count = 0
    for p in range(urgency.shape[0]):
        if np.isfinite(urgency[p]):
            against, world = 0.0, 0.0
            for axis in range(3):
                against += (velocity[spots[p], p, axis] - own[axis]) ** 2
                world += velocity[spots[p], p, axis] ** 2
            against, world = np.sqrt(against), np.sqrt(world)
            if against > slow:
                which[count], speeds[count] = p, against if world > slow else 0.0
                count += 1
    return count
