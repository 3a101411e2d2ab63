"""Compiled loops: how a hand is led, and how its arm follows; plain arrays in, outputs preallocated.

What a hand is about is told in the frame of the body (`trunk`), so that a hand that rests there goes along with the walk.
"""

from __future__ import annotations

import numpy as np

from poise.behaviors.hands.body_clearance._kernels import clear_of_body, step_aside
from poise.behaviors.hands.columns import (
    AIM,
    ASIDE,
    ASIDE_GAIN,
    ASIDE_RATE,
    AXIS,
    BULGE,
    BULGE_START,
    BULGE_TIME,
    DEPTH,
    DRIFT,
    FIXED,
    FLIES,
    FOLLOWS,
    HELD,
    KIND,
    LED,
    LED_TURN,
    LEFT,
    LEFT_GAIN,
    LEFT_RATE,
    MIDDLE,
    NORMAL,
    OWN_GAIN,
    OWN_RATE,
    PLACE,
    PLACE_RATE,
    SPIN,
    TIP,
    TURN,
    TURN_GAIN,
    TURN_RATE,
    TURNED,
    UNTIL,
)
from poise.behaviors.hands.trunk._kernels import (
    before_chest,
    bulge,
    bump,
    heading,
    into_body,
    keep_off,
    no_less,
    out_of_body,
    within,
)
from poise.math._compile import njit
from poise.math._easing import approached
from poise.math._tuples import (
    add,
    clip,
    dot,
    from_rotation_vector,
    length,
    product,
    quadruple,
    quaternion,
    scale,
    shortened,
    subtract,
    triple,
    turned,
    vector,
    write,
)


@njit(cache=True, error_model="numpy", forceinline=True)
def _own(track, tick):
    """How the clip's hand moves at the beginning of the tick, and how that changes."""
    gain = triple(track, OWN_GAIN)
    return subtract(triple(track, OWN_RATE), scale(gain, 0.5 * tick)), gain


@njit(cache=True, error_model="numpy", forceinline=True)
def _begin(track, goal, drift, straight, way, tick):
    """Turn to a goal from where the hand is and as it moves; the goal is given at the end of the tick.

    `way` is when it begins, how long it takes, and how far off it counts as missed.
    """
    time, duration, missed = way
    own, own_gain = _own(track, tick)
    place, rate, gain = add(triple(track, AIM), triple(track, LEFT)), triple(track, LEFT_RATE), triple(track, LEFT_GAIN)
    if track[FOLLOWS] > 0.0:
        rate, gain = add(rate, own), add(gain, own_gain)
    else:
        rate = add(rate, triple(track, DRIFT))
    out, out_rate, out_gain = _bulging(track, time)
    place = add(place, (0.0, out, 0.0))
    rate, gain = add(rate, (0.0, out_rate, 0.0)), add(gain, (0.0, out_gain, 0.0))
    real = subtract(triple(track, PLACE), triple(track, ASIDE))
    if length(subtract(place, real)) > missed:
        # Where the way led the arm did not reach: it sets out from where it is.
        place, gain = real, (0.0, 0.0, 0.0)
        rate = subtract(triple(track, PLACE_RATE), triple(track, ASIDE_RATE))
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
def _expect(track, goal, time, patient, approach, tick):
    """Let what is left of the way take up how the goal moved otherwise than it drifted."""
    newer, least, leap, fastest, calm, patience = approach[:6]
    before, moved = triple(track, DRIFT), subtract(goal, triple(track, AIM))
    drift = before
    if length(moved) < leap:
        drift = shortened(add(scale(before, 1.0 - newer), scale(moved, newer / tick)), fastest)
    jump = subtract(moved, scale(drift, tick))
    left = subtract(triple(track, LEFT), jump)
    if patient and length(jump) > least:
        track[UNTIL] = max(track[UNTIL], time + min((60.0 * length(left) / calm) ** (1.0 / 3.0), patience))
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
    return size * bump(s), 32.0 * size * u * (1.0 - 2.0 * s) / over, 32.0 * size * (1.0 - 6.0 * u) / over**2


@njit(cache=True, error_model="numpy", forceinline=True)
def _foreseen(track, aim, time, ahead, least):
    """Where the hand's way leads it some time ahead [s], in the frame of the body."""
    duration = max(track[UNTIL] - time, least)
    left = triple(track, LEFT)
    if ahead > 0.0:
        rate, gain = triple(track, LEFT_RATE), triple(track, LEFT_GAIN)
        left, _, _ = approached(left, rate, gain, duration, min(ahead, duration))
    # What the clip will do is not known: it is taken to hold on.
    drift = 0.0 if track[FOLLOWS] > 0.0 else ahead
    out, _, _ = _bulging(track, time + ahead)
    return add(add(aim, add(left, scale(triple(track, DRIFT), drift))), (0.0, out, 0.0))


@njit(cache=True, error_model="numpy", forceinline=True)
def _aside(track, way, hand, body, share, ahead, tick):
    """How far the hand goes out of its own body's way by the end of the tick; the track takes note of it.

    Args:
        track: Written.
        way: Where its way leads it now, half of the time that it foresees later, and all of it.
        hand: As `clear_of_body` is told, as is the body.
        body: The same.
        share: How much of the hand is its own.
        ahead: How long it foresees [s], and how far it goes ahead before it has to on its way to something [m].
        tick: [s].
    """
    foresees, early = ahead
    faces, aside = body[2], (triple(track, ASIDE), triple(track, ASIDE_RATE), triple(track, ASIDE_GAIN))
    now = into_body(faces, subtract(clear_of_body(way[0], hand, body, share), way[0]))
    soon = into_body(faces, subtract(clear_of_body(way[1], hand, body, share), way[1]))
    later = into_body(faces, subtract(clear_of_body(way[2], hand, body, share), way[2]))
    if track[FOLLOWS] == 0.0:
        # What comes at the body is met where it is: one who foresees it in the own chest would reach past it.
        most = max(now[0], 0.0) + early
        soon, later = (min(soon[0], most), soon[1], soon[2]), (min(later[0], most), later[1], later[2])
    off, rate, gain = step_aside(aside, now, later, soon, foresees, tick)
    write(track, ASIDE, off)
    write(track, ASIDE_RATE, rate)
    write(track, ASIDE_GAIN, gain)
    return out_of_body(faces, off)


@njit(cache=True, error_model="numpy", forceinline=True)
def _go_round(track, goal, body, faces, hand, trunk, when):
    """Let a way that begins at a time bulge out so that it passes beside the trunk; what does not fly can wait for that.

    `when` is how long it takes, when it begins, its largest jerk where there is time, and how far it bulges out at most.
    """
    begins, time, calm, widest = when
    side = 1.0 if hand == 0 else -1.0
    begin, way = triple(track, PLACE), subtract(triple(track, AIM), triple(track, PLACE))
    out = min(bulge(begin, way, body, faces, side, trunk), widest)
    if goal[KIND] == FLIES:
        out = min(out, 0.5 * calm * begins**3 / 192.0)
    else:
        jerk = np.hypot(60.0 * length(triple(track, LEFT)), 192.0 * out)
        track[BULGE_TIME] = max(begins, (jerk / calm) ** (1.0 / 3.0))
        track[UNTIL] = max(track[UNTIL], time + track[BULGE_TIME])
    track[BULGE] = side * out


@njit(cache=True, error_model="numpy", forceinline=True)
def wrist_of(turn, goal):
    """Where a hand's joint is from what it touches: with a point of it, or, given a depth, with whatever part is in front.

    Flat, that is the middle; tilted, more and more an end of the axis.
    """
    normal, depth, along = triple(goal, NORMAL), goal[DEPTH], turned(turn, triple(goal, AXIS))
    end = clip(-5.0 * dot(normal, along) / max(length(along), 1e-9), -1.0, 1.0) if depth > 0.0 else 0.0
    touch = add(turned(turn, triple(goal, MIDDLE)), scale(along, end))
    return subtract(scale(normal, depth), touch)


@njit(cache=True, error_model="numpy")
def lead_hands(tracks, goals, targets, body, ways, rules, trunk, when):
    """Where hands are at the end of a tick on their way to what they shall touch, written to their goals.

    Args:
        tracks: Shape (2, TRACK); written.
        goals: Shape (2, GOAL); written.
        targets: What they shall touch in the end [m], the surface's normal there, and how that moves against the body [m/s]
            (the first rows of `meeting.ContactTargets.contacts`); how they shall be turned in the end (2, 4); three ways to
            touch (`hands.Palm`) (2, 3, 10); and what is added to the way of one that hops [m] (2, 3).
        body: At the end of the tick: shoulders (2, 3), ahead (3,), places (B, 3) and turns (B, 4) of all bodies as in the clip,
            and which are the hands (2,).
        ways: Of either hand: whether it is led, what it is about, how it touches, and whether it hops; then as numbers: time of
            the way that starts now [s], 0 for none, how far the arm goes [m], how far before the shoulders a goal is at least
            [m], in which time what is left of the way is undone afterwards [s], how fast it moves at most [m/s], and how much
            of it is its own; then whether it goes back to the clip, whether its goal is followed at once, and so kept within
            reach, whether it holds on and does not lag behind, whether it is on its way to a surface, and whether it stays
            where it is before the body.
        rules: The numbers of `anticipation.guiding.Approach` and `Clearing`.
        trunk: Starts and ends of the capsules that either arm keeps off, shape (2, C, 3) each, and distances wanted (C,).
        when: Time at the end of the tick, and its length [s].
    """
    (contacts, turns, palms, hops), (starts, ends, wanted) = targets, trunk
    places, clip_turns, hands = body[2:]
    none = (0.0, 0.0, 0.0)
    for hand in range(2):
        led, kind, touch, hopping, numbers, nature = ways[hand]
        if not led:
            continue
        goal, kept_off, hop = goals[hand], (starts[hand], ends[hand], wanted), vector(hops, hand) if hopping else none
        point, turn = vector(contacts[hand], 0), quaternion(turns, hand)
        normal, rate = vector(contacts[hand], 1), vector(contacts[hand], 2)
        if nature[0]:
            point, turn, normal, rate = vector(places, hands[hand]), quaternion(clip_turns, hands[hand]), none, none
        write(goal, HELD, turn)
        write(goal, NORMAL, normal)
        for k in range(palms.shape[2]):
            goal[MIDDLE + k] = palms[hand, touch, k]
        goal[KIND] = kind
        target, way = (point, rate, hop), (numbers, nature, rules)
        _lead_hand(tracks[hand], goal, target, body, hand, way, kept_off, when)


@njit(cache=True, error_model="numpy", forceinline=True)
def _stands_off(away, normal, rate, approach):
    """How far from its place on a surface a hand is led first: it comes from before the surface, and from behind over the top.

    Less where the surface comes at the body than where it passes along it.

    Args:
        away: From its place to where the hand is [m].
        normal: Of the surface.
        rate: How the place moves against the body [m/s].
        approach: The numbers of `anticipation.guiding.Approach`.
    """
    before, far, most, passes = approach[7:]
    high, comes, square = dot(away, normal), dot(rate, normal), dot(rate, rate)
    aside = max(dot(away, away) - high * high, 0.0)
    along = (square - comes * comes) / max(square, passes * passes)
    off, over = before * aside / (aside + far * far), clip(-2.0 * high, 0.0, most)
    return scale(add(scale(normal, off), (0.0, 0.0, over)), along * along)


@njit(cache=True, error_model="numpy")
def _lead_hand(track, goal, target, body, hand, way, trunk, when):
    """Lead one of the hands of `lead_hands`."""
    (point, rate, hop), (end, tick), (numbers, nature, (approach, clearing)) = target, when, way
    shoulders, faces, clip_places, clip_turns, hands = body
    begins, reach, ahead, horizon, fastest, ease = numbers
    straight, at_once, planted, reaches, rests = nature
    (fastest_drift, calm, missed), (soft, foresees, early, short, widest) = (
        (approach[3], approach[4], approach[6]),
        clearing,
    )
    base = scale(add(vector(shoulders, 0), vector(shoulders, 1)), 0.5)
    root, facing_to = vector(shoulders, hand), heading(faces)
    spin = add(triple(track, TURN_RATE), scale(triple(track, TURN_GAIN), 0.5 * tick))
    if track[FOLLOWS] > 0.0:
        spin = triple(track, SPIN)
    spin = scale(spin, 0.0 if planted else tick)
    taken = product(facing_to, product(quadruple(track, TURNED), from_rotation_vector(spin)))
    carried = add(base, out_of_body(faces, triple(track, PLACE)))
    wrist = add(point, wrist_of(taken, goal))
    if reaches:
        normal = triple(goal, NORMAL)
        wrist = add(wrist, _stands_off(subtract(carried, wrist), normal, rate, approach))
    clips, clips_turn = vector(clip_places, hands[hand]), quaternion(clip_turns, hands[hand])
    if not straight:
        wrist = before_chest(wrist, clips, root, base, faces, ease, soft)
        wrist = keep_off(wrist, wrist, clips, faces, trunk, ease, soft)
    away = shortened(subtract(wrist, root), reach)
    if at_once:
        wrist = add(root, away)
    aim = into_body(faces, subtract(wrist, base))
    if not straight:
        aim = (no_less(aim[0], ahead, soft), aim[1], aim[2])
    if rests:
        aim = triple(track, AIM)
    time = end - tick
    if begins > 0.0:
        drift = into_body(faces, shortened(rate, fastest_drift))
        _begin(track, aim, drift, straight, (time, begins, missed), tick)
    elif not straight:
        _expect(track, aim, time, goal[KIND] != FLIES, approach, tick)
    write(track, AIM, aim)
    if begins > 0.0:
        _go_round(track, goal, (base, root), faces, hand, trunk, (begins, time, calm, widest))
    horizon = tick if straight else horizon
    _advance(track, time, horizon, tick)
    there = add(base, out_of_body(faces, _foreseen(track, aim, end, 0.0, horizon)))
    soon = add(base, out_of_body(faces, _foreseen(track, aim, end, 0.5 * foresees, horizon)))
    later = add(base, out_of_body(faces, _foreseen(track, aim, end, foresees, horizon)))
    there = add(there, hop)
    if planted:
        there = add(root, away)
    tip = triple(goal, TIP)
    fingers, out_to = turned(taken, tip), add(clips, turned(clips_turn, tip))
    before = add(carried, turned(product(facing_to, quadruple(track, TURN)), tip))
    most = np.inf if goal[KIND] == FIXED else reach
    own, own_body = (clips, carried, fingers, out_to, before), (root, base, faces, trunk, (most, soft, short))
    there = add(there, _aside(track, (there, soon, later), own, own_body, ease, (foresees, early), tick))
    # The clip may stretch the arm farther than it is led: at first, and where it is given back, nothing is held back.
    there = add(there, scale(subtract(within(subtract(there, root), most, soft), subtract(there, root)), ease))
    there = add(carried, shortened(subtract(there, carried), fastest * tick))
    write(goal, LED, there)
    write(goal, LED_TURN, taken)
