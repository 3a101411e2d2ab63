"""Compiled loops: the frame of the body, and how hands and elbows are kept off the trunk; plain arrays in.

The frame of the body has its origin between the shoulders; its axes are level, ahead and to the left of the chest, and up.
"""

from __future__ import annotations

import numpy as np

from poise.math._compile import njit
from poise.math._easing import minimum_jerk
from poise.math._tuples import (
    about,
    add,
    clip,
    dot,
    length,
    put,
    quaternion,
    scale,
    subtract,
    turned,
    unit,
    vector,
)


@njit(cache=True, error_model="numpy", forceinline=True)
def into_body(faces, away):
    """A way in the world, in the frame of the body."""
    return (faces[0] * away[0] + faces[1] * away[1], -faces[1] * away[0] + faces[0] * away[1], away[2])


@njit(cache=True, error_model="numpy", forceinline=True)
def out_of_body(faces, away):
    return (faces[0] * away[0] - faces[1] * away[1], faces[1] * away[0] + faces[0] * away[1], away[2])


@njit(cache=True, error_model="numpy", forceinline=True)
def heading(faces):
    """Rotation from the frame of the body to the world."""
    return about((0.0, 0.0, 1.0), np.arctan2(faces[1], faces[0]))


@njit(cache=True, error_model="numpy", forceinline=True)
def no_less(value, least, soft):
    """A value led over to no less than `least`, over about `soft`; sharply for none."""
    if soft <= 0.0 or value - least > 20.0 * soft:
        return max(value, least)
    return least + soft * np.log1p(np.exp((value - least) / soft))


@njit(cache=True, error_model="numpy", forceinline=True)
def within(away, most, soft):
    """A way led over to no more than a length, over about `soft`."""
    far = length(away)
    if far < most - 20.0 * soft:
        return away
    return scale(away, (most - no_less(most - far, 0.0, soft)) / max(far, 1e-9))


@njit(cache=True, error_model="numpy", forceinline=True)
def nearest_on(start, end, point):
    """The point of a stretch that is nearest to a point."""
    along = subtract(end, start)
    square = dot(along, along)
    s = clip(dot(subtract(point, start), along) / square, 0.0, 1.0) if square > 1e-12 else 0.0
    return add(start, scale(along, s))


@njit(cache=True, error_model="numpy", forceinline=True)
def before_chest(place, clip_place, root, base, faces, share, soft):
    """A place moved ahead, the more the farther it is across the body from its own shoulder, as the way round the chest is."""
    near, per_across, inner, outer, above = 0.19, 0.5, 0.05, -0.05, 0.15
    to_side = into_body(faces, subtract(root, base))
    side = 1.0 if to_side[1] > 0.0 else -1.0
    away, clips = into_body(faces, subtract(place, root)), into_body(faces, subtract(clip_place, root))
    across = -side * away[1]
    if across <= outer:
        return place
    wanted = near + per_across * no_less(across, 0.0, 0.03)
    least = min(wanted, clips[0]) + share * (wanted - min(wanted, clips[0]))
    # Out beside the shoulder and above it nothing is asked; 10 cm lead over.
    asked = clip((across - outer) / (inner - outer), 0.0, 1.0) * clip((above - away[2]) / 0.1, 0.0, 1.0)
    short = (no_less(away[0], least, soft) - away[0]) * asked
    return add(place, (short * faces[0], short * faces[1], 0.0))


@njit(cache=True, error_model="numpy", forceinline=True)
def keep_off(place, before, clips, faces, trunk, share, soft):
    """A place moved out of the trunk's capsules.

    Args:
        place: Where it would be.
        before: Where it was a tick ago, carried along with the body: what was too near already does not come nearer.
        clips: Where the clip has it: where the hand is given back, it may go there.
        faces: Ahead; what is deep inside comes out there.
        trunk: Starts and ends of the capsules and how far to stay off their middles.
        share: How much of the hand is its own.
        soft: Led over about this much [m], sharply for none.
    """
    starts, ends, wanted = trunk
    for _ in range(2):
        for c in range(wanted.shape[0]):
            start, end = vector(starts, c), vector(ends, c)
            core = nearest_on(start, end, place)
            away = subtract(place, core)
            far = length(away)
            if far > wanted[c] + 8.0 * soft:
                continue
            there = min(wanted[c], length(subtract(clips, nearest_on(start, end, clips))))
            was = min(wanted[c], length(subtract(before, nearest_on(start, end, before))))
            least = there + share * (was - there)
            ahead = 0.6 * clip(least - far, 0.0, wanted[c])
            out = unit(add(away, (ahead * faces[0], ahead * faces[1], 0.0)), (faces[0], faces[1], 0.0))
            place = add(core, scale(out, no_less(far, least, soft)))
    return place


@njit(cache=True, error_model="numpy", forceinline=True)
def bump(s):
    """Rises from 0 to 1 in the middle and falls back, at rest at both ends; its jerk there is 192 over the cube of the time."""
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
def bulge(begin, way, body, faces, side, trunk):
    """How far a way has to bulge out so that hand and elbow pass beside the trunk [m].

    Args:
        begin: Where the hand is, in the frame of the body.
        way: From there to where it shall be.
        body: Middle between the shoulders, and the shoulder of this arm.
        faces: Ahead.
        side: 1 for the left hand, -1 for the right.
        trunk: Starts and ends of the capsules and how far to stay off their middles.
    """
    (base, root), most, steps, room = body, 0.0, 10, 0.02
    for k in range(2, steps - 1):
        s = k / steps
        hand = add(base, out_of_body(faces, add(begin, scale(way, minimum_jerk(s)))))
        elbow = scale(add(root, hand), 0.5)
        out = max(_short_aside(hand, faces, side, trunk, room), 2.0 * _short_aside(elbow, faces, side, trunk, 0.0))
        most = max(most, out / bump(s))
    return most


@njit(cache=True, error_model="numpy")
def place_capsules(own, others, capsules, out_starts, out_ends):
    """Capsules fixed to bodies, in the world, for either arm; shape (2, C, 3) each, written.

    Args:
        own: Places and turns of the bodies for the trunk's.
        others: The same for those of the other arm.
        capsules: Bodies (2, C), starts and ends in their frames (2, C, 3), and how many are the trunk's.
        out_starts: Written.
        out_ends: Written.
    """
    bodies, starts, ends, count = capsules
    for hand in range(2):
        for c in range(bodies.shape[1]):
            body = bodies[hand, c]
            places, turns = own if c < count else others
            place, turn = vector(places, body), quaternion(turns, body)
            put(out_starts[hand], c, add(place, turned(turn, vector(starts[hand], c))))
            put(out_ends[hand], c, add(place, turned(turn, vector(ends[hand], c))))


@njit(cache=True, error_model="numpy", forceinline=True)
def _sinks(elbow, wrist, starts, ends, wanted, most):
    """How far elbow and forearm sink into the trunk [m], told no farther than something over `most`."""
    total = 0.0
    for k in range(4):
        point = add(elbow, scale(subtract(wrist, elbow), 0.25 * k))
        for c in range(wanted.shape[0]):
            away = subtract(point, nearest_on(vector(starts, c), vector(ends, c), point))
            total += max(wanted[c] - length(away), 0.0)
        if total > most:
            break
    return total


@njit(cache=True, error_model="numpy")
def lift_elbow(lift, shoulder, wrist, bones, pole, capsules, most):
    """The pole of an arm, turned about the way from shoulder to wrist so that elbow and forearm stay off the trunk.

    Args:
        lift: How far it was turned at the last tick [rad].
        shoulder: Shape (3,).
        wrist: Shape (3,).
        bones: Lengths of upper arm and forearm [m], shape (2,).
        pole: Where the elbow would point, shape (3,); overwritten.
        capsules: Starts and ends of the trunk's, shape (C, 3) each, and distances to keep from their middles [m], shape (C,).
        most: How far it turns in a tick [rad].

    Returns:
        How far it is turned now [rad].
    """
    (starts, ends, wanted), upper, lower = capsules, bones[0], bones[1]
    root, tip = (shoulder[0], shoulder[1], shoulder[2]), (wrist[0], wrist[1], wrist[2])
    way = subtract(tip, root)
    far = min(length(way), 0.999 * (upper + lower))
    axis = unit(way, (0.0, 0.0, -1.0))
    along = clip((upper * upper - lower * lower + far * far) / (2.0 * max(far, 1e-6)), -upper, upper)
    radius = np.sqrt(max(upper * upper - along * along, 0.0))
    out = subtract((pole[0], pole[1], pole[2]), root)
    out = unit(subtract(out, scale(axis, dot(out, axis))), (0.0, 0.0, -1.0))
    middle, best, least = add(root, scale(axis, along)), 0.0, np.inf
    for n in range(13):
        # The nearest first, so that most others need no look at the trunk.
        angle = 0.25 * ((n // 2) if n % 2 == 0 else -(n + 1) // 2)
        turns = 0.1 * abs(angle) + 0.05 * abs(angle - lift)
        if turns < least:
            elbow = add(middle, scale(turned(about(axis, angle), out), radius))
            cost = 20.0 * _sinks(elbow, tip, starts, ends, wanted, 0.05 * (least - turns)) + turns
            if cost < least:
                best, least = angle, cost
    lift += clip(best - lift, -most, most)
    place = add(middle, scale(turned(about(axis, lift), out), 2.0 * (upper + lower)))
    for k in range(3):
        pole[k] = place[k]
    return lift
