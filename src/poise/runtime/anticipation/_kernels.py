"""Compiled loops: how a hand is led, and how its arm follows; plain arrays in, outputs preallocated.

What a hand is about is told in the frame of the body (`trunk`), so that a hand that rests there goes along with the walk.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from poise.anticipation._kernels import glide
from poise.math._tuples import (
    add,
    conj,
    dot,
    from_rotation_vector,
    length,
    normalized,
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
)
from poise.runtime.anticipation.trunk._kernels import before_chest, heading, into_body, keep_off, no_less, out_of_body

PLACE, TURN, RATE, SPIN = 0, 3, 7, 10
"""Where a track has the hand as it was meant to be at the beginning of the tick, and how it moved then."""
GOAL, GOAL_RATE, GOAL_TURN, GOAL_SPIN, RAW, DRIFT = 13, 16, 19, 23, 26, 29
"""The goal, followed smoothly; the goal as it was asked for last, and how that drifts."""
START, DURATION, OFFSET, OFFSET_RATE = 32, 33, 34, 40
"""What is left of the way to the goal (`anticipation._kernels.glide`)."""
LIFT, TRACK = 46, 47
"""How far the elbow is turned up off its pole [rad]; and the length of a track."""

_DRIFT = 0.25
"""Share of what is new in the drift of a goal."""
_JUMP = 0.05
"""A goal that moves farther in a tick has jumped [m]."""
_SOFT = 0.02
"""Goals are kept off the body over about this much [m]."""
_FASTEST_DRIFT = 1.5
"""A goal is foreseen to drift no faster than this [m/s]."""
_FASTEST_START = 2.5
"""A glide starts no faster than this [m/s]."""


@njit(cache=True, error_model="numpy", forceinline=True)
def _set(track, index, values):
    for k in range(len(values)):
        track[index + k] = values[k]


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
        rate, spin = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        if not first:
            rate = scale(subtract(place, triple(track, PLACE)), 1.0 / tick)
            spin = scale(rotation_vector(product(conj(quadruple(track, TURN)), turn)), 1.0 / tick)
        _set(track, PLACE, place)
        _set(track, TURN, turn)
        _set(track, RATE, rate)
        _set(track, SPIN, spin)


@njit(cache=True, error_model="numpy", forceinline=True)
def _settled(error, rate, pace, time):
    """An error that a critically damped spring has drawn in for a while, and its rate."""
    fade = np.exp(-pace * time)
    push = add(rate, scale(error, pace))
    left = scale(add(error, scale(push, time)), fade)
    return left, scale(subtract(rate, scale(push, pace * time)), fade)


@njit(cache=True, error_model="numpy", forceinline=True)
def _follow(track, wrist, turn, pace, tick):
    """Let the smooth goal follow the one that is asked for: a critically damped spring that knows how the goal drifts."""
    moved = subtract(wrist, triple(track, RAW))
    if length(moved) < _JUMP:
        drift = add(scale(triple(track, DRIFT), 1.0 - _DRIFT), scale(moved, _DRIFT / tick))
        _set(track, DRIFT, shortened(drift, _FASTEST_DRIFT))
    _set(track, RAW, wrist)
    drift = triple(track, DRIFT)
    error = subtract(triple(track, GOAL), subtract(wrist, scale(drift, tick)))
    left, rate = _settled(error, subtract(triple(track, GOAL_RATE), drift), pace, tick)
    _set(track, GOAL, add(wrist, left))
    _set(track, GOAL_RATE, add(drift, rate))
    away = rotation_vector(product(conj(turn), quadruple(track, GOAL_TURN)))
    left, spin = _settled(away, triple(track, GOAL_SPIN), pace, tick)
    _set(track, GOAL_TURN, normalized(product(turn, from_rotation_vector(left))))
    _set(track, GOAL_SPIN, spin)


@njit(cache=True, error_model="numpy", forceinline=True)
def _reset(track, wrist, turn, rate):
    """Make the goal what is asked for, at once."""
    _set(track, GOAL, wrist)
    _set(track, RAW, wrist)
    _set(track, GOAL_TURN, turn)
    _set(track, GOAL_RATE, rate)
    _set(track, DRIFT, rate)
    _set(track, GOAL_SPIN, (0.0, 0.0, 0.0))


@njit(cache=True, error_model="numpy", forceinline=True)
def _begin(track, time, duration, tick):
    """Start a glide from where the hand is to the goal."""
    track[START], track[DURATION] = time, duration
    rate = triple(track, GOAL_RATE)
    _set(track, OFFSET, subtract(triple(track, PLACE), subtract(triple(track, GOAL), scale(rate, tick))))
    _set(track, OFFSET_RATE, shortened(subtract(triple(track, RATE), rate), _FASTEST_START))
    _set(track, OFFSET + 3, rotation_vector(product(conj(quadruple(track, GOAL_TURN)), quadruple(track, TURN))))
    _set(track, OFFSET_RATE + 3, shortened(triple(track, SPIN), 6.0))


@njit(cache=True, error_model="numpy")
def lead_hand(
    track,
    point,
    turn,
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
    pace,
    paces,
    end,
    tick,
    shape,
    out,
):
    """Where a hand is at the end of a tick on its way to a goal.

    Args:
        track: Of this hand, shape (TRACK,).
        point: Where its palm shall be in the end [m], shape (3,).
        turn: How it shall be turned, shape (4,).
        palm: Where the palm is in the hand [m], shape (3,); the joint for zeros.
        rate: How the goal moves against the body [m/s], in its frame where it is followed at once, shape (3,).
        hop: Added to the way [m], shape (3,).
        shoulders: At the end of the tick, shape (2, 3).
        faces: Ahead, shape (3,).
        hand: Which hand it is.
        reach: How far the arm goes [m].
        ahead: How far before the shoulders a goal is at least [m].
        begins: Time of the glide that starts now [s], 0 for none.
        straight: Whether the goal is followed at once.
        pace: How quickly it is followed otherwise [1/s].
        paces: How fast a hand moves [m/s] and turns [rad/s] at most, shape (2,).
        end: Time at the end of the tick [s].
        tick: [s].
        shape: Capsules of the trunk: starts, ends and distances wanted; fingertips in the hand; place and turn of the clip's
            hand; how much of the hand is its own.
        out: Place and turn, shape (7,); written.
    """
    base = scale(add(vector(shoulders, 0), vector(shoulders, 1)), 0.5)
    root = vector(shoulders, hand)
    wrist = subtract(triple(point, 0), turned(quadruple(turn, 0), triple(palm, 0)))
    starts, ends, wanted, tip, own, share = shape
    trunk, clips, clips_turn = (starts, ends, wanted), triple(own, 0), quadruple(own, 3)
    if not straight:
        wrist = before_chest(wrist, clips, root, base, faces, share, _SOFT)
        wrist = keep_off(wrist, wrist, clips, faces, trunk, share, _SOFT)
    away = shortened(subtract(wrist, root), reach)
    goal = into_body(faces, subtract(add(root, away), base))
    if not straight:
        goal = (no_less(goal[0], ahead, _SOFT), goal[1], goal[2])
    facing_to = heading(faces)
    goal_turn = product(conj(facing_to), quadruple(turn, 0))
    if straight or begins > 0.0:
        drift = triple(rate, 0) if straight else into_body(faces, shortened(triple(rate, 0), _FASTEST_DRIFT))
        _reset(track, goal, goal_turn, drift)
    else:
        _follow(track, goal, goal_turn, pace, tick)
    if begins > 0.0:
        _begin(track, end - tick, begins, tick)
    since, duration = end - track[START], track[DURATION]
    way = glide(triple(track, OFFSET), triple(track, OFFSET_RATE), duration, since)
    twist = glide(triple(track, OFFSET + 3), triple(track, OFFSET_RATE + 3), duration, since)
    there = add(base, out_of_body(faces, add(triple(track, GOAL), way)))
    there = add(there, triple(hop, 0))
    meant = product(quadruple(track, GOAL_TURN), from_rotation_vector(twist))
    swing = shortened(rotation_vector(product(conj(quadruple(track, TURN)), meant)), paces[1] * tick)
    was = product(facing_to, quadruple(track, TURN))
    facing = normalized(product(was, from_rotation_vector(swing)))
    carried = add(base, out_of_body(faces, triple(track, PLACE)))
    there = before_chest(there, clips, root, base, faces, share, 0.0)
    there = keep_off(there, carried, clips, faces, trunk, share, 0.0)
    fingers, out_to = turned(facing, triple(tip, 0)), add(clips, turned(clips_turn, triple(tip, 0)))
    before = add(carried, turned(was, triple(tip, 0)))
    there = subtract(keep_off(add(there, fingers), before, out_to, faces, trunk, share, 0.0), fingers)
    there = add(carried, shortened(subtract(there, carried), paces[0] * tick))
    for k in range(3):
        out[k] = there[k]
    for k in range(4):
        out[3 + k] = facing[k]


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
                _set(rows[i], at, normalized(product(own, turn)))
            put(last[hand], k, now)


@njit(cache=True)
def touching(pairs, table, out):
    """Of either hand, whether its arm touches each obstacle, shape (2, P), written; the table has both of each geom, or -1."""
    out[:] = False
    for c in range(pairs.shape[0]):
        for a, b in ((pairs[c, 0], pairs[c, 1]), (pairs[c, 1], pairs[c, 0])):
            if table[a, 0] >= 0 and table[b, 1] >= 0:
                out[table[a, 0], table[b, 1]] = True


@njit(cache=True, error_model="numpy")
def hold_hand(point, normal, shoulder, faces, stays, out):
    """See `posture.held_hand`; leant normal and fingers, shape (2, 3), written.

    Fingers point away from the shoulder, up, and a little ahead, as when one pushes.
    """
    lean = 0.06
    n = (normal[0], normal[1], normal[2])
    away = unit(subtract((point[0], point[1], point[2]), (shoulder[0], shoulder[1], shoulder[2])), (0.0, 0.0, 0.0))
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
    _set(out, 0, scale(subtract(there, start), 1.0 / tick))
