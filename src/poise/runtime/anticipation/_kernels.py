"""Compiled loops: how a hand is led, and how its arm follows; plain arrays in, outputs preallocated.

What a hand is about is told in the frame of the body (`trunk`), so that a hand that rests there goes along with the walk.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from poise.math._easing import approached, minimum_jerk
from poise.math._tuples import (
    add,
    clip,
    conj,
    dot,
    from_rotation_vector,
    length,
    product,
    put,
    quadruple,
    quaternion,
    rotation_vector,
    scale,
    shortened,
    subtract,
    triple,
    turned,
    unit,
    vector,
    write,
)
from poise.runtime.anticipation.trunk._kernels import (
    before_chest,
    heading,
    into_body,
    keep_off,
    nearest_on,
    no_less,
    out_of_body,
    within,
)

PLACE, TURN, SPIN = 0, 3, 7
"""Where a track has the hand as it was meant to be at the beginning of the tick, and how fast it turned then."""
OWN_RATE, OWN_GAIN = 10, 13
"""How the clip's hand moves over the tick, and how that changed at its beginning."""
AIM, DRIFT, FOLLOWS = 16, 19, 22
"""Where the hand is to be, how that drifts, and whether it is where the clip has it (1) or what it is about (0)."""
LEFT, LEFT_RATE, LEFT_GAIN, UNTIL = 23, 26, 29, 32
"""What is left of the way there (`math._easing.approached`), and when it shall be gone."""
BULGE, BULGE_START, BULGE_TIME = 33, 34, 35
"""How far the way bulges out [m], since when and for how long."""
TURN_LEFT, TURN_RATE, TURN_GAIN, TWIST = 36, 39, 42, 45
"""What is left of the turn to how the hand shall be, as a rotation vector; and the twist that was wanted last."""
TURNED, LIFT, TRACK = 46, 50, 51
"""How the hand was to be turned, how far the elbow is turned up off its pole [rad], and the length of a track."""

_DRIFT = 0.25
"""Share of what is new in the drift of a goal."""
_JUMP, _LEAP = 0.005, 0.05
"""A goal that moves so much farther in a tick than it drifts has jumped; farther than the latter, it tells nothing about its
drift [m]."""
_CALM = 400.0
"""A goal that jumps is followed with no larger jerk than this, where there is time [m/s³]."""
_PATIENCE = 0.5
"""So long at most [s]."""
_SOFT = 0.02
"""Goals are kept off the body over about this much [m]."""
_FASTEST_DRIFT = 3.0
"""A goal is foreseen to drift no faster than this [m/s]."""
_WIDEST = 0.25
"""Ways bulge out no farther [m]."""


@njit(cache=True, error_model="numpy")
def note_hands(tracks, frames, clips, hands, roots, faces, busy, tick, first):
    """Write into either track where its hand is meant to be and how it and the clip's hand move, in the frame of the body.

    Args:
        tracks: Shape (2, TRACK).
        frames: Places and turns of all bodies as they are meant to be at the beginning of the tick, shape (B, 3) and (B, 4).
        clips: Places of all bodies in the clip at the beginning of the tick and at its end, shape (B, 3) each.
        hands: Which bodies they are, shape (2,).
        roots: Bodies of the upper arms, shape (2,).
        faces: Ahead, as meant, in the clip at the beginning and at the end; shape (3,) each.
        busy: Whether either hand is led, shape (2,).
        tick: Its length [s].
        first: Whether this is the first call.
    """
    places, turns = frames
    back = conj(heading(faces[0]))
    for hand in range(2):
        track, body = tracks[hand], hands[hand]
        turn = product(back, quaternion(turns, body))
        spin = (0.0, 0.0, 0.0)
        place = _in_body(places, roots, body, faces[0])
        if not first:
            spin = scale(rotation_vector(product(conj(quadruple(track, TURN)), turn)), 1.0 / tick)
        write(track, PLACE, place)
        write(track, TURN, turn)
        way = subtract(_in_body(clips[1], roots, body, faces[2]), _in_body(clips[0], roots, body, faces[1]))
        rate = scale(way, 1.0 / tick)
        before = rate if first else triple(track, OWN_RATE)
        write(track, OWN_RATE, rate)
        write(track, OWN_GAIN, scale(subtract(rate, before), 1.0 / tick))
        if not busy[hand]:
            write(track, AIM, triple(track, PLACE))
            track[FOLLOWS], track[BULGE] = 1.0, 0.0
            for k in range(9):
                track[LEFT + k], track[TURN_LEFT + k] = 0.0, 0.0
            write(track, TURN_RATE, spin)
            write(track, SPIN, spin)
            write(track, TURNED, turn)


@njit(cache=True, error_model="numpy", forceinline=True)
def _in_body(places, roots, body, faces):
    """Where a body is in the frame of the body."""
    base = scale(add(vector(places, roots[0]), vector(places, roots[1])), 0.5)
    return into_body(faces, subtract(vector(places, body), base))


@njit(cache=True, error_model="numpy", forceinline=True)
def _own(track, tick):
    """How the clip's hand moves at the beginning of the tick, and how that changes."""
    gain = triple(track, OWN_GAIN)
    return subtract(triple(track, OWN_RATE), scale(gain, 0.5 * tick)), gain


@njit(cache=True, error_model="numpy", forceinline=True)
def _begin(track, goal, drift, straight, time, duration, tick):
    """Turn to a goal from where the hand is and as it moves; the goal is given at the end of the tick."""
    own, own_gain = _own(track, tick)
    place, rate, gain = add(triple(track, AIM), triple(track, LEFT)), triple(track, LEFT_RATE), triple(track, LEFT_GAIN)
    if track[FOLLOWS] > 0.0:
        rate, gain = add(rate, own), add(gain, own_gain)
    else:
        rate = add(rate, triple(track, DRIFT))
    out, out_rate, out_gain = _bulging(track, time)
    place = add(place, (0.0, out, 0.0))
    rate, gain = add(rate, (0.0, out_rate, 0.0)), add(gain, (0.0, out_gain, 0.0))
    if straight:
        goal = subtract(goal, scale(triple(track, OWN_RATE), tick))
        write(track, LEFT_RATE, subtract(rate, own))
        write(track, LEFT_GAIN, subtract(gain, own_gain))
    else:
        goal = subtract(goal, scale(drift, tick))
        write(track, LEFT_RATE, subtract(rate, drift))
        write(track, LEFT_GAIN, gain)
    write(track, LEFT, subtract(place, goal))
    write(track, DRIFT, drift)
    track[FOLLOWS], track[UNTIL], track[BULGE] = straight, time + duration, 0.0
    track[BULGE_START], track[BULGE_TIME] = time, duration


@njit(cache=True, error_model="numpy", forceinline=True)
def _expect(track, goal, time, patient, tick):
    """Let what is left of the way take up how the goal moved otherwise than it drifted."""
    before, moved = triple(track, DRIFT), subtract(goal, triple(track, AIM))
    drift = before
    if length(moved) < _LEAP:
        drift = shortened(add(scale(before, 1.0 - _DRIFT), scale(moved, _DRIFT / tick)), _FASTEST_DRIFT)
    jump = subtract(moved, scale(drift, tick))
    left = subtract(triple(track, LEFT), jump)
    if patient and length(jump) > _JUMP:
        track[UNTIL] = max(track[UNTIL], time + min((60.0 * length(left) / _CALM) ** (1.0 / 3.0), _PATIENCE))
    write(track, LEFT, left)
    write(track, LEFT_RATE, subtract(triple(track, LEFT_RATE), subtract(drift, before)))
    write(track, DRIFT, drift)


@njit(cache=True, error_model="numpy", forceinline=True)
def _advance(track, time, least, tick):
    """Go on for a tick."""
    duration = max(track[UNTIL] - time, least)
    left, rate, gain = approached(
        triple(track, LEFT), triple(track, LEFT_RATE), triple(track, LEFT_GAIN), duration, tick
    )
    write(track, LEFT, left)
    write(track, LEFT_RATE, rate)
    write(track, LEFT_GAIN, gain)


@njit(cache=True, error_model="numpy", forceinline=True)
def _bulging(track, time):
    """How far the way bulges out at a time, how that changes, and how that does."""
    size, over = track[BULGE], track[BULGE_TIME]
    s = (time - track[BULGE_START]) / over
    if size == 0.0 or s <= 0.0 or s >= 1.0:
        return 0.0, 0.0, 0.0
    u = s * (1.0 - s)
    return size * _bump(s), 32.0 * size * u * (1.0 - 2.0 * s) / over, 32.0 * size * (1.0 - 6.0 * u) / over**2


@njit(cache=True, error_model="numpy", forceinline=True)
def _bump(s):
    """Rises from 0 to 1 in the middle and falls back to 0, at rest at both ends."""
    return 16.0 * s * s * (1.0 - s) * (1.0 - s)


@njit(cache=True, error_model="numpy", forceinline=True)
def _short_aside(point, faces, side, trunk, room):
    """How far a point has to go to a side to be as far off the trunk as wanted [m]."""
    starts, ends, wanted = trunk
    most = 0.0
    for c in range(wanted.shape[0]):
        away = subtract(point, nearest_on(vector(starts, c), vector(ends, c), point))
        square, least = dot(away, away), wanted[c] + room
        if square < least * least:
            aside = into_body(faces, away)[1] * side
            most = max(most, np.sqrt(least * least - square + aside * aside) - aside)
    return most


@njit(cache=True, error_model="numpy", forceinline=True)
def _bulge(track, base, root, faces, side, trunk):
    """How far a way has to bulge out so that hand and elbow pass beside the trunk [m]."""
    most, steps, room = 0.0, 10, 0.02
    begin, way = triple(track, PLACE), subtract(triple(track, AIM), triple(track, PLACE))
    for k in range(2, steps - 1):
        s = k / steps
        hand = add(base, out_of_body(faces, add(begin, scale(way, minimum_jerk(s)))))
        elbow = scale(add(root, hand), 0.5)
        out = max(_short_aside(hand, faces, side, trunk, room), 2.0 * _short_aside(elbow, faces, side, trunk, 0.0))
        most = max(most, out / _bump(s))
    return min(most, _WIDEST)


@njit(cache=True, error_model="numpy", forceinline=True)
def wrist_of(turn, normal, palm):
    """Where a hand's joint is from what it touches: with a point of it, or, given a depth, with whatever part is in front.

    Flat, that is the middle; tilted, more and more an end of the axis.
    """
    middle, axis, depth, _ = palm
    along = turned(turn, triple(axis, 0))
    end = clip(-5.0 * dot(normal, along) / max(length(along), 1e-9), -1.0, 1.0) if depth > 0.0 else 0.0
    touch = add(turned(turn, triple(middle, 0)), scale(along, end))
    return subtract(scale(normal, depth), touch)


@njit(cache=True, error_model="numpy")
def lead_hand(
    track,
    point,
    normal,
    palm,
    rate,
    hop,
    shoulders,
    faces,
    hand,
    reach,
    ahead,
    begins,
    straight,
    at_once,
    planted,
    patient,
    horizon,
    fastest,
    end,
    tick,
    shape,
    out,
):
    """Where a hand is at the end of a tick on its way to a goal.

    Args:
        track: Of this hand, shape (TRACK,).
        point: What it shall touch in the end [m], shape (3,); where its joint shall be, for a depth of 0.
        normal: Of the surface there, shape (3,).
        palm: The hand as it touches (`hands.Touch`).
        rate: How the goal moves against the body [m/s], shape (3,).
        hop: Added to the way [m], shape (3,).
        shoulders: At the end of the tick, shape (2, 3).
        faces: Ahead, shape (3,).
        hand: Which hand it is.
        reach: How far the arm goes [m].
        ahead: How far before the shoulders a goal is at least [m].
        begins: Time of the way that starts now [s], 0 for none.
        straight: Whether the goal is the clip's hand.
        at_once: Whether the goal is another that is followed at once, and so kept within reach.
        planted: Whether the hand holds on: then it does not lag behind its goal.
        patient: Whether there is time when the goal jumps.
        horizon: In which what is left of the way is undone afterwards [s].
        fastest: How fast a hand moves at most [m/s].
        end: Time at the end of the tick [s].
        tick: [s].
        shape: Capsules of the trunk: starts, ends, distances wanted; place and turn of the clip's hand; how much of the
            hand is its own.
        out: Place, and how the hand is taken to be turned then, shape (7,); written.
    """
    base = scale(add(vector(shoulders, 0), vector(shoulders, 1)), 0.5)
    root, facing_to = vector(shoulders, hand), heading(faces)
    spin = add(triple(track, TURN_RATE), scale(triple(track, TURN_GAIN), 0.5 * tick))
    if track[FOLLOWS] > 0.0:
        spin = triple(track, SPIN)
    spin = scale(spin, 0.0 if planted else tick)
    turn = product(facing_to, product(quadruple(track, TURNED), from_rotation_vector(spin)))
    wrist = add(triple(point, 0), wrist_of(turn, triple(normal, 0), palm))
    starts, ends, wanted, own, share = shape
    trunk, clips, clips_turn = (starts, ends, wanted), triple(own, 0), quadruple(own, 3)
    if not straight:
        wrist = before_chest(wrist, clips, root, base, faces, share, _SOFT)
        wrist = keep_off(wrist, wrist, clips, faces, trunk, share, _SOFT)
    away = shortened(subtract(wrist, root), reach)
    if straight or at_once:
        wrist = add(root, away)
    goal = into_body(faces, subtract(wrist, base))
    if not straight:
        goal = (no_less(goal[0], ahead, _SOFT), goal[1], goal[2])
    time = end - tick
    if begins > 0.0:
        _begin(track, goal, into_body(faces, shortened(triple(rate, 0), _FASTEST_DRIFT)), straight, time, begins, tick)
    elif not straight:
        _expect(track, goal, time, patient, tick)
    write(track, AIM, goal)
    if begins > 0.0:
        side = 1.0 if hand == 0 else -1.0
        track[BULGE] = side * _bulge(track, base, root, faces, side, trunk)
    _advance(track, time, tick if straight else horizon, tick)
    way = triple(track, LEFT)
    there = add(base, out_of_body(faces, add(goal, (way[0], way[1] + _bulging(track, end)[0], way[2]))))
    there = add(there, triple(hop, 0))
    if not at_once:
        # The clip may stretch the arm farther than it is led: at first nothing is held back.
        most = reach + 4.0 * _SOFT * (1.0 - share)
        there = add(root, within(subtract(there, root), most, _SOFT))
    if planted:
        there = add(root, away)
    carried = add(base, out_of_body(faces, triple(track, PLACE)))
    there = before_chest(there, clips, root, base, faces, share, 0.0)
    there = keep_off(there, carried, clips, faces, trunk, share, 0.0)
    tip = triple(palm[3], 0)
    fingers, out_to = turned(turn, tip), add(clips, turned(clips_turn, tip))
    before = add(carried, turned(product(facing_to, quadruple(track, TURN)), tip))
    there = subtract(keep_off(add(there, fingers), before, out_to, faces, trunk, share, 0.0), fingers)
    there = add(carried, shortened(subtract(there, carried), fastest * tick))
    write(out, 0, there)
    write(out, 3, turn)


@njit(cache=True)
def touching(pairs, impulse, normal, table, about, tick, out, forces, felt):
    """What either arm touched in the last tick, and the forces on it.

    Args:
        pairs: Geoms that touched, shape (c, 2).
        impulse: [N s], shape (c,).
        normal: Direction of the force on the second one, shape (c, 3).
        table: Of each geom, the arm and the obstacle it belongs to, or -1, shape (geoms, 2).
        about: What either hand is about, shape (2,).
        tick: [s].
        out: Whether either arm touched each obstacle, shape (2, P); written.
        forces: Mean force on either arm [N], shape (2, 3); written.
        felt: The part of it that comes from what the hand is about, shape (2, 3); written.
    """
    out[:] = False
    forces[:] = 0.0
    felt[:] = 0.0
    for c in range(pairs.shape[0]):
        for k in range(2):
            arm, obstacle = table[pairs[c, k], 0], table[pairs[c, 1 - k], 1]
            if arm >= 0 and obstacle >= 0:
                out[arm, obstacle] = True
                side = impulse[c] / tick * (1.0 if k == 1 else -1.0)
                for axis in range(3):
                    forces[arm, axis] += side * normal[c, axis]
                    if obstacle == about[arm]:
                        felt[arm, axis] += side * normal[c, axis]


@njit(cache=True, error_model="numpy")
def hold_hand(point, normal, shoulder, faces, stays, out):
    """See `posture.held_hand`; leant normal and fingers, shape (2, 3), written.

    Fingers point away from the shoulder, up, and a little ahead, as when one pushes.
    """
    lean = 0.06
    n = triple(normal, 0)
    away = unit(subtract(triple(point, 0), triple(shoulder, 0)), (0.0, 0.0, 0.0))
    fingers = (0.7 * faces[0], 0.7 * faces[1], 1.0)
    if not stays:
        fingers = (away[0] + 0.4 * faces[0], away[1] + 0.4 * faces[1], away[2] + 0.8)
    flat = subtract(fingers, scale(n, dot(fingers, n)))
    far = length(flat)
    leant = unit(add(n, scale(flat, lean / far)), n) if far > 0.1 else n
    put(out, 0, leant)
    put(out, 1, fingers)
