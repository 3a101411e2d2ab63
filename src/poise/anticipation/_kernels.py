"""Compiled loops: what threatens, what is in view, where a hand meets it; plain arrays in, outputs preallocated.

Distances from spots to obstacles come as (R, P) arrays; the last four of the R spots are where hands are held: before the left
and the right shoulder below their height, and the same above it. The others are those of the safety regions.
"""

from __future__ import annotations

import numpy as np

from poise.math._compile import njit
from poise.math._tuples import (
    about,
    add,
    clip,
    cross,
    dot,
    from_to,
    length,
    product,
    put,
    scale,
    subtract,
    triple,
    turned,
    unit,
    vector,
)

LOW, UPPER, HEAD = 0, 1, 2
"""Where a safety region is."""
WHICH, WAY, FAR, ACROSS, REACHED, URGENCY, MEETING = 0, 1, 2, 3, 4, 9, 10
"""A meeting with an obstacle: which, then for the left hand its way there [m], how far from the shoulder that is [m], whether
it is across the body, whether it can be reached, and the same for the right hand; how urgent it is; and the length of that."""


@njit(cache=True, error_model="numpy")
def place_spots(at, looks, bodies, faces, tick, share, out):
    """Where the spots are, how fast they move, and how far to look from each.

    Args:
        at: Of each spot, shape (R,): the body it is at, the body it leans towards, how far it does, how far ahead it is and
            how far below [m].
        looks: How far is looked for what stands still, from a spot at rest [m] (R,), and how much farther per speed [s] (R,).
        bodies: Where bodies were a tick ago, and are now, shape (B, 3) each.
        faces: Ahead, shape (3,).
        tick: [s].
        share: How much of the speeds is new.
        out: Spots [m] (R, 3), their speeds, mean over a while [m/s] (R, 3), and reaches [m] (R,); written.
    """
    first, second, leans, ahead, below = at
    (radii, leads), (last, now), (spots, speeds, reaches) = looks, bodies, out
    for r in range(first.shape[0]):
        a, b, w = first[r], second[r], leans[r]
        square = 0.0
        for i in range(3):
            there = last[a, i] + w * (last[b, i] - last[a, i])
            here = now[a, i] + w * (now[b, i] - now[a, i])
            spots[r, i] = here + ahead[r] * faces[i]
            speed = (here - there) / tick
            square += speed**2
            speeds[r, i] += share * (speed - speeds[r, i])
        spots[r, 2] -= below[r]
        reaches[r] = radii[r] + leads[r] * (np.sqrt(square) + 0.5)


@njit(cache=True, error_model="numpy", forceinline=True)
def _passes(away, relative, within, still, beside):
    """Whether what is `away` from a spot that moves `relative` to it stays there, or goes by no nearer than `within`.

    Going by counts where `beside` says so.
    """
    square, along = dot(relative, relative), dot(away, relative)
    if square < still * still:
        return True
    if not beside:
        return False
    nearest = dot(away, away) - max(along, 0.0) ** 2 / square
    return nearest > within * within


@njit(cache=True, error_model="numpy")
def find_threats(near, spots, speeds, regions, latency, faces, threats):
    """See `threats.find_threats`; whether anything threatens.

    Args:
        near: Closest points: distance, point and velocity.
        spots: Shape (R, 3).
        speeds: Of them, shape (R, 3).
        regions: The columns of `threats.Watched`.
        latency: [s].
        faces: Ahead, shape (3,).
        threats: The columns of `threats.Threats`; written.
    """
    (distance, point, velocity), (radii, priorities, leads, flies, steady, within, taken, coming_rules) = near, regions
    closing_least, flying, short, behind, slowest, stays, rests, beside = coming_rules
    urgency, threatened, closing, early, counted = threats
    any_urgent = False
    for p in range(distance.shape[1]):
        urgency[p], threatened[p], closing[p], early[p], counted[p] = np.inf, 0, 0.0, True, False
        for s in range(radii.shape[0]):
            far = distance[s, p]
            if not np.isfinite(far):
                continue
            away = subtract(vector(point[s], p), vector(spots, s))
            way = length(away)
            relative = subtract(vector(speeds, s), vector(velocity[s], p))
            comes = (1.0 if far >= 0.0 else -1.0) * dot(away, relative) / max(way, 1e-9)
            gap = max(far - radii[s], 0.0)
            entry = gap / max(comes, 1e-9)
            speed = vector(velocity[s], p)
            falls = flies[p] and dot(speed, speed) >= flying * flying
            ahead = away[0] * faces[0] + away[1] * faces[1] + away[2] * faces[2]
            inside = gap == 0.0 and ahead >= -behind * way and not falls
            due = entry <= leads[s, p] + latency
            if not (inside or (due and comes > (short if falls else closing_least))):
                continue
            still = rests if taken[p] else stays
            let_be = not (steady[p] or flies[p]) and _passes(away, relative, within[s, p], still, beside)
            if not let_be:
                early[p] = early[p] and gap > 0.0 and entry > leads[s, p]
                if not counted[p]:
                    # What was let be by a spot before is nothing beside what is not.
                    counted[p], urgency[p] = True, np.inf
            urgent = max(far, 0.0) / max(comes, slowest) / priorities[s]
            if let_be != counted[p] and urgent < urgency[p]:
                urgency[p], threatened[p], closing[p] = urgent, s, comes
                any_urgent = True
    return any_urgent


@njit(cache=True, error_model="numpy", forceinline=True)
def _off_after(away, relative, gravity, time):
    """How far what falls is from a spot after a time, squared."""
    there = add(away, scale(relative, time))
    return there[0] ** 2 + there[1] ** 2 + (there[2] - 0.5 * gravity * time * time) ** 2


@njit(cache=True, error_model="numpy", forceinline=True)
def _falls(away, relative, gravity, latest):
    """How much slower upward what falls is in the mean until it is nearest to a spot."""
    best, when, step = np.inf, 0.0, 0.02
    for k in range(1, int(latest / step) + 1):
        square = _off_after(away, relative, gravity, k * step)
        if square < best:
            best, when = square, k * step
    # Between two steps it is nearest: a foreseen place shall not jump from one to the next.
    sooner = _off_after(away, relative, gravity, when - step)
    later = _off_after(away, relative, gravity, when + step)
    bend = sooner - 2.0 * best + later
    if bend > 0.0:
        when += step * clip(0.5 * (sooner - later) / bend, -0.5, 0.5)
    return 0.5 * gravity * when


@njit(cache=True, error_model="numpy")
def expect(near, spots, speeds, factors, balls, flight):
    """How obstacles seem to move: with a factor on it, and balls with their mean velocity until they are nearest to a spot.

    Args:
        near: Closest points: distance, point, normal, and velocity, which is overwritten.
        spots: Shape (R, 3).
        speeds: Of them, shape (R, 3).
        factors: On velocities, shape (P,).
        balls: Which obstacles fall, shape (n,).
        flight: Gravity [m/s²], how far to look ahead [s], and how fast what flies is at least [m/s].
    """
    (distance, point, _, velocity), (gravity, latest, flying) = near, flight
    for r in range(distance.shape[0]):
        for p in range(distance.shape[1]):
            if factors[p] != 1.0 and np.isfinite(distance[r, p]):
                put(velocity[r], p, scale(vector(velocity[r], p), factors[p]))
        for ball in balls:
            drift = vector(velocity[r], ball)
            if np.isfinite(distance[r, ball]) and dot(drift, drift) >= flying * flying:
                away = subtract(vector(point[r], ball), vector(spots, r))
                velocity[r, ball, 2] -= _falls(away, subtract(drift, vector(speeds, r)), gravity, latest)


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
def held_off(away, distance, soft):
    """A way from a centre, led over to no less than a `distance` over about `soft`; and how much of its change is left."""
    far = length(away)
    rest = (far - distance) / soft
    if rest > 20.0:
        return away, 1.0
    least = distance + soft * np.log1p(np.exp(rest))
    return scale(away, least / max(far, 1e-6)), 1.0 / (1.0 + np.exp(-rest))


@njit(cache=True, error_model="numpy", forceinline=True)
def aim(near, hand, obstacle, threatened):
    """Where a hand meets an obstacle, the surface's normal there, and how that place moves against the body.

    What flies, and what threatens low regions, is met on its way to the region; everything else by its point nearest to where
    a person holds a hand, before the shoulder and a little below it. For what flies the hand waits; everything else it goes to
    meet, so that it moves along with it once it gets there, and slows it down from then on. The last result is when the
    obstacle gets there, if both go on as they do.

    Args:
        near: Closest points (distance, point, normal, velocity); spots (R, 3) and their speeds (R, 3); how far from each
            region's spot things are held (S,), and how softly, sooner by how much of that, and how much less heights count
            (`Holding`); whether it is `LOW`, of the `UPPER` body or of the `HEAD` (S,); whether an obstacle flies (P,), and
            whether it is fixed (P,); shoulders (2, 3).
        hand: Which hand it is.
        obstacle: Which obstacle.
        threatened: The spot it threatens.
    """
    (
        (distance, point, normal, velocity),
        spots,
        speeds,
        (holds, (soft, sooner, heights)),
        raised,
        flies,
        fixed,
        shoulders,
    ) = near
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
    hold, upright = holds[threatened], heights if own else 1.0
    time = meeting_time(_flattened(away, upright), _flattened(relative, upright), hold + sooner * soft, 3.0)
    if flies[obstacle]:
        off, _ = held_off(add(away, scale(relative, time)), hold, soft)
        return add(centre, off), unit(relative, outward), relative if time == 0.0 else (0.0, 0.0, 0.0), time
    off, left = held_off(_flattened(away, upright), hold, soft)
    return add(centre, (off[0], off[1], away[2] if own else off[2])), outward, scale(relative, left), time


@njit(cache=True, error_model="numpy", forceinline=True)
def _flattened(away, share):
    return (away[0], away[1], share * away[2])


@njit(cache=True, error_model="numpy")
def find_meetings(near, hands, lengths, faces, urgency, threatened, kept, out):
    """The most urgent obstacles and how either hand gets to them; returns how many.

    Args:
        near: As in `aim`.
        hands: Shape (2, 3).
        lengths: Of the arms, shape (2,).
        faces: Where the chest faces, shape (3,).
        urgency: Shape (P,).
        threatened: Shape (P,).
        kept: What either hand has now, shape (2,).
        out: Shape (most, MEETING); written.
    """
    most, count = out.shape[0], 0
    reachable, kept_reachable, aside, kept_aside = 1.25, 1.5, 0.2, 0.35
    left, fixed, shoulders = (-faces[1], faces[0], 0.0), near[6], near[7]
    waiting, number = np.empty(urgency.shape[0], dtype=np.int64), 0
    for p in range(urgency.shape[0]):
        if np.isfinite(urgency[p]):
            waiting[number] = p
            number += 1
    for _ in range(min(most, number)):
        best, place = -1, 0
        for k in range(number):
            p = waiting[k]
            if p >= 0 and (best < 0 or urgency[p] < urgency[best]):
                best, place = p, k
        waiting[place] = -1
        row = out[count]
        row[WHICH], row[URGENCY] = best, urgency[best]
        count += 1
        for hand in range(2):
            there, _, drift, time = aim(near, hand, best, threatened[best])
            there = add(there, scale(drift, time))
            has = kept[hand] == best
            away = subtract(there, vector(shoulders, hand))
            far = length(away)
            side = dot(away, left) * (1.0 if hand == 0 else -1.0)
            at = 4 * hand
            row[WAY + at], row[FAR + at] = length(subtract(there, vector(hands, hand))), far
            across = side < -(kept_aside if has else aside)
            back = (0.5 if has else 0.3) if fixed[best] else (0.25 if has else 0.05)
            behind = dot(away, triple(faces, 0)) < -back * far
            near_enough = far < (kept_reachable if has else reachable) * lengths[hand]
            row[ACROSS + at] = 1.0 if across else 0.0
            row[REACHED + at] = 1.0 if near_enough and not behind and not across else 0.0
    return count


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
def cheapest(meetings, current):
    """See `assign.assign_hands`; the two hands never share one here. What left and right take, -1 for nothing."""
    per_metre, over, keep = 0.8, 0.5, 0.4
    count = meetings.shape[0]
    best, least, first, second = 0, 0.0, -1, -1
    cost = np.empty((count, 2))
    for n in range(count):
        for hand in range(2):
            at = 4 * hand
            cost[n, hand] = meetings[n, URGENCY] + per_metre * meetings[n, WAY + at] + over * meetings[n, ACROSS + at]
            cost[n, hand] -= keep if current[hand] == meetings[n, WHICH] else 0.0
            if meetings[n, REACHED + at] == 0.0:
                cost[n, hand] = np.inf
    for left in range(-1, count):
        for right in range(-1, count):
            if left == right or (left >= 0 and cost[left, 0] == np.inf) or (right >= 0 and cost[right, 1] == np.inf):
                continue
            answered = (left >= 0) + (right >= 0)
            paid = (cost[left, 0] if left >= 0 else 0.0) + (cost[right, 1] if right >= 0 else 0.0)
            if answered > best or (answered == best and paid < least):
                best, least, first, second = answered, paid, left, right
    return (
        int(meetings[first, WHICH]) if first >= 0 else -1,
        int(meetings[second, WHICH]) if second >= 0 else -1,
    )
