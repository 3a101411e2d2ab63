"""Compiled loop of pairs of muscles; plain arrays in, outputs preallocated."""

from __future__ import annotations

import numpy as np

from poise.control._kernels import range_angles
from poise.math._compile import njit
from poise.math._kernels import exponential, product

_SMALL = 1e-5
"""Turn by which a Jacobian is found [rad]."""
_SOFT = np.radians(10.0)
"""How far beyond the joint's range the ends lie that muscles pull to [rad], as in the authors' code: no target is at one."""


@njit(cache=True)
def _wrapped(angle):
    """An angle [rad] without whole turns."""
    return angle - 2.0 * np.pi * np.rint(angle / (2.0 * np.pi))


@njit(cache=True)
def _jacobian(coordinate, neutral, angles, out):
    """How a joint's angles go with a small turn of its body in the body's own frame, (3, 3); whether they are told."""
    turn, turned, moved = np.empty(4), np.empty(4), np.empty(3)
    for axis in range(3):
        way = np.zeros(3)
        way[axis] = _SMALL
        exponential(way, turn)
        product(coordinate, turn, turned)
        if not range_angles(turned, neutral, moved):
            return False
        for k in range(3):
            out[k, axis] = _wrapped(moved[k] - angles[k]) / _SMALL
    return True


@njit(cache=True)
def _gains(half, least, load, target, ends, out):
    """Eq. 3 for one angle; kL is raised where the other muscle would push or both be too soft. Whether it was doubled."""
    from_low, to_high = target - ends[0], ends[1] - target
    low = max(half, load / from_low, (least * to_high + load) / (from_low + to_high))
    out[0] = low
    out[1] = max(0.0, (low * from_low - load) / to_high)
    return low > 2.0 * half


@njit(cache=True)
def pull_in_pairs(active, coordinates, target, meant, ranges, out):
    """See `pull_in_pairs`."""
    targets, _, stiffness, damping, load, _ = target
    before, least = meant
    neutral, lower, upper = ranges
    low, high, raised = out
    wanted, now, pair = np.empty(3), np.empty(3), np.empty(2)
    there, here = np.empty((3, 3)), np.empty((3, 3))
    turn, pulled, back, moved = np.empty(4), np.empty(4), np.empty(4), np.empty(4)
    inverse = np.empty(4)
    for j in range(coordinates.shape[0]):
        raised[j] = False
        for axis in range(3):
            low[j, axis], high[j, axis] = 0.0, 0.0
        if not active[j]:
            continue
        valid = range_angles(before[j], neutral[j], wanted) and range_angles(coordinates[j], neutral[j], now)
        valid = valid and _jacobian(before[j], neutral[j], wanted, there)
        if not (valid and _jacobian(coordinates[j], neutral[j], now, here)):
            continue
        # What the surroundings exert on each angle where the muscles hold: the load is what muscles carry against it.
        carried = np.linalg.solve(there.T, load[j])
        pull, total = np.zeros(3), np.zeros(3)
        for axis in range(3):
            ends = lower[j, axis] - _SOFT, upper[j, axis] + _SOFT
            at = min(max(wanted[axis], lower[j, axis]), upper[j, axis])
            if _gains(0.5 * stiffness[j], least[j], -carried[axis], at, ends, pair):
                raised[j] = True
            low[j, axis], high[j, axis] = pair[0], pair[1]
            total[axis] = pair[0] + pair[1]
            pull[axis] = total[axis] * _wrapped(wanted[axis] - now[axis])
        # One spring per joint, as stiff as the stiffest of the pairs about any axis, aims at where it pulls as they do.
        whole = 0.0
        for row in range(3):
            size = 0.0
            for column in range(3):
                each = 0.0
                for axis in range(3):
                    each += here[axis, row] * total[axis] * here[axis, column]
                size += abs(each)
            whole = max(whole, size)
        torque = np.zeros(3)
        for row in range(3):
            for axis in range(3):
                torque[row] += here[axis, row] * pull[axis] / whole
        exponential(torque, turn)
        product(coordinates[j], turn, pulled)
        inverse[0] = before[j, 0]
        for k in range(1, 4):
            inverse[k] = -before[j, k]
        product(pulled, inverse, back)
        for row in range(targets.shape[0]):
            product(back, targets[row, j], moved)
            for k in range(4):
                targets[row, j, k] = moved[k]
        damping[j] *= np.sqrt(whole / stiffness[j])
        stiffness[j] = whole
