"""Compiled loops: what is about to hit a body or has hit it, and how a part gives way and comes back; outputs preallocated."""

from __future__ import annotations

import numpy as np

from poise.body._layout import spin_at, turn_at
from poise.math._compile import njit
from poise.math._easing import approached
from poise.math._kernels import difference, exponential, product
from poise.math._tuples import add, cross, dot, length, put, scale, subtract, unit, vector

CAPSULE, BOX = 3, 6
_ROUNDS = 4
"""Of going to and fro between two shapes for their closest points; each halves what is left and more."""


@njit(cache=True, error_model="numpy", forceinline=True)
def _axis(turns, geom, k):
    return (turns[geom, k], turns[geom, 3 + k], turns[geom, 6 + k])


@njit(cache=True, error_model="numpy", forceinline=True)
def _on_segment(spot, place, along, half):
    return add(place, scale(along, min(max(dot(subtract(spot, place), along), -half), half)))


@njit(cache=True, error_model="numpy", forceinline=True)
def _on_thing(spot, kind, size, place, turns, geom):
    """The point of a sphere's, capsule's or box' core that is closest to a spot."""
    if kind == BOX:
        point, away = place, subtract(spot, place)
        for k in range(3):
            along = _axis(turns, geom, k)
            point = add(point, scale(along, min(max(dot(away, along), -size[k]), size[k])))
        return point
    return _on_segment(spot, place, _axis(turns, geom, 2), size[1] if kind == CAPSULE else 0.0)


@njit(cache=True, error_model="numpy", forceinline=True)
def _speed(spot, body, motion):
    """Velocity of a point of a body in the world."""
    twists, pivots, roots = motion
    spin, drift = (
        (twists[body, 0], twists[body, 1], twists[body, 2]),
        (twists[body, 3], twists[body, 4], twists[body, 5]),
    )
    return add(drift, cross(spin, subtract(spot, vector(pivots, roots[body]))))


@njit(cache=True, error_model="numpy", forceinline=True)
def _fastest(place, bound, body, motion):
    """What no point of a shape is faster than."""
    twists = motion[0]
    spin = (twists[body, 0], twists[body, 1], twists[body, 2])
    return length(_speed(place, body, motion)) + length(spin) * bound


@njit(cache=True, error_model="numpy", forceinline=True)
def _deals(busy, obstacle):
    """Whether a hand deals with an obstacle."""
    return obstacle >= 0 and (busy[0] == obstacle or busy[1] == obstacle)


@njit(cache=True, error_model="numpy", forceinline=True)
def _at_work(busy, arm):
    """Whether the hand of an arm has something to do: then the arm is ready for anything."""
    return arm >= 0 and busy[arm] >= 0


@njit(cache=True, error_model="numpy")
def _meeting(core, mine, body, thing, other_body, world):
    """How far an own geom's surface is from a thing's, and how fast they close in there; `world` is that of `approaching`."""
    kinds, sizes, _, (places, turns), motion, _ = world
    size, place, here, along = (
        sizes[thing],
        vector(places, thing),
        vector(places, mine),
        _axis(turns, mine, int(core[2])),
    )
    spot = here
    for _ in range(_ROUNDS):
        other = _on_thing(spot, kinds[thing], size, place, turns, thing)
        spot = _on_segment(other, here, along, core[1])
    apart = subtract(_on_thing(spot, kinds[thing], size, place, turns, thing), spot)
    speed = subtract(_speed(spot, body, motion), _speed(add(spot, apart), other_body, motion))
    gap = length(apart) - core[0] - (0.0 if kinds[thing] == BOX else size[0])
    return gap, dot(speed, unit(apart, (0.0, 0.0, 0.0)))


@njit(cache=True, error_model="numpy")
def approaching(own, things, world, busy, rules, what, momenta):
    """Which obstacle is about to hit each own geom hard; one hits what it meets first.

    Args:
        own: Geoms (N,), bodies (N,), arms (N,; -1 for none), cores (N, 4: radius, half length, axis, bounding radius), least
            momentum of a hit (N,), and the body in the middle.
        things: Geoms (G,), bodies (G,), obstacles (G,), effective masses (G,) [kg].
        world: Of all geoms: kinds, sizes, bounding radii, places and matrices; of all bodies: twists about the pivots with
            pivots and roots, places.
        busy: The obstacle either hand deals with, -1 for none.
        rules: How far from the middle own geoms are at most [m]; how long before it happens a hit is told [s]; least closing
            speed, and speed of an obstacle that flies past hands [m/s]; gap at which a hand stops what it deals with [m]; and
            how long after the first something is met at once with it, as a share of the time ahead.
        what: Geom that is about to hit each own one, -1 for none, shape (N,); written.
        momenta: With what momentum [kg m/s], shape (N,); written where one is.

    Returns:
        How many are about to be hit.
    """
    geoms, bodies, arms, cores, limits, middle = own
    thing_geoms, thing_bodies, owners, masses = things
    _, _, bounds, (places, _), motion, body_places = world
    reach, ahead, slow, passing, touches, at_once = rules
    centre, count, fastest, least = vector(body_places, middle), 0, 0.0, np.inf
    fast, times, blows = np.empty(geoms.shape[0]), np.empty(geoms.shape[0]), np.empty(geoms.shape[0])
    what[:] = -1
    for i in range(geoms.shape[0]):
        fast[i] = _fastest(vector(places, geoms[i]), cores[i, 3], bodies[i], motion)
        fastest, least = max(fastest, fast[i]), min(least, limits[i])
    for g in range(thing_geoms.shape[0]):
        thing = thing_geoms[g]
        place = vector(places, thing)
        away, near = subtract(place, centre), reach + bounds[thing]
        far = dot(away, away)
        if far > (near + 1.0) ** 2:
            continue
        flying = _fastest(place, bounds[thing], thing_bodies[g], motion)
        most = flying + fastest
        if most < slow or most * masses[g] < least or far > (near + ahead * most) ** 2:
            continue
        dealt = _deals(busy, owners[g])
        if dealt and length(_speed(place, thing_bodies[g], motion)) < passing:
            continue
        first = np.inf
        for i in range(geoms.shape[0]):
            most, times[i] = flying + fast[i], np.inf
            deals = arms[i] >= 0 and busy[arms[i]] == owners[g]
            if most * masses[g] < limits[i] and not deals:
                continue
            apart = subtract(place, vector(places, geoms[i]))
            if dot(apart, apart) > (bounds[thing] + cores[i, 3] + ahead * most) ** 2:
                continue
            gap, closing = _meeting(cores[i], geoms[i], bodies[i], thing, thing_bodies[g], world)
            stops = deals and gap < touches
            if stops or (closing > slow and gap < ahead * closing):
                first = min(first, 0.0 if stops else max(gap, 0.0) / closing)
                if closing * masses[g] > limits[i] and not _at_work(busy, arms[i]):
                    times[i], blows[i] = max(gap, 0.0) / closing, closing * masses[g]
        for i in range(geoms.shape[0]):
            if times[i] < np.inf and times[i] <= first + at_once * ahead:
                count += what[i] < 0
                what[i], momenta[i] = thing, blows[i]
    return count


@njit(cache=True, error_model="numpy")
def felt(contacts, geoms, arms, limits, busy, what, momenta):
    """What has hit each own geom hard in the last tick; what springs back gives twice its momentum.

    Args:
        contacts: Geoms that touched (c, 2), and impulses (c,).
        geoms: Number of each geom among the own ones, -1 for none; and obstacle of each, -1 for another character's, -2 for
            what does not count, shape (geoms,) both.
        arms: As in `approaching`, as are the next two.
        limits: See there.
        busy: See there.
        what: Written as there where something has, as are `momenta`.
        momenta: See there.

    Returns:
        How many were hit.
    """
    (pairs, impulses), (slots, others) = contacts, geoms
    count = 0
    for c in range(pairs.shape[0]):
        for side in range(2):
            i, other = slots[pairs[c, side]], pairs[c, 1 - side]
            if i < 0 or others[other] < -1 or 0.5 * impulses[c] < limits[i]:
                continue
            if not _at_work(busy, arms[i]) and not _deals(busy, others[other]):
                count += what[i] < 0
                what[i], momenta[i] = other, 0.5 * impulses[c]
    return count


@njit(cache=True, error_model="numpy")
def contact_torques(contacts, rate, owners, parents, bodies, frames, torques):
    """Mean torque of a tick's contacts about every joint above them, in the joints' own frames.

    Args:
        contacts: Geoms that touched (c, 2), impulses (c,), points in the world (c, 3), and directions of the force on the
            second geom (c, 3).
        rate: Ticks per second.
        owners: Own body of each geom, -1 for none, shape (geoms,).
        parents: Of own bodies, shape (B,).
        bodies: The world's number of each, shape (B,).
        frames: Places of the world's bodies, and their turns as matrices row by row.
        torques: Written, shape (B, 3).
    """
    (pairs, impulses, points, normals), (places, turns) = contacts, frames
    torques[:] = 0.0
    for c in range(pairs.shape[0]):
        first, second = owners[pairs[c, 0]], owners[pairs[c, 1]]
        if (first >= 0) == (second >= 0):
            continue
        body = second if second >= 0 else first
        force = scale(vector(normals, c), (impulses[c] if second >= 0 else -impulses[c]) * rate)
        while body > 0:
            turn = cross(subtract(vector(points, c), vector(places, bodies[body])), force)
            for k in range(3):
                torques[body, k] += dot(_axis(turns, bodies[body], k), turn)
            body = parents[body]


@njit(cache=True, error_model="numpy")
def brace(torques, soft, factor, slack, shares, load, gains, carried):
    """Soften muscles and let them carry a share of the contacts' torque.

    Args:
        torques: Of the contacts about each joint, in its frame [N m], shape (B, 3).
        soft: Bodies whose muscles these are, shape (m,).
        factor: On their frequency.
        slack: Share of the load that counts.
        shares: Of the torque that is carried in the end; of the way to it that a tick takes; and the same where it gets less.
        load: What is carried, from tick to tick, shape (B, 3); written.
        gains: Stiffness and damping of all muscles, shape (B-1,) each; written.
        carried: Load of them, shape (B-1, 3); written.
    """
    (share, felt, forgotten), (stiffness, damping) = shares, gains
    for n in range(soft.shape[0]):
        b = soft[n]
        goal, now = scale(vector(torques, b), -share), vector(load, b)
        rate = felt if dot(goal, goal) > dot(now, now) else forgotten
        put(load, b, add(now, scale(subtract(goal, now), rate)))
        for k in range(3):
            carried[b - 1, k] += slack * load[b, k]
        stiffness[b - 1] *= factor * factor
        damping[b - 1] *= factor


@njit(cache=True, error_model="numpy")
def apart(here, meant, then, velocities, freed, step, away, speed):
    """How far joints are from their motion, and how fast that changes.

    Args:
        here: Generalized positions now, shape (nq,).
        meant: Those of the motion now.
        then: Those of the motion a step later.
        velocities: Generalized velocities now, shape (nv,).
        freed: Bodies whose joints these are, shape (n,).
        step: [s].
        away: Rotation vectors from the motion [rad], shape (n, 3); written.
        speed: [rad/s]; written.
    """
    turn, moved, vector_then = np.empty(4), np.empty(4), np.empty(3)
    for n in range(freed.shape[0]):
        at, w = turn_at(freed[n]), spin_at(freed[n])
        difference(meant[at : at + 4], here[at : at + 4], away[n])
        exponential((step * velocities[w], step * velocities[w + 1], step * velocities[w + 2]), turn)
        product(here[at : at + 4], turn, moved)
        difference(then[at : at + 4], moved, vector_then)
        for k in range(3):
            speed[n, k] = (vector_then[k] - away[n, k]) / step


@njit(cache=True, error_model="numpy")
def lead(rows, freed, away, speed, begin, times, duration):
    """Turn joints so that what keeps them from their motion shrinks to nothing: a quintic, C2 at its end, C1 at its start.

    Args:
        rows: Generalized positions at the times, shape (T, nq); written.
        freed: Bodies whose joints these are, shape (n,).
        away: Rotation vectors from the motion at first [rad], shape (n, 3).
        speed: How fast they change then [rad/s], shape (n, 3).
        begin: Since when [s].
        times: Shape (T,) [s].
        duration: [s].
    """
    turn, moved = np.empty(4), np.empty(4)
    for t in range(times.shape[0]):
        for n in range(freed.shape[0]):
            at = turn_at(freed[n])
            left, _, _ = approached(vector(away, n), vector(speed, n), (0.0, 0.0, 0.0), duration, times[t] - begin)
            exponential(left, turn)
            product(rows[t, at : at + 4], turn, moved)
            for part in range(4):
                rows[t, at + part] = moved[part]
