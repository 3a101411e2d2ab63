"""Compiled loops: how a hand is turned against its forearm; plain arrays in."""

from __future__ import annotations

import numpy as np

from poise.behaviors.hands._kernels import wrist_of
from poise.behaviors.hands.columns import (
    HELD,
    KIND,
    LED,
    LED_TURN,
    SPIN,
    TURN_GAIN,
    TURN_LEFT,
    TURN_RATE,
    TURNED,
    TWIST,
    UNTIL,
    YIELDS,
)
from poise.behaviors.hands.trunk._kernels import heading
from poise.ik._kernels import from_swing_twist, swing_twist
from poise.math._compile import njit
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
    quadruple,
    quaternion,
    rotation_vector,
    scale,
    subtract,
    triple,
    write,
)


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
def turn_hand(track, goal, turns, hand, faces, when, out, place):
    """How a hand is turned at the end of a tick, in the world, shape (4,), written.

    What it shall be is within what wrist and forearm do with ease; there it turns as a hand moves (`math._easing.approached`).

    Args:
        track: Of this hand, shape (TRACK,).
        goal: Of it, as `lead_hands` left it, shape (GOAL,).
        turns: How the clip has the hand, and how the forearm is turned, joint coordinates; and the latter in the world.
        hand: Its bind pose (4,), the neutral pose of forearm and hand (2, 4), least and greatest swings of the hand and twist
            of hand and forearm together (2, 3), and the twist that the wrist takes itself [rad].
        faces: Ahead at the end of the tick, shape (3,).
        when: Time at the end of the tick [s], its length [s], whether the hand goes back to the clip, whether it begins to
            do what it does now, and how long it takes to turn at least, on what yields and else [s].
        out: Written.
        place: Where its joint is, so that it touches all the same as it is turned now [m], shape (3,); written.
    """
    (clips, below, forearm), (bind, neutral, ranges, wrist), (end, tick, returns, begins, turning) = turns, hand, when
    n, m = quaternion(neutral, 1), quaternion(neutral, 0)
    above = product(forearm, quadruple(bind, 0))
    aim = product(above, clips)
    if not returns:
        twisted = swing_twist(product(product(m, below), conj(m)))[2]
        angles = _hand_angles(product(product(n, product(conj(above), quadruple(goal, HELD))), conj(n)), wrist)
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
    least = tick if returns else (turning[0] if goal[KIND] == YIELDS else turning[1])
    duration = max(track[UNTIL] - end + tick, least)
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
    there = triple(goal, LED)
    if not returns:
        there = add(there, subtract(wrist_of(turn, goal), wrist_of(quadruple(goal, LED_TURN), goal)))
    write(place, 0, there)
