"""Compiled damped least squares (Levenberg-Marquardt) on the swing and twist angles of a tree of bodies.

Limits are a box in these angles, so they are kept by an active set: an angle that would leave the box is put on its side
and taken out of the step. FABRIK finds the way round; close to the goal, where limits slow it down, this converges in a step
or two.
"""

from __future__ import annotations

import numpy as np

from poise.body._layout import turn_at
from poise.ik._kernels import below, from_swing_twist, place, put_at, squared_miss, swing_twist
from poise.math._compile import njit
from poise.math._tuples import clip, conj, cross, normalized, product, quaternion, scale, subtract, turned, vector

_DIFFERENCE = 1e-6
_DAMPING = 1e-5
"""Added to the squares of the lever arms [m²], at first."""
_FURTHEST = 0.3
"""No angle changes by more in a step [rad]."""
_WORTH = 0.9
"""A step counts that leaves at most this share of the squared miss: where limits hold a spine back it does not buckle by and
by to gain a little."""
_ASIDE = 1e-5
"""An angle is left alone that moves the ends all but across what is missing: a spine does not buckle to gain a little."""
_TRIES = 4


@njit(cache=True, error_model="numpy")
def linearize(tree, model, pose, asked, angles, arms):
    """Angles of each node (3 per node) and how each moves the ends, (3 per end, 3 per node), weighted; zero for those fixed."""
    bodies, above = tree
    neutral, bind = model[2], model[1]
    row, turns, places = pose
    ends, _, weights, _, turn_weights = asked
    arms[:] = 0.0
    for k in range(1, bodies.shape[0]):
        n, slot = quaternion(neutral, bodies[k]), turn_at(bodies[k])
        held = (row[slot], row[slot + 1], row[slot + 2], row[slot + 3])
        own = swing_twist(product(product(n, held), conj(n)))
        frame = product(product(quaternion(turns, above[k]), quaternion(bind, bodies[k])), conj(n))
        here = conj(from_swing_twist(own))
        for axis in range(3):
            angles[3 * k + axis] = own[axis]
        ended = False
        for e in range(ends.shape[0]):
            ended = ended or (ends[e] == k and turn_weights[e] > 0.0)
        if ended:
            continue
        for axis in range(3):
            moved = (
                own[0] + (_DIFFERENCE if axis == 0 else 0.0),
                own[1] + (_DIFFERENCE if axis == 1 else 0.0),
                own[2] + (_DIFFERENCE if axis == 2 else 0.0),
            )
            step = product(from_swing_twist(moved), here)
            turn = turned(frame, scale((step[1], step[2], step[3]), 2.0 / _DIFFERENCE))
            for e in range(ends.shape[0]):
                if weights[e] > 0.0 and ends[e] != k and below(above, k, ends[e]):
                    arm = cross(turn, subtract(vector(places, ends[e]), vector(places, k)))
                    for i in range(3):
                        arms[3 * e + i, 3 * k + axis] = np.sqrt(weights[e]) * arm[i]


@njit(cache=True, error_model="numpy")
def solve_small(matrix, right):
    """Solve a small symmetric positive definite system in place (Cholesky); the solution is in `right`."""
    count = right.shape[0]
    for i in range(count):
        for j in range(i + 1):
            rest = matrix[i, j]
            for k in range(j):
                rest -= matrix[i, k] * matrix[j, k]
            matrix[i, j] = np.sqrt(max(rest, 1e-30)) if i == j else rest / matrix[j, j]
    for i in range(count):
        for k in range(i):
            right[i] -= matrix[i, k] * right[k]
        right[i] /= matrix[i, i]
    for i in range(count - 1, -1, -1):
        for k in range(i + 1, count):
            right[i] -= matrix[k, i] * right[k]
        right[i] /= matrix[i, i]


@njit(cache=True, error_model="numpy")
def bounded_step(arms, miss, angles, low, high, damping, free, step):
    """Step of the angles that takes `miss` away, the least one, inside the box."""
    rows, columns = arms.shape
    rest, matrix, right = miss.copy(), np.empty((rows, rows)), np.empty(rows)
    step[:] = 0.0
    far = np.sqrt(np.sum(miss * miss))
    for i in range(columns):
        pull, arm = 0.0, 0.0
        for r in range(rows):
            pull += arms[r, i] * rest[r]
            arm += arms[r, i] * arms[r, i]
        if abs(pull) < _ASIDE * np.sqrt(arm) * far:
            pull = 0.0
        stuck = (pull > 0.0 and angles[i] >= high[i] - 1e-9) or (pull < 0.0 and angles[i] <= low[i] + 1e-9)
        free[i] = pull != 0.0 and not stuck
    for _ in range(4):
        for r in range(rows):
            right[r] = rest[r]
        for r in range(rows):
            for s in range(r + 1):
                total = damping if r == s else 0.0
                for i in range(columns):
                    if free[i]:
                        total += arms[r, i] * arms[s, i]
                matrix[r, s] = total
        solve_small(matrix, right)
        outside = False
        for i in range(columns):
            if free[i]:
                step[i] = 0.0
                for r in range(rows):
                    step[i] += arms[r, i] * right[r]
                inside = clip(angles[i] + step[i], low[i], high[i]) - angles[i]
                if inside != step[i]:
                    step[i], free[i], outside = inside, False, True
                    for r in range(rows):
                        rest[r] -= arms[r, i] * inside
        if not outside:
            return


@njit(cache=True, error_model="numpy")
def put_angles(tree, model, angles, step, low, high, size, pose):
    """Write the angles after a step, held inside the box, into the pose, and where that puts the nodes."""
    row, turns, places = pose
    bodies = tree[0]
    for k in range(1, bodies.shape[0]):
        i, n = 3 * k, quaternion(model[2], bodies[k])
        if step[i] == 0.0 and step[i + 1] == 0.0 and step[i + 2] == 0.0:
            continue
        moved = (
            clip(angles[i] + size * step[i], low[i], high[i]),
            clip(angles[i + 1] + size * step[i + 1], low[i + 1], high[i + 1]),
            clip(angles[i + 2] + size * step[i + 2], low[i + 2], high[i + 2]),
        )
        put_at(row, bodies[k], normalized(product(product(conj(n), from_swing_twist(moved)), n)))
    place(tree, model[0], model[1], row, turns, places)


@njit(cache=True, error_model="numpy")
def polish(tree, model, pose, asked, steps):
    """Up to `steps` damped steps of all joints at once; never gets worse. Takes `ik._kernels.Pose` and `Ends`."""
    bodies = tree[0]
    row, turns, places = pose
    ends, goals, weights, _, _ = asked
    rows, columns = 3 * ends.shape[0], 3 * bodies.shape[0]
    angles, step, free = np.zeros(columns), np.zeros(columns), np.zeros(columns, np.bool_)
    arms, miss, low, high = np.zeros((rows, columns)), np.zeros(rows), np.zeros(columns), np.zeros(columns)
    before = row.copy()
    damping = _DAMPING
    for _ in range(steps):
        total = squared_miss(places, ends, goals, weights)
        linearize(tree, model, pose, asked, angles, arms)
        for k in range(1, bodies.shape[0]):
            for axis in range(3):
                # What lies outside already (a swing past pi is read the other way round) may stay.
                low[3 * k + axis] = min(model[3][bodies[k], axis], angles[3 * k + axis])
                high[3 * k + axis] = max(model[4][bodies[k], axis], angles[3 * k + axis])
        for e in range(ends.shape[0]):
            away = scale(subtract(vector(goals, e), vector(places, ends[e])), np.sqrt(weights[e]))
            for i in range(3):
                miss[3 * e + i] = away[i] if weights[e] > 0.0 else 0.0
        for k in range(row.shape[0]):
            before[k] = row[k]
        better = False
        for _ in range(_TRIES):
            bounded_step(arms, miss, angles, low, high, damping, free, step)
            size = min(1.0, _FURTHEST / max(np.abs(step).max(), 1e-12))
            put_angles(tree, model, angles, step, low, high, size, pose)
            if squared_miss(places, ends, goals, weights) < _WORTH * total:
                better = True
                damping = 0.1 * damping
                break
            for k in range(row.shape[0]):
                row[k] = before[k]
            damping *= 30.0
        if not better:
            place(tree, model[0], model[1], row, turns, places)
            return
