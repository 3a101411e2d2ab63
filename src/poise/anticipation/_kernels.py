"""Compiled loops: what threatens, what is in view, where a hand meets it; plain arrays in, outputs preallocated.

Distances from spots to obstacles come as (R, P) arrays; the last four of the R spots are where hands are held: before the left
and the right shoulder below their height, and the same above it. The others are those of the safety regions.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from poise.math._tuples import (
    about,
    add,
    clip,
    conj,
    cross,
    dot,
    from_to,
    length,
    product,
    put,
    quadruple,
    scale,
    subtract,
    triple,
    turned,
    unit,
    vector,
)

LOW, UPPER, HEAD = 0, 1, 2
"""Where a safety region is."""
_CLOSING = 0.05
"""Something that comes no faster than this does not come [m/s]."""
_AHEAD = 1.2
"""A hand gets to what comes so many times that much before it is to be held."""
_UPRIGHT = 0.3
"""What is held off before a shoulder is held off below it too: heights count so much less."""
_SOFT = 0.05
"""What is held off is slowed over about this much [m]."""


@njit(cache=True, error_model="numpy")
def place_spots(first, second, share, last, now, tick, ahead, below, radii, leads, spots, speeds, reaches):
    """Where the spots are, how fast they move, and how far to look from each.

    Args:
        first: Body each is at, shape (R,).
        second: Body it leans towards, shape (R,).
        share: How far it does, shape (R,).
        last: Bodies a tick ago, shape (B, 3).
        now: Bodies now, shape (B, 3).
        tick: [s].
        ahead: How far each is before that [m], with `below`, shape (R, 3).
        below: How far below [m], shape (R,).
        radii: How far is looked for what stands still, from a spot at rest [m], shape (R,).
        leads: How much farther per speed [s], shape (R,).
        spots: [m], shape (R, 3); written.
        speeds: [m/s], shape (R, 3); written.
        reaches: [m], shape (R,); written.
    """
    for r in range(first.shape[0]):
        a, b, w = first[r], second[r], share[r]
        square = 0.0
        for i in range(3):
            there = last[a, i] + w * (last[b, i] - last[a, i])
            here = now[a, i] + w * (now[b, i] - now[a, i])
            spots[r, i] = here + ahead[r, i]
            speeds[r, i] = (here - there) / tick
            square += speeds[r, i] ** 2
        spots[r, 2] -= below[r]
        reaches[r] = radii[r] + leads[r] * (np.sqrt(square) + 0.5)


@njit(cache=True, error_model="numpy")
def find_threats(
    distance, point, velocity, spots, speeds, radii, priorities, leads, faces, urgency, threatened, closing
):
    """See `threats.find_threats`; whether anything threatens."""
    any_urgent = False
    for p in range(distance.shape[1]):
        urgency[p], threatened[p], closing[p] = np.inf, 0, 0.0
        for s in range(radii.shape[0]):
            far = distance[s, p]
            if not np.isfinite(far):
                continue
            away = subtract(vector(point[s], p), vector(spots, s))
            way = length(away)
            relative = subtract(vector(speeds, s), vector(velocity[s], p))
            comes = (1.0 if far >= 0.0 else -1.0) * dot(away, relative) / max(way, 1e-9)
            gap = max(far - radii[s], 0.0)
            coming = comes > _CLOSING and gap / max(comes, 1e-9) <= leads[s, p]
            ahead = away[0] * faces[0] + away[1] * faces[1] + away[2] * faces[2]
            if coming or (gap == 0.0 and ahead >= -0.3 * way):
                urgent = max(far, 0.0) / max(comes, 0.2) / priorities[s]
                if urgent < urgency[p]:
                    urgency[p], threatened[p], closing[p] = urgent, s, comes
                    any_urgent = True
    return any_urgent


@njit(cache=True, error_model="numpy")
def let_fall(spot, ball, place, drift, gravity, latest):
    """Mean velocity of a ball until it is nearest to a spot that moves evenly.

    Args:
        spot: Where the ball is going by, its velocity follows; shape (3,).
        ball: Nearest point of the ball now, shape (3,).
        place: Velocity of the spot, shape (3,).
        drift: Velocity of the ball, shape (3,); overwritten.
        gravity: [m/s²].
        latest: How far to look ahead [s].
    """
    away, relative = subtract(triple(ball, 0), triple(spot, 0)), subtract(triple(drift, 0), triple(place, 0))
    best, when, step = np.inf, 0.0, 0.02
    for k in range(1, int(latest / step) + 1):
        time = k * step
        there = add(away, scale(relative, time))
        square = there[0] ** 2 + there[1] ** 2 + (there[2] - 0.5 * gravity * time * time) ** 2
        if square < best:
            best, when = square, time
    drift[2] -= 0.5 * gravity * when


@njit(cache=True, error_model="numpy")
def in_view(limits, eye, axes, points, out):
    """See `sight.in_view`; limits are sideways, up and down [rad] and how far [m]."""
    for n in range(points.shape[0]):
        away = subtract(vector(points, n), triple(eye, 0))
        ahead, left, up = dot(away, vector(axes, 0)), dot(away, vector(axes, 1)), dot(away, vector(axes, 2))
        level = np.arctan2(up, np.sqrt(ahead * ahead + left * left))
        beside = abs(np.arctan2(left, ahead)) <= limits[0]
        out[n] = beside and -limits[2] <= level <= limits[1] and length(away) <= limits[3]


@njit(cache=True, error_model="numpy", forceinline=True)
def meeting_time(away, closing, distance, horizon):
    """When something at `away` from a centre, which it nears with `closing`, gets within `distance` of it or nearest to it."""
    square, along = dot(closing, closing), dot(away, closing)
    if square < 1e-6 or along >= 0.0 or dot(away, away) <= distance * distance:
        return 0.0
    inside = along * along - square * (dot(away, away) - distance * distance)
    time = -along / square if inside <= 0.0 else (-along - np.sqrt(inside)) / square
    return clip(time, 0.0, horizon)


@njit(cache=True, error_model="numpy", forceinline=True)
def held_off(away, distance):
    """A way from a centre, led over softly to no less than a `distance`; and how much of its change is left."""
    far = length(away)
    rest = (far - distance) / _SOFT
    if rest > 20.0:
        return away, 1.0
    least = distance + _SOFT * np.log1p(np.exp(rest))
    return scale(away, least / max(far, 1e-6)), 1.0 / (1.0 + np.exp(-rest))


@njit(cache=True, error_model="numpy", forceinline=True)
def aim(near, spots, speeds, holds, raised, flies, fixed, shoulders, hand, obstacle, threatened):
    """Where a hand meets an obstacle, the surface's normal there, and how that place moves against the body.

    What flies, and what threatens low regions, is met on its way to the region; everything else by its point nearest to where
    a person holds a hand, before the shoulder and a little below it. For what flies the hand waits; everything else it goes to
    meet, so that it moves along with it once it gets there, and slows it down from then on. The last result is how long that
    takes, if both go on as they do.
    """
    distance, point, normal, velocity = near
    row = distance.shape[0] - 4 + hand + (2 if raised[threatened] == HEAD else 0)
    shoulder = vector(shoulders, hand)
    own = np.isfinite(distance[row, obstacle]) and raised[threatened] != LOW and not flies[obstacle]
    if not own:
        row = threatened
    centre = shoulder if own else vector(spots, threatened)
    outward, there = vector(normal[row], obstacle), vector(point[row], obstacle)
    if fixed[obstacle]:
        return there, outward, scale(vector(speeds, threatened), -1.0), 0.0
    away = subtract(there, centre)
    relative = subtract(vector(velocity[row], obstacle), vector(speeds, threatened))
    hold, upright = holds[threatened], _UPRIGHT if own else 1.0
    time = meeting_time(_flattened(away, upright), _flattened(relative, upright), hold + _AHEAD * _SOFT, 3.0)
    if flies[obstacle]:
        off, _ = held_off(add(away, scale(relative, time)), hold)
        return add(centre, off), unit(relative, outward), relative if time == 0.0 else (0.0, 0.0, 0.0), 0.0
    off, left = held_off(_flattened(away, upright), hold)
    return add(centre, (off[0], off[1], away[2] if own else off[2])), outward, scale(relative, left), time


@njit(cache=True, error_model="numpy", forceinline=True)
def _flattened(away, share):
    return (away[0], away[1], share * away[2])


@njit(cache=True, error_model="numpy")
def find_meetings(
    near,
    spots,
    speeds,
    holds,
    raised,
    flies,
    fixed,
    shoulders,
    hands,
    lengths,
    faces,
    urgency,
    threatened,
    heavy,
    kept,
    out,
):
    """The most urgent obstacles and how either hand gets to them; returns how many.

    Args:
        near: Closest points: distance, point, normal, velocity.
        spots: Shape (R, 3).
        speeds: Of them, shape (R, 3).
        holds: How far from each spot things are held, shape (S,).
        raised: Whether a region is `LOW`, of the `UPPER` body or of the `HEAD`, shape (S,).
        flies: Whether an obstacle does, shape (P,).
        fixed: Whether it is, shape (P,).
        shoulders: Shape (2, 3).
        hands: Shape (2, 3).
        lengths: Of the arms, shape (2,).
        faces: Where the chest faces, shape (3,).
        urgency: Shape (P,).
        threatened: Shape (P,).
        heavy: Whether an obstacle takes both hands for its mass, shape (P,): a hand that has it keeps it across the body.
        kept: What either hand has now, shape (2,).
        out: Rows of obstacle, and for either hand: way of the hand, way from the shoulder, whether it is across, whether it
            can be reached; shape (most, 9); written.
    """
    most, count = out.shape[0], 0
    reachable, kept_reachable, aside, kept_aside, kept_heavy = 1.25, 1.5, 0.2, 0.24, 0.35
    left = (-faces[1], faces[0], 0.0)
    for _ in range(most):
        best = -1
        for p in range(urgency.shape[0]):
            if not np.isfinite(urgency[p]) or (best >= 0 and urgency[p] >= urgency[best]):
                continue
            taken = False
            for k in range(count):
                taken = taken or out[k, 0] == p
            if not taken:
                best = p
        if best < 0:
            break
        row = out[count]
        row[0] = best
        count += 1
        for hand in range(2):
            there, _, drift, time = aim(
                near, spots, speeds, holds, raised, flies, fixed, shoulders, hand, best, threatened[best]
            )
            there = add(there, scale(drift, time))
            has = kept[hand] == best
            away = subtract(there, vector(shoulders, hand))
            far = length(away)
            side = dot(away, left) * (1.0 if hand == 0 else -1.0)
            at = 1 + 4 * hand
            row[at] = length(subtract(there, vector(hands, hand)))
            row[at + 1] = far
            across = side < -((kept_heavy if heavy[best] else kept_aside) if has else aside)
            back = (0.5 if has else 0.3) if fixed[best] else (0.25 if has else 0.05)
            behind = dot(away, triple(faces, 0)) < -back * far
            near_enough = far < (kept_reachable if has else reachable) * lengths[hand]
            row[at + 2] = 1.0 if across else 0.0
            row[at + 3] = 1.0 if near_enough and not behind and not across else 0.0
    return count


@njit(cache=True, error_model="numpy")
def aim_hand(near, spots, speeds, holds, raised, flies, fixed, shoulders, hand, obstacle, threatened, out):
    """`aim` for one hand: point, normal and drift, shape (3, 3), written; returns the time."""
    there, outward, drift, time = aim(
        near, spots, speeds, holds, raised, flies, fixed, shoulders, hand, obstacle, threatened
    )
    put(out, 0, there)
    put(out, 1, outward)
    put(out, 2, drift)
    return time


@njit(cache=True, error_model="numpy")
def palm_turn(normal, fingers, palm, along, out):
    """See `rules.palm_turn`; shape (4,), written."""
    n = triple(normal, 0)
    flat = triple(fingers, 0)
    for spare in ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0)):
        flat = subtract(flat, scale(n, dot(flat, n)))
        if length(flat) > 0.1:
            break
        flat = spare
    flat = unit(subtract(flat, scale(n, dot(flat, n))), (1.0, 0.0, 0.0))
    down = scale(n, -1.0)
    facing = from_to(triple(palm, 0), down, triple(along, 0))
    now = turned(facing, triple(along, 0))
    angle = np.arctan2(dot(down, cross(now, flat)), dot(now, flat))
    turn = product(about(down, angle), facing)
    for k in range(4):
        out[k] = turn[k]


@njit(cache=True)
def cheapest(urgency, ways, across, reachable, current):
    """See `assign.assign_hands`; the two hands never share one here."""
    per_metre, over, keep = 0.8, 0.5, 0.4
    count = urgency.shape[0]
    best, least, chosen = 0, 0.0, (-1, -1)
    cost = np.empty((count, 2))
    for n in range(count):
        for hand in range(2):
            cost[n, hand] = urgency[n] + per_metre * ways[n, hand] + over * across[n, hand]
            cost[n, hand] -= keep if current[hand] == n else 0.0
            if not reachable[n, hand]:
                cost[n, hand] = np.inf
    for left in range(-1, count):
        for right in range(-1, count):
            if left == right or (left >= 0 and cost[left, 0] == np.inf) or (right >= 0 and cost[right, 1] == np.inf):
                continue
            answered = (left >= 0) + (right >= 0)
            paid = (cost[left, 0] if left >= 0 else 0.0) + (cost[right, 1] if right >= 0 else 0.0)
            if answered > best or (answered == best and paid < least):
                best, least, chosen = answered, paid, (left, right)
    return chosen


@njit(cache=True, error_model="numpy")
def level_facing(turn, neutral):
    """Where a body faces that looks along x in the neutral pose, level; shape (3,)."""
    own = product(quadruple(turn, 0), conj(quadruple(neutral, 0)))
    ahead = turned(own, (1.0, 0.0, 0.0))
    far = np.sqrt(ahead[0] ** 2 + ahead[1] ** 2)
    out = np.array([1.0, 0.0, 0.0])
    if far > 1e-6:
        out[0], out[1] = ahead[0] / far, ahead[1] / far
    return out


@njit(cache=True, error_model="numpy")
def look(turn, neutral, place, eyes, eye, axes):
    """Where the eyes are, shape (3,), and the axes ahead, left and up of the gaze as rows, shape (3, 3); both written.

    Args:
        turn: Of the head, shape (4,).
        neutral: The same in the neutral pose, shape (4,).
        place: Of the head's joint, shape (3,).
        eyes: From there in the neutral pose [m], shape (3,).
        eye: Written.
        axes: Written.
    """
    own = product(quadruple(turn, 0), conj(quadruple(neutral, 0)))
    there = add(triple(place, 0), turned(own, triple(eyes, 0)))
    for k in range(3):
        eye[k] = there[k]
    put(axes, 0, turned(own, (1.0, 0.0, 0.0)))
    put(axes, 1, turned(own, (0.0, 1.0, 0.0)))
    put(axes, 2, turned(own, (0.0, 0.0, 1.0)))


@njit(cache=True, error_model="numpy")
def threatening(urgency, threatened, point, open_eyes, which, points):
    """The obstacles that threaten and are not left unseen, and their points; returns how many."""
    count = 0
    for p in range(urgency.shape[0]):
        if np.isfinite(urgency[p]) and open_eyes[p]:
            which[count] = p
            for k in range(3):
                points[count, k] = point[threatened[p], p, k]
            count += 1
    return count
