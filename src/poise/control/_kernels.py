"""Compiled loops: what muscles can do, what keeps a body upright, a bounded drive; plain arrays in, outputs preallocated."""

from __future__ import annotations

import numpy as np

from poise.math._compile import njit
from poise.math._kernels import difference, exponential, product


@njit(cache=True)
def range_angles(coordinate, neutral, out):
    """Swing about x and y and twist about z of a joint coordinate [rad]; whether they are told, as not at half a turn."""
    inverse = (neutral[0], -neutral[1], -neutral[2], -neutral[3])
    q, part = np.empty(4), np.empty(4)
    product(neutral, coordinate, part)
    product(part, inverse, q)
    if q[0] < 0.0:
        for k in range(4):
            q[k] = -q[k]
    size = np.sqrt(q[0] * q[0] + q[3] * q[3])
    if size < 1e-9:
        return False
    twist = 2.0 * np.arctan2(q[3], q[0])
    product(q, (q[0] / size, 0.0, 0.0, -q[3] / size), part)
    sine = np.sqrt(part[1] * part[1] + part[2] * part[2])
    factor = 2.0 if sine < 1e-12 else 2.0 * np.arctan2(sine, part[0]) / sine
    out[0], out[1], out[2] = factor * part[1], factor * part[2], twist
    return True


@njit(cache=True)
def _outside(x, y, lower, upper):
    """How far a swing is outside its limits, squared."""
    return (x - min(max(x, lower[0]), upper[0])) ** 2 + (y - min(max(y, lower[1]), upper[1])) ** 2


@njit(cache=True)
def _clamped(coordinate, neutral, lower, upper, out):
    """Clamp a joint coordinate to its swing and twist limits; returns whether it lay outside.

    An arm raised overhead and on has a swing past pi, which is told as one the other way round: the nearer one counts.
    """
    angles = np.empty(3)
    if not range_angles(coordinate, neutral, angles):
        return False
    x, y, twist = angles[0], angles[1], angles[2]
    swing = np.sqrt(x * x + y * y)
    if swing > 1.0:
        other = 1.0 - 2.0 * np.pi / swing
        if _outside(other * x, other * y, lower, upper) < _outside(x, y, lower, upper):
            x, y = other * x, other * y
    cx, cy = min(max(x, lower[0]), upper[0]), min(max(y, lower[1]), upper[1])
    ct = min(max(twist, lower[2]), upper[2])
    if cx == x and cy == y and ct == twist:
        return False
    inverse = (neutral[0], -neutral[1], -neutral[2], -neutral[3])
    swung, turn, joined, part = np.empty(4), np.empty(4), np.empty(4), np.empty(4)
    exponential((cx, cy, 0.0), swung)
    exponential((0.0, 0.0, ct), turn)
    product(swung, turn, joined)
    product(inverse, joined, part)
    product(part, neutral, out)
    return True


_STOPS_WITHIN = 0.2
"""The stop at the end of a joint's range stiffens over this angle, as ligaments do [rad]."""
_STOPS_WITH = 2.0
"""Torque of a stop at most, in strengths of its muscle: what ligaments bear beside it. Without a bound a joint far beyond its
range is torn back with what no limb bears, and presses whatever is in its way (an arm into a head with 96 kN)."""


@njit(cache=True)
def limit_muscles(active, coordinates, target, ranges, stops, out):
    """Secant stiffness within torque limits, and range stops; see `poise.control.muscles.limit_muscles`.

    Per active joint: the load is capped at the limit, then the stiffness is lowered to the largest k for which |k e + load|
    stays at the limit, e being the way to the last target. Damping goes with the root of the stiffness, a stop's included.
    The applied torque is the load plus what the damper needs to act on the velocity relative to the target's.

    Args:
        active: See there, as are `coordinates` and `stops`.
        coordinates: See there.
        target: The columns of `signals.Target`; rotations are rewritten where a stop acts.
        ranges: Orientations in the neutral pose (joints, 4), lower and upper limits (joints, 3).
        stops: See there.
        out: Stiffness, damping, applied torque, whether the muscle is at its limit, and whether the joint is beyond its range,
            as `MuscleState` has them; written.
    """
    targets, velocity, stiffness, damping, load, limit = target
    neutral, lower, upper = ranges
    out_stiffness, out_damping, out_applied, saturated, beyond = out
    e, stop, joined, inside, turn, moved = np.empty(3), np.empty(3), np.empty(3), np.empty(4), np.empty(4), np.empty(4)
    last, aim = targets.shape[0] - 1, np.empty(4)
    for j in range(coordinates.shape[0]):
        saturated[j] = False
        beyond[j] = False
        if not active[j]:
            out_stiffness[j] = 0.0
            out_damping[j] = 0.0
            for axis in range(3):
                out_applied[j, axis] = 0.0
            continue
        for part in range(4):  # Targets are strided, for which `difference` would be compiled again.
            aim[part] = targets[last, j, part]
        difference(coordinates[j], aim, e)
        size = np.sqrt(load[j, 0] ** 2 + load[j, 1] ** 2 + load[j, 2] ** 2)
        scale = 1.0 if size <= limit[j] else limit[j] / size
        a, b, c = 1e-16, 0.0, -limit[j] * limit[j]
        for axis in range(3):
            carried = load[j, axis] * scale
            out_applied[j, axis] = carried
            a += e[axis] * e[axis]
            b += e[axis] * carried
            c += carried * carried
        largest = max(0.0, (-b + np.sqrt(max(b * b - a * c, 0.0))) / a)
        k = min(stiffness[j], largest)
        saturated[j] = k < stiffness[j] or scale < 1.0
        if _clamped(coordinates[j], neutral[j], lower[j], upper[j], inside):
            beyond[j] = True
            difference(coordinates[j], inside, stop)
            away = np.sqrt(stop[0] ** 2 + stop[1] ** 2 + stop[2] ** 2)
            stopping = stops[j] * min(away / _STOPS_WITHIN, 1.0)
            stopping = min(stopping, _STOPS_WITH * limit[j] / max(away, 1e-9))
            whole = k + stopping
            for axis in range(3):
                joined[axis] = (k * e[axis] + stopping * stop[axis]) / max(whole, 1e-9)
            exponential(joined, turn)
            product(coordinates[j], turn, moved)
            for row in range(targets.shape[0]):
                for part in range(4):
                    targets[row, j, part] = moved[part]
            k = whole
        kd = damping[j] * np.sqrt(max(k / max(stiffness[j], 1e-12), 1e-4))
        for axis in range(3):
            out_applied[j, axis] += kd * velocity[j, axis]
        out_stiffness[j] = k
        out_damping[j] = kd


@njit(cache=True)
def keep_upright(tipping, parents, active, margin, shares, gains, least, raised):
    """See `tension.keep_upright`."""
    stiffness, damping = gains
    least[:] = 0.0
    for j in range(least.shape[0]):
        if not active[j]:
            continue
        own = max(tipping[j + 1], 0.0)
        least[j] += margin * own
        # What tips at a joint leans on all active joints above it, and they on it.
        up = parents[j + 1]
        while up > 0:
            if active[up - 1]:
                least[up - 1] += margin * own
                least[j] += margin * own
            up = parents[up]
    for j in range(least.shape[0]):
        least[j] *= shares[j] * shares[j]
        raised[j] = least[j] > 2.0 * stiffness[j] and stiffness[j] > 0.0
        if least[j] > stiffness[j] and stiffness[j] > 0.0:
            damping[j] *= np.sqrt(least[j] / stiffness[j])
            stiffness[j] = least[j]


@njit(cache=True)
def _bounded(load, error, velocity, speed, drive, applied, damping):
    """One half of a hip wrench: load, spring and damper along three axes; see `poise.control.bounded.hip_wrench`."""
    gains, limit, lead = drive
    size = np.sqrt(error[0] ** 2 + error[1] ** 2 + error[2] ** 2)
    stiffness = gains[0] * (1.0 if size <= lead else lead / size)
    size = np.sqrt(load[0] ** 2 + load[1] ** 2 + load[2] ** 2)
    scale = 1.0 if size <= limit else limit / size
    a, b, c = 1e-16, 0.0, -limit * limit
    for axis in range(3):
        carried = load[axis] * scale
        pull = stiffness * error[axis] + gains[1] * (velocity[axis] - speed[axis])
        a += pull * pull
        b += pull * carried
        c += carried * carried
    share = min(1.0, max(0.0, (-b + np.sqrt(max(b * b - a * c, 0.0))) / a))
    for axis in range(3):
        applied[axis] = load[axis] * scale + share * (stiffness * error[axis] + gains[1] * velocity[axis])
        damping[axis] = share * gains[1]
    return share


@njit(cache=True)
def hip_wrench(drive, now, intended, load, h, applied, damping):
    """See `poise.control.bounded.hip_wrench`."""
    (gains, limits, leads), (place, speed), (target, velocity) = drive, now, intended
    error = np.empty(3)
    for axis in range(3):
        error[axis] = target[axis] - h * velocity[axis] - place[axis]
    force, torque = (gains[0], limits[0], leads[0]), (gains[1], limits[1], leads[1])
    share = _bounded(load[:3], error, velocity[:3], speed[:3], force, applied[:3], damping[:3])
    difference(place[3:], target[3:], error)
    for axis in range(3):
        error[axis] -= h * velocity[3 + axis]
    turned = _bounded(load[3:], error, velocity[3:], speed[3:], torque, applied[3:], damping[3:])
    return min(share, turned)


@njit(cache=True)
def next_targets(before, real, wanted, lead, step, out):
    """From `before`, brought within `lead` of `real`, by at most `step` towards `wanted`; quaternions (joints, 4)."""
    way, turn, start = np.empty(3), np.empty(4), np.empty(4)
    for j in range(before.shape[0]):
        for part in range(4):
            start[part] = before[j, part]
        difference(real[j], before[j], way)
        size = np.sqrt(way[0] ** 2 + way[1] ** 2 + way[2] ** 2)
        if size > lead:
            for axis in range(3):
                way[axis] *= lead / size
            exponential(way, turn)
            product(real[j], turn, start)
        difference(start, wanted[j], way)
        size = np.sqrt(way[0] ** 2 + way[1] ** 2 + way[2] ** 2)
        if size <= step:
            for part in range(4):
                out[j, part] = wanted[j, part]
            continue
        for axis in range(3):
            way[axis] *= step / size
        exponential(way, turn)
        product(start, turn, out[j])


@njit(cache=True)
def tense(stiffness, damping, groups, ratios):
    """See `tension.tense`."""
    for group in range(groups.shape[0]):
        for joint in groups[group]:
            stiffness[joint] *= ratios[group] * ratios[group]
            damping[joint] *= ratios[group]
