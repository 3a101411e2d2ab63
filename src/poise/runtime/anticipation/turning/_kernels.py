"""Compiled loops: how a hand is turned against its forearm, and how an arm follows over a tick; plain arrays in."""

from __future__ import annotations

import numpy as np
from numba import njit

from poise.ik._kernels import from_swing_twist, swing_twist
from poise.math._easing import settled
from poise.math._tuples import (
    add,
    clip,
    conj,
    from_rotation_vector,
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
    ANGLE_RATES,
    ANGLES,
    ANGLES_BEFORE,
    DURATION,
    START,
    wrist_of,
)

_TURNS, _TURNS_PLANTED = 14.0, 30.0
"""How quickly hands turn to where they shall, and on what is fixed [1/s]."""


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
    end,
    tick,
    returns,
    planted,
    out,
    place,
):
    """How a hand is turned at the end of a tick, in the world, shape (4,), written.

    It goes from how it was turned against the forearm to how it shall be, joint angle by joint angle, and so never the wrong
    way round; the twist is within what forearm and wrist have together.

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
        end: Time at the end of the tick [s].
        tick: [s].
        returns: Whether it goes back to the clip.
        planted: Whether what it touches is fixed.
        out: Written.
        place: Where its joint is, so that it touches all the same as it is turned now [m], shape (3,); written.
    """
    n, m = quaternion(neutral, 1), quaternion(neutral, 0)
    above = product(quadruple(forearm, 0), quadruple(bind, 0))
    own = _hand_angles(product(product(n, quadruple(clips, 0)), conj(n)), wrist)
    twisted = swing_twist(product(product(m, quadruple(below, 0)), conj(m)))[2]
    wanted = own
    if not returns:
        angles = _hand_angles(product(product(n, product(conj(above), quadruple(goal, 0))), conj(n)), wrist)
        twist = angles[2]
        if abs(twist) > 2.6 and twist * track[ANGLES + 2] < 0.0:
            twist = -twist
        wanted = (
            clip(angles[0], ranges[0, 0], ranges[1, 0]),
            clip(angles[1], ranges[0, 1], ranges[1, 1]),
            clip(twist, ranges[0, 2] - twisted, ranges[1, 2] - twisted),
        )
    s = clip((end - track[START]) / track[DURATION], 0.0, 1.0)
    left = 1.0 + s**3 * (-10.0 + s * (15.0 - 6.0 * s))
    aim = add(wanted, scale(subtract(triple(track, ANGLES_BEFORE), wanted), left))
    error = subtract(triple(track, ANGLES), aim)
    error, rate = settled(error, triple(track, ANGLE_RATES), _TURNS_PLANTED if planted else _TURNS, tick)
    angles = add(aim, error)
    write(track, ANGLES, angles)
    write(track, ANGLE_RATES, rate)
    turn = normalized(product(above, product(product(conj(n), _from_hand_angles(angles, wrist)), n)))
    write(out, 0, turn)
    facing, there = triple(normal, 0), triple(led, 0)
    if not returns:
        there = add(there, subtract(wrist_of(turn, facing, palm), wrist_of(quadruple(led, 3), facing, palm)))
    write(place, 0, there)


@njit(cache=True, error_model="numpy")
def rest_hand(track, clips, neutral, wrist):
    """Take note of how the clip turns a hand that is not led."""
    n = quadruple(neutral, 0)
    angles = _hand_angles(product(product(n, quadruple(clips, 0)), conj(n)), wrist)
    write(track, ANGLES, angles)
    write(track, ANGLE_RATES, (0.0, 0.0, 0.0))


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
