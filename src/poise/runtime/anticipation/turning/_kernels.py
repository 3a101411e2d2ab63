"""Compiled loops: how a hand is turned against its forearm, and how an arm follows over a tick; plain arrays in."""

from __future__ import annotations

import numpy as np
from numba import njit

from poise.ik._kernels import from_swing_twist, swing_twist
from poise.math._easing import approached
from poise.math._tuples import (
    add,
    clip,
    conj,
    cross,
    from_rotation_vector,
    length,
    normalized,
    product,
    put,
    quadruple,
    quaternion,
    rotation_vector,
    scale,
    subtract,
    triple,
    write,
)
from poise.runtime.anticipation._kernels import (
    SPIN,
    TURN_GAIN,
    TURN_LEFT,
    TURN_RATE,
    TURNED,
    TWIST,
    UNTIL,
    wrist_of,
)
from poise.runtime.anticipation.trunk._kernels import heading

_TURNS, _TURNS_PLANTED = 0.45, 0.12
"""How long hands take at least to turn to where they shall, and on what is fixed [s]."""


@njit(cache=True, error_model="numpy", forceinline=True)
def _spun(angles, angle):
    """Swings as seen from a frame that is turned back by an angle about the bone."""
    c, s = np.cos(angle), np.sin(angle)
    return (c * angles[0] - s * angles[1], s * angles[0] + c * angles[1], angles[2])


@njit(cache=True, error_model="numpy", forceinline=True)
def _hand_angles(turn, wrist):
    """Swings of the wrist and twist of forearm and wrist together: a forearm that twists takes the wrist's axes along."""
    angles = swing_twist(turn)
    return _spun(angles, clip(angles[2], -wrist, wrist) - angles[2])


@njit(cache=True, error_model="numpy", forceinline=True)
def _from_hand_angles(angles, wrist):
    return from_swing_twist(_spun(angles, angles[2] - clip(angles[2], -wrist, wrist)))


@njit(cache=True, error_model="numpy", forceinline=True)
def _crossed(left, values, first, second):
    """A vector, and shares of its single and double cross product with another."""
    aside = cross(left, values)
    return add(add(values, scale(aside, first)), scale(cross(left, aside), second))


@njit(cache=True, error_model="numpy")
def spinning(left, rate):
    """Angular velocity, in its own frame, of what is turned by a rotation vector that changes at a rate."""
    angle = length(left)
    if angle < 1e-4:
        return rate
    return _crossed(left, rate, (np.cos(angle) - 1.0) / angle**2, (angle - np.sin(angle)) / angle**3)


@njit(cache=True, error_model="numpy")
def changing(left, spin):
    """How a rotation vector changes when what it turns spins: the inverse of `spinning`."""
    angle = length(left)
    if angle < 1e-4:
        return spin
    return _crossed(left, spin, 0.5, 1.0 / angle**2 - 0.5 / (angle * np.tan(0.5 * angle)))


@njit(cache=True, error_model="numpy")
def turn_hand(
    track,
    goal,
    clips,
    below,
    forearm,
    bind,
    neutral,
    ranges,
    wrist,
    palm,
    normal,
    led,
    faces,
    end,
    tick,
    returns,
    begins,
    planted,
    out,
    place,
):
    """How a hand is turned at the end of a tick, in the world, shape (4,), written.

    What it shall be is within what wrist and forearm do with ease; there it turns as a hand moves (`math._easing.approached`).

    Args:
        track: Of this hand, shape (TRACK,).
        goal: How it shall be turned in the end, in the world, shape (4,).
        clips: How the clip has it, joint coordinate, shape (4,).
        below: How the forearm is turned, joint coordinate, shape (4,).
        forearm: The same in the world, shape (4,).
        bind: Of the hand, shape (4,).
        neutral: Of forearm and hand, shape (2, 4).
        ranges: Least and greatest swings of the hand and twist of hand and forearm together, shape (2, 3).
        wrist: Twist that the wrist takes itself [rad].
        palm: The hand as it touches (`hands.Touch`).
        normal: Of what it touches, shape (3,).
        led: Place and turn from `lead_hand`, shape (7,).
        faces: Ahead at the end of the tick, shape (3,).
        end: Time at the end of the tick [s].
        tick: [s].
        returns: Whether it goes back to the clip.
        begins: Whether it begins to now.
        planted: Whether what it touches is fixed.
        out: Written.
        place: Where its joint is, so that it touches all the same as it is turned now [m], shape (3,); written.
    """
    n, m = quaternion(neutral, 1), quaternion(neutral, 0)
    above = product(quadruple(forearm, 0), quadruple(bind, 0))
    aim = product(above, quadruple(clips, 0))
    if not returns:
        twisted = swing_twist(product(product(m, quadruple(below, 0)), conj(m)))[2]
        angles = _hand_angles(product(product(n, product(conj(above), quadruple(goal, 0))), conj(n)), wrist)
        twist = angles[2]
        if abs(twist) > 2.6 and twist * track[TWIST] < 0.0:
            twist = -twist
        wanted = (
            clip(angles[0], ranges[0, 0], ranges[1, 0]),
            clip(angles[1], ranges[0, 1], ranges[1, 1]),
            clip(twist, ranges[0, 2] - twisted, ranges[1, 2] - twisted),
        )
        track[TWIST] = wanted[2]
        aim = normalized(product(above, product(product(conj(n), _from_hand_angles(wanted, wrist)), n)))
    left = triple(track, TURN_LEFT)
    if begins or not returns:
        left = rotation_vector(product(conj(aim), product(heading(faces), quadruple(track, TURNED))))
    duration = max(track[UNTIL] - end + tick, tick if returns else (_TURNS_PLANTED if planted else _TURNS))
    spin = triple(track, SPIN) if begins and not returns else triple(track, TURN_RATE)
    rate, gain = changing(left, spin), changing(left, triple(track, TURN_GAIN))
    left, rate, gain = approached(left, rate, gain, duration, tick)
    write(track, TURN_LEFT, left)
    write(track, TURN_RATE, spinning(left, rate))
    write(track, TURN_GAIN, spinning(left, gain))
    turn = normalized(product(aim, from_rotation_vector(left)))
    write(out, 0, turn)
    now = product(conj(heading(faces)), turn)
    write(track, SPIN, scale(rotation_vector(product(conj(quadruple(track, TURNED)), now)), 1.0 / tick))
    write(track, TURNED, now)
    facing, there = triple(normal, 0), triple(led, 0)
    if not returns:
        there = add(there, subtract(wrist_of(turn, facing, palm), wrist_of(quadruple(led, 3), facing, palm)))
    write(place, 0, there)


@njit(cache=True, error_model="numpy")
def fill_arms(rows, end, arms, busy, last):
    """Turn the arms in the rows of a tick from how far off the clip they were to how far off they shall be, evenly.

    Args:
        rows: The clip in, with the arms' turns out, shape (n, nq).
        end: The last row with the arms where they shall be, shape (nq,).
        arms: Their bodies, shape (2, 3).
        busy: Whether either is led, shape (2,).
        last: How far each joint was turned off the clip's at the end of the last tick, shape (2, 3, 4); overwritten.
    """
    n = rows.shape[0]
    for hand in range(2):
        for k in range(3):
            at = 3 + 4 * arms[hand, k]
            before, now = quaternion(last[hand], k), (1.0, 0.0, 0.0, 0.0)
            if busy[hand]:
                clips = (rows[n - 1, at], rows[n - 1, at + 1], rows[n - 1, at + 2], rows[n - 1, at + 3])
                now = normalized(product(conj(clips), (end[at], end[at + 1], end[at + 2], end[at + 3])))
            elif before == now:
                continue
            step = rotation_vector(product(conj(before), now))
            for i in range(n):
                turn = product(before, from_rotation_vector(scale(step, (i + 1.0) / n)))
                own = (rows[i, at], rows[i, at + 1], rows[i, at + 2], rows[i, at + 3])
                write(rows[i], at, normalized(product(own, turn)))
            put(last[hand], k, now)
