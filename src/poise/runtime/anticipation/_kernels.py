"""Compiled loops: how a hand is led, and how its arm follows; plain arrays in, outputs preallocated.

What a hand is about is told in the frame of the body (`trunk`), so that a hand that rests there goes along with the walk.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from poise.math._easing import glide, minimum_jerk, settled
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
)

PLACE, TURN, RATE, SPIN = 0, 3, 7, 10
"""Where a track has the hand as it was meant to be at the beginning of the tick, and how it moved then."""
GOAL, GOAL_RATE, RAW, DRIFT = 13, 16, 19, 22
"""The goal's place, followed smoothly; the place as it was asked for last, and how that drifts."""
START, DURATION, OFFSET, OFFSET_RATE, BULGE = 25, 26, 27, 30, 33
"""What is left of the way to the goal (`math._easing.glide`), and how far it bulges out [m]."""
ANGLES, ANGLE_RATES, ANGLES_BEFORE = 34, 37, 40
"""How the hand is turned against its forearm, as two swings and a twist; how they change, and what they began with."""
GAIN, OFFSET_GAIN = 43, 46
"""How the rate of the hand changes, and what a glide began with of that."""
LIFT, TRACK = 49, 50
"""How far the elbow is turned up off its pole [rad]; and the length of a track."""

_DRIFT = 0.25
"""Share of what is new in the drift of a goal."""
_JUMP = 0.05
"""A goal that moves farther in a tick has jumped [m]."""
_SOFT = 0.02
"""Goals are kept off the body over about this much [m]."""
_FASTEST_DRIFT = 1.5
"""A goal is foreseen to drift no faster than this [m/s]."""
_WIDEST = 0.25
"""Ways bulge out no farther [m]."""
_MOST_GAIN = 30.0
"""And its rate changes no faster [m/s²]."""
_FASTEST_START = 2.5
"""A glide starts no faster than this [m/s]."""


@njit(cache=True, error_model="numpy")
def note_hands(tracks, places, turns, hands, shoulders, faces, tick, first):
    """Write into either track where its hand is meant to be and how it moves, in the frame of the body.

    Args:
        tracks: Shape (2, TRACK).
        places: Of all bodies, shape (B, 3).
        turns: Of all bodies, shape (B, 4).
        hands: Which bodies they are, shape (2,).
        shoulders: Shape (2, 3).
        faces: Ahead, shape (3,).
        tick: Since the last call [s].
        first: Whether this is the first call.
    """
    back = conj(heading(faces))
    base = scale(add(vector(shoulders, 0), vector(shoulders, 1)), 0.5)
    for hand in range(2):
        track, body = tracks[hand], hands[hand]
        place = into_body(faces, subtract(vector(places, body), base))
        turn = product(back, quaternion(turns, body))
        rate, spin, gain = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        if not first:
            rate = scale(subtract(place, triple(track, PLACE)), 1.0 / tick)
            gain = shortened(scale(subtract(rate, triple(track, RATE)), 1.0 / tick), _MOST_GAIN)
            spin = scale(rotation_vector(product(conj(quadruple(track, TURN)), turn)), 1.0 / tick)
        write(track, PLACE, place)
        write(track, TURN, turn)
        write(track, RATE, rate)
        write(track, GAIN, gain)
        write(track, SPIN, spin)


@njit(cache=True, error_model="numpy", forceinline=True)
def _follow(track, wrist, pace, tick):
    """Let the smooth goal follow the one that is asked for: a critically damped spring that knows how the goal drifts."""
    moved = subtract(wrist, triple(track, RAW))
    if length(moved) < _JUMP:
        drift = add(scale(triple(track, DRIFT), 1.0 - _DRIFT), scale(moved, _DRIFT / tick))
        write(track, DRIFT, shortened(drift, _FASTEST_DRIFT))
    write(track, RAW, wrist)
    drift = triple(track, DRIFT)
    error = subtract(triple(track, GOAL), subtract(wrist, scale(drift, tick)))
    left, rate = settled(error, subtract(triple(track, GOAL_RATE), drift), pace, tick)
    write(track, GOAL, add(wrist, left))
    write(track, GOAL_RATE, add(drift, rate))


@njit(cache=True, error_model="numpy", forceinline=True)
def _reset(track, wrist, rate):
    """Make the goal what is asked for, at once."""
    write(track, GOAL, wrist)
    write(track, RAW, wrist)
    write(track, GOAL_RATE, rate)
    write(track, DRIFT, rate)


@njit(cache=True, error_model="numpy", forceinline=True)
def _begin(track, time, duration, tick):
    """Start a glide from where the hand is to the goal."""
    track[START], track[DURATION] = time, duration
    rate = triple(track, GOAL_RATE)
    write(track, OFFSET, subtract(triple(track, PLACE), subtract(triple(track, GOAL), scale(rate, tick))))
    now = add(triple(track, RATE), scale(triple(track, GAIN), 0.5 * tick))  # The rate is the mean of the last tick.
    write(track, OFFSET_RATE, shortened(subtract(now, rate), _FASTEST_START))
    write(track, OFFSET_GAIN, triple(track, GAIN))
    write(track, ANGLES_BEFORE, triple(track, ANGLES))


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
    """How far the way of a glide has to bulge out so that hand and elbow pass beside the trunk [m]."""
    most, steps, room = 0.0, 10, 0.02
    begin, way = triple(track, PLACE), subtract(triple(track, GOAL), triple(track, PLACE))
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
    planted,
    pace,
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
        rate: How the goal moves against the body [m/s], in its frame where it is followed at once, shape (3,).
        hop: Added to the way [m], shape (3,).
        shoulders: At the end of the tick, shape (2, 3).
        faces: Ahead, shape (3,).
        hand: Which hand it is.
        reach: How far the arm goes [m].
        ahead: How far before the shoulders a goal is at least [m].
        begins: Time of the glide that starts now [s], 0 for none.
        straight: Whether the goal is followed at once.
        planted: Whether the hand holds on: then it does not lag behind its goal.
        pace: How quickly the goal is followed otherwise [1/s].
        fastest: How fast a hand moves at most [m/s].
        end: Time at the end of the tick [s].
        tick: [s].
        shape: Capsules of the trunk: starts, ends, distances wanted; place and turn of the clip's hand; how much of the
            hand is its own.
        out: Place, and how the hand is taken to be turned then, shape (7,); written.
    """
    base = scale(add(vector(shoulders, 0), vector(shoulders, 1)), 0.5)
    root, facing_to = vector(shoulders, hand), heading(faces)
    spin = scale(triple(track, SPIN), 0.0 if planted else tick)
    turn = product(facing_to, product(quadruple(track, TURN), from_rotation_vector(spin)))
    wrist = add(triple(point, 0), wrist_of(turn, triple(normal, 0), palm))
    starts, ends, wanted, own, share = shape
    trunk, clips, clips_turn = (starts, ends, wanted), triple(own, 0), quadruple(own, 3)
    if not straight:
        wrist = before_chest(wrist, clips, root, base, faces, share, _SOFT)
        wrist = keep_off(wrist, wrist, clips, faces, trunk, share, _SOFT)
    away = shortened(subtract(wrist, root), reach)
    goal = into_body(faces, subtract(add(root, away), base))
    if not straight:
        goal = (no_less(goal[0], ahead, _SOFT), goal[1], goal[2])
    if straight or begins > 0.0:
        drift = triple(rate, 0) if straight else into_body(faces, shortened(triple(rate, 0), _FASTEST_DRIFT))
        _reset(track, goal, drift)
    else:
        _follow(track, goal, pace, tick)
    side = 1.0 if hand == 0 else -1.0
    if begins > 0.0:
        _begin(track, end - tick, begins, tick)
        track[BULGE] = side * _bulge(track, base, root, faces, side, trunk)
    since, duration = end - track[START], track[DURATION]
    way = glide(triple(track, OFFSET), triple(track, OFFSET_RATE), triple(track, OFFSET_GAIN), duration, since)
    way = (way[0], way[1] + track[BULGE] * _bump(clip(since / duration, 0.0, 1.0)), way[2])
    there = add(base, out_of_body(faces, add(triple(track, GOAL), way)))
    there = add(there, triple(hop, 0))
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


@njit(cache=True, error_model="numpy")
def rate_in_body(before, after, shoulders, body, faces_before, faces_after, tick, out):
    """How a body moves in the frame of the trunk [m/s], shape (3,), written; places at both ends of a tick, (B, 3) each."""
    first = scale(add(vector(before, shoulders[0]), vector(before, shoulders[1])), 0.5)
    second = scale(add(vector(after, shoulders[0]), vector(after, shoulders[1])), 0.5)
    start = into_body(faces_before, subtract(vector(before, body), first))
    there = into_body(faces_after, subtract(vector(after, body), second))
    write(out, 0, scale(subtract(there, start), 1.0 / tick))
