"""Compiled loops: where a body and its hands are at either end of a tick; plain arrays in."""

from __future__ import annotations

from poise.anticipation._seeing import level_facing
from poise.behaviors.hands.columns import (
    AIM,
    BULGE,
    ELBOW,
    FOLLOWS,
    LEFT,
    OWN_GAIN,
    OWN_RATE,
    PLACE,
    PLACE_RATE,
    SPIN,
    TURN,
    TURN_LEFT,
    TURN_RATE,
    TURNED,
)
from poise.behaviors.hands.trunk._kernels import heading, into_body
from poise.body._kernels import body_frames
from poise.math._compile import njit
from poise.math._tuples import (
    add,
    conj,
    product,
    put,
    quadruple,
    quaternion,
    rotation_vector,
    scale,
    subtract,
    triple,
    vector,
    write,
)


@njit(cache=True, error_model="numpy")
def note_body(plan, rows, meant_row, bodies, facing, hands, tick, first):
    """Where a body is at the end of the tick in the clip, and as it was meant to be at its beginning; and how its hands move.

    Either track is told where its hand is meant to be and how it and the clip's hand move, in the frame of the body.

    Args:
        plan: Parents, offsets, bind pose, chest, and its turn in the neutral pose.
        rows: Generalized positions over the tick, arms as in the clip, shape (n, nq).
        meant_row: As meant at the beginning of the tick, shape (nq,).
        bodies: Places of all in the clip at the beginning of the tick (B, 3); their places and turns at its end, shape
            (1, B, 3) and (1, B, 4), and the same as meant at its beginning; the last two written.
        facing: Where the chest faces in the clip at its beginning, at its end, and as meant, (3, 3); the last two written.
        hands: Bodies of upper arms, forearms and hands (2, 3), tracks (2, TRACK), shoulders at the end of the tick (2, 3),
            hands as meant (2, 3), and whether either hand is led; tracks, shoulders and hands as meant are written.
        tick: Its length [s].
        first: Whether this is the first call.
    """
    parents, offsets, bind, chest, neutral = plan
    (before, after, meant), (arms, tracks, shoulders, wrists, busy) = bodies, hands
    body_frames(parents, offsets, bind, rows[-1:], after[1], after[0])
    body_frames(parents, offsets, bind, meant_row.reshape((1, -1)), meant[1], meant[0])
    put(facing, 1, level_facing(after[1][0, chest], neutral))
    put(facing, 2, level_facing(meant[1][0, chest], neutral))
    clips, places, turns = after[0][0], meant[0][0], meant[1][0]
    back, roots = conj(heading(facing[2])), arms[:, 0]
    for hand in range(2):
        track, body = tracks[hand], arms[hand, 2]
        put(shoulders, hand, vector(clips, roots[hand]))
        put(wrists, hand, vector(places, body))
        turn = product(back, quaternion(turns, body))
        spin = (0.0, 0.0, 0.0)
        place = _in_body(places, roots, body, facing[2])
        if not first:
            spin = scale(rotation_vector(product(conj(quadruple(track, TURN)), turn)), 1.0 / tick)
        write(track, PLACE_RATE, (0.0, 0.0, 0.0) if first else scale(subtract(place, triple(track, PLACE)), 1.0 / tick))
        write(track, PLACE, place)
        write(track, TURN, turn)
        way = subtract(_in_body(clips, roots, body, facing[1]), _in_body(before, roots, body, facing[0]))
        rate = scale(way, 1.0 / tick)
        last = rate if first else triple(track, OWN_RATE)
        write(track, OWN_RATE, rate)
        write(track, OWN_GAIN, scale(subtract(rate, last), 1.0 / tick))
        if not busy[hand]:
            write(track, AIM, triple(track, PLACE))
            track[FOLLOWS], track[BULGE] = 1.0, 0.0
            for k in range(9):
                track[LEFT + k], track[TURN_LEFT + k] = 0.0, 0.0
            for k in range(ELBOW, PLACE_RATE):
                track[k] = 0.0
            write(track, TURN_RATE, spin)
            write(track, SPIN, spin)
            write(track, TURNED, turn)


@njit(cache=True, error_model="numpy", forceinline=True)
def _in_body(places, roots, body, faces):
    """Where a body is in the frame of the body."""
    base = scale(add(vector(places, roots[0]), vector(places, roots[1])), 0.5)
    return into_body(faces, subtract(vector(places, body), base))
