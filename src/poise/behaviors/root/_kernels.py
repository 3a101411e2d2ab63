"""Compiled loops of the compliant root; plain arrays in, outputs preallocated."""

from __future__ import annotations

import numpy as np

from poise.body._layout import spin_at, turn_at
from poise.control.root._kernels import root_wrench
from poise.ik.limbs._kernels import solve_limbs
from poise.math._compile import njit
from poise.math._easing import approached
from poise.math._kernels import difference, exponential, product, rotate
from poise.math._tuples import add, cross, length, subtract, vector

SLACK = 1e-6
"""Who is farther than this beyond reach [m] of a whole body is out of reach of each of its parts, rounding included."""


@njit(cache=True)
def is_within(places, own, others, reach):
    """Whether one of the bodies `others` is nearer than `reach` [m] to one of `own`; `places` (N, 3) of all bodies."""
    middle, largest = places[own[0]], 0.0
    for body in own:
        largest = max(largest, squared_distance(places[body], middle))
    around = (reach + np.sqrt(largest) + SLACK) ** 2
    for other in others:
        if squared_distance(places[other], middle) < around:
            for body in own:
                if squared_distance(places[body], places[other]) < reach**2:
                    return True
    return False


@njit(cache=True)
def squared_distance(one, other):
    """Between two places (3,) [m²]."""
    x, y, z = one[0] - other[0], one[1] - other[1], one[2] - other[2]
    return x * x + y * y + z * z


@njit(cache=True)
def planar_offset(clip, real, neutral, away, heading):
    """How far a real root is from the clip's in the plane and about the vertical, and where it faces."""
    turn, own, forward = np.empty(4), np.empty(4), np.empty(3)
    for k in range(4):  # `real` may be read-only, for which `product` would be compiled again.
        own[k] = real[3 + k]
    product(own, (clip[3], -clip[4], -clip[5], -clip[6]), turn)
    yaw = 2.0 * np.arctan2(turn[3], turn[0])
    away[0], away[1], away[2] = real[0] - clip[0], real[1] - clip[1], (yaw + np.pi) % (2.0 * np.pi) - np.pi
    product(own, (neutral[0], -neutral[1], -neutral[2], -neutral[3]), turn)
    rotate(turn, (1.0, 0.0, 0.0), forward)
    size = np.sqrt(forward[0] ** 2 + forward[1] ** 2)
    if size > 1e-3:
        heading[0], heading[1] = forward[0] / size, forward[1] / size


@njit(cache=True)
def carry(motion, rows, turned):
    """Carry roots, rows (n, 7), by a motion of the plane (x, y, yaw); `turned` (n, 7) is written."""
    c, s = np.cos(motion[2]), np.sin(motion[2])
    turn = (np.cos(0.5 * motion[2]), 0.0, 0.0, np.sin(0.5 * motion[2]))
    for row in range(rows.shape[0]):
        x, y = rows[row, 0], rows[row, 1]
        turned[row, 0], turned[row, 1] = c * x - s * y + motion[0], s * x + c * y + motion[1]
        turned[row, 2] = rows[row, 2]
        product(turn, rows[row, 3:7], turned[row, 3:7])


@njit(cache=True)
def intend(clip, start, end, before, speed, h, out):
    """The intended root: the clip's, carried by a motion of the plane and raised, (x, y, yaw, height), from `start` to `end`.

    Args:
        clip: The clip's root at the end of each substep, shape (n, 7).
        start: Motion at the tick's beginning.
        end: At its end.
        before: The intended root at the tick's beginning, shape (7,); written: at its end.
        speed: Its mean velocity over the substep before, shape (6,); written: over the last one.
        h: Length of a substep [s].
        out: Intended root at each substep's end (n, 7); at its beginning (n, 7); velocity before it (n, 6); acceleration (n,
            6).
    """
    ends, targets, speeds, rates = out
    count, turn = clip.shape[0], np.empty(3)
    one, two = np.empty((1, 7)), np.empty((1, 7))
    for row in range(count):
        share = (row + 1.0) / count
        carry(start[:3], clip[row : row + 1], one)
        carry(end[:3], clip[row : row + 1], two)
        for axis in range(3):
            ends[row, axis] = one[0, axis] + share * (two[0, axis] - one[0, axis])
        ends[row, 2] += start[3] + share * (end[3] - start[3])
        yaw = start[2] + share * (end[2] - start[2])
        product((np.cos(0.5 * yaw), 0.0, 0.0, np.sin(0.5 * yaw)), clip[row, 3:7], ends[row, 3:7])
        for axis in range(7):
            targets[row, axis] = before[axis]
        for axis in range(6):
            speeds[row, axis] = speed[axis]
        for axis in range(3):
            speed[axis] = (ends[row, axis] - before[axis]) / h
        difference(before[3:7], ends[row, 3:7], turn)
        for axis in range(3):
            speed[3 + axis] = turn[axis] / h
        for axis in range(6):
            rates[row, axis] = (speed[axis] - speeds[row, axis]) / h
        for axis in range(7):
            before[axis] = ends[row, axis]


@njit(cache=True)
def bear(number, own, aims, pelvis, clip, legs, settings):
    """What carries a root that yields over one substep: the wrench on its pelvis, and legs led to carry it.

    Args:
        number: Of the substep in its tick.
        own: Generalized positions (nq,), velocities (nv,), forces (nv,), added to, and damping (nv,), written.
        aims: Intended root at each substep's beginning (n, 7), velocity before it (n, 6) and acceleration (n, 6).
        pelvis: What the motion needs at each substep (n, 6), leaning (2,), gains as in `root_wrench`, and room for the wrench
            (6,) and its damper (3,).
        clip: The clip's poses at the ends of the substeps, shape (n, nq).
        legs: The legs' bodies and how they are turned beside each substep's pose (n, m, 3); columns of the pose between pelvis
            and legs; each substep's goals, their turns, poles and weights; the legs' body, inverse kinematics' settings, memory
            and errors; room for a row (1, nq), the legs' forces and dampers (m, 3); and their muscles, see `lead_legs`.
        settings: Length of the substep [s] and rotor inertia of legs.
    """
    (place, speed, applied, damping), (targets, speeds, rates), (feeds, lean, gains, wrench, spin) = own, aims, pelvis
    (bodies, beside, carriers), (goals, turns, poles, weights), (compiled, options, memory, errors), room, muscles = (
        legs
    )
    row, forces, dampers = room
    root_wrench((place[:7], speed[:6]), (targets[number], speeds[number]), feeds[number], lean, gains, wrench, spin)
    for axis in range(6):
        applied[axis] += wrench[axis]
    for axis in range(3):
        damping[3 + axis] = spin[axis]
    for column in range(row.shape[1]):
        row[0, column] = clip[number, column]
    for column in carriers:
        row[0, column] = place[column]
    ik = (compiled, options, (goals[number], turns[number], poles, weights), memory, errors)
    lead_legs((place, speed), rates[number], settings, row, (bodies, beside[number]), ik, muscles, (forces, dampers))
    for k in range(bodies.shape[0]):
        for axis in range(3):
            applied[spin_at(bodies[k]) + axis] = forces[k, axis]
            damping[spin_at(bodies[k]) + axis] = dampers[k, axis]


@njit(cache=True)
def lead_legs(state, rate, settings, row, led, ik, muscles, out):
    """Forces that bring legs, over one substep, to where they carry the predicted root from their feet.

    The root is predicted by the *intended* acceleration `rate`: the real one would come a substep late and run away.

    Args:
        state: Generalized positions (nq,) and velocities (nv,) of the character now.
        rate: Intended acceleration of the root, shape (6,).
        settings: Length of the substep [s] and rotor inertia of legs.
        row: The clip's pose, shape (1, nq); changed.
        led: The legs' bodies, shape (n,), and rotation vectors by which their joints are turned beside that, shape (n, 3).
        ik: What `solve_limbs` is given beside the row: body, settings, goals, memory and errors.
        muscles: Of legs that yield: inertia (0 where a joint does not), stiffness, damping and largest torques of each joint,
            to get back to its way and to go along with it, and how far from it it does not [rad], shape (n, 6); and where the
            joints were led to last and how fast, shape (n, 7), written.
        out: On the legs' joints, force and coefficient of a damper that the world takes implicitly, shape (n, 3) both; written.
    """
    (place, speed), (bodies, beside), (compiled, options, goals, memory, errors) = state, led, ik
    (h, armature), (strengths, ways), (forces, dampers) = settings, muscles, out
    turn, moved, aim = np.empty(3), np.empty(4), np.empty(4)
    for axis in range(3):
        row[0, axis] = place[axis] + h * (speed[axis] + h * rate[axis])
        turn[axis] = h * (speed[3 + axis] + h * rate[3 + axis])
    exponential(turn, moved)
    product(place[3:7], moved, row[0, 3:7])
    solve_limbs(compiled, options, goals, memory, row, errors)
    for k in range(bodies.shape[0]):
        at, v = turn_at(bodies[k]), spin_at(bodies[k])
        exponential(beside[k], moved)
        product(row[0, at : at + 4], moved, aim)
        difference(place[at : at + 4], aim, turn)
        if strengths[k, 0] > 0.0:
            _pull(turn, speed[v : v + 3], aim, h, strengths[k], ways[k], (forces[k], dampers[k]))
        else:
            for axis in range(3):
                forces[k, axis] = armature * (turn[axis] / h - speed[v + axis]) / h
                dampers[k, axis] = 0.0
        for part in range(4):
            ways[k, part] = aim[part]


@njit(cache=True)
def _pull(away, speed, aim, h, strength, way, out):
    """What a joint's muscles do that leads a leg which yields: its way's own motion, a spring and a damper, each bounded.

    The farther a joint is from its way the less it goes along with that: it would be flung about. See `lead_legs`.
    """
    (inertia, stiffness, damping, most, own, apart), (force, damper) = strength, out
    spin, meant, pull, slow = np.empty(3), np.empty(3), np.empty(3), np.empty(3)
    difference(way[:4], aim, spin)
    along = max(0.0, 1.0 - np.sqrt(away[0] ** 2 + away[1] ** 2 + away[2] ** 2) / apart)
    needed, pulled, slowed = 0.0, 0.0, 0.0
    for axis in range(3):
        spin[axis] /= h
        meant[axis] = along * inertia * (spin[axis] - way[4 + axis]) / h
        pull[axis], slow[axis] = stiffness * away[axis], damping * (along * spin[axis] - speed[axis])
        needed, pulled, slowed = needed + meant[axis] ** 2, pulled + pull[axis] ** 2, slowed + slow[axis] ** 2
        way[4 + axis] = spin[axis]
    feed, hold = min(1.0, own / max(np.sqrt(needed), 1e-9)), min(1.0, most / max(np.sqrt(pulled), 1e-9))
    slows = min(1.0, own / max(np.sqrt(slowed), 1e-9))
    for axis in range(3):
        damper[axis] = slows * damping
        force[axis] = feed * meant[axis] + hold * pull[axis] + slows * damping * along * spin[axis]


@njit(cache=True)
def turn_feet(rotations, feet, yaw, flat, neutral, out):
    """Orientation of the feet's goals at each substep: the clip's, turned by `yaw`, their soles level by the share `flat`.

    Args:
        rotations: The clip's orientation of each body, shape (n, B, 4).
        feet: The two feet, shape (2,).
        yaw: Shape (n, 2) [rad].
        flat: Shape (n, 2).
        neutral: Orientation of each body in the neutral pose, shape (B, 4).
        out: Shape (n, 1, 2, 4); written.
    """
    for foot in range(2):
        _turn_foot(rotations, feet[foot], foot, yaw, flat, neutral[feet[foot]], out)


@njit(cache=True)
def _turn_foot(rotations, body, foot, yaw, flat, level, out):
    """See `turn_feet`; the foot's body, which foot it is, and its neutral orientation (4,)."""
    turn, aim, way, part = np.empty(4), np.empty(4), np.empty(3), np.empty(4)
    for row in range(rotations.shape[0]):
        own = rotations[row, body]
        for axis in range(4):
            part[axis] = own[axis]
        if flat[row, foot] > 0.0:
            product(own, (level[0], -level[1], -level[2], -level[3]), turn)
            # The turn about the vertical: a foot that swings may be pitched by more than a right angle.
            angle = 2.0 * np.arctan2(turn[3], turn[0])
            product((np.cos(0.5 * angle), 0.0, 0.0, np.sin(0.5 * angle)), level, aim)
            difference(own, aim, way)
            for axis in range(3):
                way[axis] *= flat[row, foot]
            exponential(way, turn)
            product(own, turn, part)
        half = 0.5 * yaw[row, foot]
        product((np.cos(half), 0.0, 0.0, np.sin(half)), part, out[row, 0, foot])


@njit(cache=True)
def relax(rows, bodies, rest, neutral, shares):
    """Turn joints towards a pose of rest and the pelvis upright, by a share at each substep.

    Args:
        rows: Generalized positions, shape (n, nq); written.
        bodies: Whose joints, shape (m,).
        rest: Pose of rest, shape (nq,).
        neutral: Orientation of the upright pelvis, shape (4,).
        shares: Shape (n,).
    """
    way, turn, moved, aim, forward = np.empty(3), np.empty(4), np.empty(4), np.empty(4), np.empty(3)
    for row in range(rows.shape[0]):
        for k in range(bodies.shape[0] + 1):
            at = 3 if k == bodies.shape[0] else turn_at(bodies[k])
            for part in range(4):
                aim[part] = rest[at + part]
            if at == 3:
                product(rows[row, 3:7], (neutral[0], -neutral[1], -neutral[2], -neutral[3]), turn)
                rotate(turn, (1.0, 0.0, 0.0), forward)
                half = 0.5 * np.arctan2(forward[1], forward[0])
                product((np.cos(half), 0.0, 0.0, np.sin(half)), neutral, aim)
            difference(rows[row, at : at + 4], aim, way)
            for axis in range(3):
                way[axis] *= shares[row]
            exponential(way, turn)
            product(rows[row, at : at + 4], turn, moved)
            for part in range(4):
                rows[row, at + part] = moved[part]


@njit(cache=True)
def apart(here, meant, then, velocities, bodies, h, away, speed):
    """How far a pelvis (row 0) and joints are from their motion, and how fast that changes.

    Args:
        here: Generalized positions now, shape (nq,).
        meant: Those of the motion now.
        then: Those of the motion a substep later.
        velocities: Generalized velocities now, shape (nv,).
        bodies: Whose joints these are, 0 for the pelvis' orientation, shape (n,).
        h: Length of a substep [s].
        away: From the motion [m], then rotation vectors [rad], shape (1 + n, 3); written.
        speed: [m/s, rad/s]; written.
    """
    turn, own, moved, later = np.empty(4), np.empty(4), np.empty(4), np.empty(3)
    for k in range(3):
        away[0, k] = here[k] - meant[k]
        speed[0, k] = velocities[k] - (then[k] - meant[k]) / h
    for n in range(bodies.shape[0]):
        at, w = turn_at(bodies[n]), spin_at(bodies[n])
        for k in range(4):  # As above.
            own[k] = here[at + k]
        difference(meant[at : at + 4], own, away[n + 1])
        exponential((h * velocities[w], h * velocities[w + 1], h * velocities[w + 2]), turn)
        product(own, turn, moved)
        difference(then[at : at + 4], moved, later)
        for k in range(3):
            speed[n + 1, k] = (later[k] - away[n + 1, k]) / h


@njit(cache=True)
def rests(away, speed, within):
    """Whether a pelvis (row 0) and joints are so near to their motion, and move so little beside it; see `apart`."""
    for part, (place, turn) in ((away, within[0]), (speed, within[1])):
        for row in range(part.shape[0]):
            most = place if row == 0 else turn
            for axis in range(3):
                if not abs(part[row, axis]) < most:
                    return False
    return True


@njit(cache=True)
def come_back(rows, bodies, away, speed, times, lasts):
    """Let what keeps a pelvis and joints from their motion shrink to nothing: a quintic, C1 at its start, C2 at its end.

    Args:
        rows: Generalized positions at the times, shape (T, nq); written.
        bodies: See `apart`.
        away: See `apart`.
        speed: See `apart`.
        times: Since the return began, shape (T,) [s].
        lasts: How long it takes [s].
    """
    turn, moved, none = np.empty(4), np.empty(4), (0.0, 0.0, 0.0)
    for t in range(times.shape[0]):
        left, _, _ = approached(vector(away, 0), vector(speed, 0), none, lasts, times[t])
        for k in range(3):
            rows[t, k] += left[k]
        for n in range(bodies.shape[0]):
            at = turn_at(bodies[n])
            left, _, _ = approached(vector(away, n + 1), vector(speed, n + 1), none, lasts, times[t])
            exponential(left, turn)
            product(rows[t, at : at + 4], turn, moved)
            for part in range(4):
                rows[t, at + part] = moved[part]


@njit(cache=True)
def add_rest(turns, rows, away, speed, times, lasts):
    """Add what is left at some times of how far joints were from where they are led; see `come_back`.

    Args:
        turns: Rotation vectors at the times [rad], shape (T, n, 3); added to.
        rows: Of which joints, shape (m,).
        away: See `come_back`, without a pelvis, shape (n, 3).
        speed: Likewise.
        times: Since the return began, shape (T,) [s].
        lasts: How long it takes [s].
    """
    for t in range(times.shape[0]):
        for n in rows:
            left, _, _ = approached(vector(away, n), vector(speed, n), (0.0, 0.0, 0.0), lasts, times[t])
            for axis in range(3):
                turns[t, n, axis] += left[axis]


@njit(cache=True)
def leg_reaches(spots, moving, reach, places, reaches):
    """Where joints are, and how near to each of them something is near.

    Args:
        spots: Their bodies, shape (n,).
        moving: Roots, places and twists of all bodies, and what the twists are about (`poise.world.view.Bodies`).
        reach: How near that is to what stands still [m], and in what time it would be there [s].
        places: Shape (n, 3); written.
        reaches: Shape (n,); written.
    """
    roots, positions, twists, centers = moving
    for n in range(spots.shape[0]):
        body = spots[n]
        place, twist = vector(positions, body), twists[body]
        arm = subtract(place, vector(centers, roots[body]))
        speed = add((twist[3], twist[4], twist[5]), cross((twist[0], twist[1], twist[2]), arm))
        for axis in range(3):
            places[n, axis] = place[axis]
        reaches[n] = reach[0] + reach[1] * length(speed)


@njit(cache=True)
def mark_close(places, spots, others, reaches, close):
    """Mark bodies `spots` (n,) that one of `others` is nearer to than `reaches` (n,) [m]; `places` (N, 3) of all bodies."""
    for n in range(spots.shape[0]):
        for other in others:
            if squared_distance(places[spots[n]], places[other]) < reaches[n] ** 2:
                close[n] = True
