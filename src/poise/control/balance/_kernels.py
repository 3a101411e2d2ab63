"""Compiled loops of balance: how a body is carried, and what its legs must do; plain arrays in, outputs preallocated."""

from __future__ import annotations

import numpy as np

from poise.body._layout import spin_at, turn_at
from poise.math._compile import njit
from poise.math._kernels import product, rotate

_ROUNDS = 30
"""Most rounds in which centres of pressure and shares of the feet are brought nearer to what is wanted."""
_REACHED = 1e-12
"""Square of the distance that counts as none [m²]."""


@njit(cache=True)
def _cross(a, b, out):
    x = a[1] * b[2] - a[2] * b[1]
    y = a[2] * b[0] - a[0] * b[2]
    z = a[0] * b[1] - a[1] * b[0]
    out[0], out[1], out[2] = x, y, z


@njit(cache=True)
def _into(q, v, out):
    """A vector of the world seen in the frame turned by q."""
    rotate((q[0], -q[1], -q[2], -q[3]), v, out)


@njit(cache=True)
def measure(table, positions, velocities, turns, places, spins, speeds, whole):
    """World frames and velocities of the bodies, and of the whole: centre of mass, its velocity, angular momentum about it.

    Rows of `table`: parent, offset (3), bind rotation (4), mass, centre (3), inertia (9). `positions` (nq), `velocities` (nv).
    Written: `turns` (B, 4), `places`, `spins`, `speeds` (B, 3) in the world, `whole` (3, 3).
    """
    count = table.shape[0]
    local, arm, moved, held = np.empty(4), np.empty(3), np.empty(3), np.empty(3)
    centres, flows = np.empty((count, 3)), np.empty((count, 3))
    whole[:] = 0.0
    total = 0.0
    for body in range(count):
        row = table[body]
        parent = int(row[0])
        if parent < 0:
            product(positions[3:7], row[4:8], turns[body])
            for k in range(3):
                places[body, k], speeds[body, k] = positions[k], velocities[k]
            rotate(turns[body], velocities[3:6], spins[body])
        else:
            product(row[4:8], positions[turn_at(body) : turn_at(body) + 4], local)
            product(turns[parent], local, turns[body])
            rotate(turns[parent], row[1:4], arm)
            _cross(spins[parent], arm, moved)
            rotate(turns[body], velocities[spin_at(body) : spin_at(body) + 3], held)
            for k in range(3):
                places[body, k] = places[parent, k] + arm[k]
                speeds[body, k] = speeds[parent, k] + moved[k]
                spins[body, k] = spins[parent, k] + held[k]
        rotate(turns[body], row[9:12], arm)
        _cross(spins[body], arm, moved)
        total += row[8]
        for k in range(3):
            centres[body, k] = places[body, k] + arm[k]
            flows[body, k] = row[8] * (speeds[body, k] + moved[k])
            whole[0, k] += row[8] * centres[body, k]
            whole[1, k] += flows[body, k]
    for k in range(3):
        whole[0, k] /= total
        whole[1, k] /= total
    for body in range(count):
        row = table[body]
        for k in range(3):
            arm[k] = centres[body, k] - whole[0, k]
        _cross(arm, flows[body], moved)
        _into(turns[body], spins[body], arm)
        for i in range(3):
            held[i] = row[12 + 3 * i] * arm[0] + row[13 + 3 * i] * arm[1] + row[14 + 3 * i] * arm[2]
        rotate(turns[body], held, arm)
        for k in range(3):
            whole[2, k] += moved[k] + arm[k]


@njit(cache=True)
def leg_torques(table, foot, force, moment, point, turns, places, torques):
    """Add the joint torques of the leg above `foot` that stand up to a ground wrench on it, in the children's frames.

    The ground pushes with `force` at `point` and turns by `moment` (3,); rows of `torques` are the bodies below the pelvis.
    """
    arm, about = np.empty(3), np.empty(3)
    body = foot
    while body > 0:
        for k in range(3):
            arm[k] = point[k] - places[body, k]
        _cross(arm, force, about)
        for k in range(3):
            about[k] = -about[k] - moment[k]
        _into(turns[body], about, arm)
        for k in range(3):
            torques[body - 1, k] += arm[k]
        body = int(table[body, 0])


@njit(cache=True)
def _clamped(value, low, high):
    return min(max(value, low), high)


@njit(cache=True)
def spread(wanted, soles, axes, halves, carrying, points, shares):
    """Centre of pressure of each foot for a whole one at `wanted` (2,), and the share of the weight each carries.

    Feet side by side share the weight by where `wanted` is on the line between them. One behind the other they reach less far
    that way than the support polygon does, so points and shares make up what is left in turn. The reach is convex in the share,
    so this ends at the nearest place of the polygon; after `_ROUNDS` it is at most a few millimetres farther.

    Args:
        wanted: Where the whole centre of pressure should be; rewritten to the nearest place where it can be.
        soles: Middle of each sole (2, 2).
        axes: Its direction ahead (2, 2).
        halves: Half length and half width to be used (2, 2).
        carrying: Whether each foot stands (2,).
        points: Written, (2, 2).
        shares: Written, (2,).
    """
    if carrying[0] and carrying[1]:
        dx, dy = soles[0, 0] - soles[1, 0], soles[0, 1] - soles[1, 1]
        along = (wanted[0] - soles[1, 0]) * dx + (wanted[1] - soles[1, 1]) * dy
        shares[0] = _clamped(along / max(dx * dx + dy * dy, 1e-9), 0.02, 0.98)
        shares[1] = 1.0 - shares[0]
    else:
        shares[0] = 1.0 if carrying[0] else 0.0
        shares[1] = 1.0 if carrying[1] else 0.0
    for foot in range(2):
        points[foot, 0], points[foot, 1] = soles[foot, 0], soles[foot, 1]
    for _ in range(_ROUNDS):
        left = wanted - shares[0] * points[0] - shares[1] * points[1]
        if left[0] * left[0] + left[1] * left[1] < _REACHED:
            break
        for foot in range(2):
            if shares[foot] == 0.0:
                continue
            ax, ay = axes[foot, 0], axes[foot, 1]
            x, y = points[foot, 0] + left[0] - soles[foot, 0], points[foot, 1] + left[1] - soles[foot, 1]
            ahead = _clamped(ax * x + ay * y, -halves[foot, 0], halves[foot, 0])
            aside = _clamped(ax * y - ay * x, -halves[foot, 1], halves[foot, 1])
            points[foot, 0] = soles[foot, 0] + ax * ahead - ay * aside
            points[foot, 1] = soles[foot, 1] + ay * ahead + ax * aside
        if carrying[0] and carrying[1]:
            left = wanted - shares[0] * points[0] - shares[1] * points[1]
            dx, dy = points[0, 0] - points[1, 0], points[0, 1] - points[1, 1]
            gain = (left[0] * dx + left[1] * dy) / max(dx * dx + dy * dy, 1e-9)
            shares[0] = _clamped(shares[0] + gain, 0.02, 0.98)
            shares[1] = 1.0 - shares[0]
    for axis in range(2):
        wanted[axis] = shares[0] * points[0, axis] + shares[1] * points[1, axis]


@njit(cache=True)
def published(ahead, gains, goal, carried, turns, torques):
    """The paper's law for one body: torques of hips and ankles, in their own frames, that pull its centre of mass to a place.

    Args:
        ahead: Forward in the frame of the left and of the right foot, (2, 3).
        gains: Spring [N m/m] and damper [N m s/m] of the pull, and how much of it hips and ankles get, (4,).
        goal: Where the centre of mass shall be, horizontal [m], (2,).
        carried: Centre of mass [m] and its velocity [m/s], (2, 3).
        turns: Of the thigh and the foot of the left and the right leg in the world, (2, 2, 4).
        torques: Of the same joints [N m], (2, 2, 3); written.
    """
    x, y, arm = 0.0, 0.0, np.empty(3)
    for side in range(2):
        rotate(turns[side, 1], ahead[side], arm)
        length = np.sqrt(arm[0] * arm[0] + arm[1] * arm[1]) + 1e-12
        x, y = x + arm[0] / length, y + arm[1] / length
    length = np.sqrt(x * x + y * y) + 1e-12
    x, y = x / length, y / length
    pull_x = gains[0] * (goal[0] - carried[0, 0]) - gains[1] * carried[1, 0]
    pull_y = gains[0] * (goal[1] - carried[0, 1]) - gains[1] * carried[1, 1]
    along, across = pull_x * x + pull_y * y, pull_y * x - pull_x * y
    arm[2] = 0.0
    for side in range(2):
        # About the left axis (-y, x) for what is ahead, about the forward axis (x, y) for what is aside.
        arm[0], arm[1] = gains[2] * (along * y - across * x), -gains[2] * (along * x + across * y)
        _into(turns[side, 0], arm, torques[side, 0])
        arm[0], arm[1] = gains[3] * (along * y + across * x), gains[3] * (across * y - along * x)
        _into(turns[side, 1], arm, torques[side, 1])


@njit(cache=True)
def published_rows(feet, gains, beyond, carried, turns, lost, torques):
    """`published` for many bodies, each held over its own feet, until it is beyond help.

    Args:
        feet: Forward in the frame of each foot, and from its ankle to where it is stood on, each (2, 3).
        gains: See `published`.
        beyond: Where a centre of mass is this far from where it shall be, the law lets go for good [m].
        carried: Places of the ankles, centre of mass [m] and its velocity [m/s], (N, 4, 3).
        turns: See `published`, (N, 2, 2, 4).
        lost: Whose law has let go, (N,); written.
        torques: See `published`, (N, 2, 2, 3); written.
    """
    ahead, stood = feet
    goal, arm = np.empty(2), np.empty(3)
    for row in range(carried.shape[0]):
        goal[0], goal[1] = 0.0, 0.0
        for side in range(2):
            rotate(turns[row, side, 1], stood[side], arm)
            for axis in range(2):
                goal[axis] += 0.5 * (carried[row, side, axis] + arm[axis])
        away = (goal[0] - carried[row, 2, 0]) ** 2 + (goal[1] - carried[row, 2, 1]) ** 2
        lost[row] = lost[row] or away > beyond * beyond
        if lost[row]:
            torques[row] = 0.0
        else:
            published(ahead, gains, goal, carried[row, 2:], turns[row], torques[row])
