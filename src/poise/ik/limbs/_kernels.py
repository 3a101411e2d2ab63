"""Compiled two-bone limbs; plain arrays in, changed in place."""

from __future__ import annotations

import numpy as np

from poise.body._layout import turn_at
from poise.ik._kernels import excess, frames, put_at, relative, surely_within, swing_twist, within
from poise.math._compile import njit
from poise.math._tuples import (
    about,
    add,
    clip,
    conj,
    cross,
    dot,
    from_to,
    length,
    normalized,
    perpendicular,
    product,
    quaternion,
    scale,
    subtract,
    turned,
    unit,
    vector,
)

_FLAT = 0.05
"""Sine of the bend below which a bend plane is taken more and more from the joint's own hinge."""
_ROOT, _MID, _END = 0, 4, 8
"""Where the joints' last coordinates are in a limb's memory; the twist added to the middle and the end's follow."""
_SURE = 0.02
"""A twist told by its series counts as inside a range when it is by this much [rad]."""
_MARGIN = 2e-3
"""The swivel search stays this far [rad] inside the limits, so that what is left of it breaks none."""


@njit(cache=True, error_model="numpy", forceinline=True)
def reach(distance, shortest, longest, own, softness):
    """Distance from root to end that a limb takes for a goal at `distance` (see `limbs.LimbOptions.softness`).

    `own` is the vector from root to end in the pose that was given.
    """
    start = longest * (1.0 - softness)
    if distance > start:
        start = max(start, min(length(own), longest * (1.0 - 0.1 * softness)))
        room = longest - start
    if distance > start:
        distance = longest - room * np.exp(-(distance - start) / room) if room > 1e-12 else longest
    return max(distance, shortest)


@njit(cache=True, error_model="numpy", forceinline=True)
def bend_axis(a, b, hinge):
    """Unit axis about which the lower bone b is bent from the upper bone a, perpendicular to a.

    It is the normal of their plane where they bend as the hinge does by more than `_FLAT`; nearer to straight it leads over to
    the hinge with continuous slope.
    """
    c = cross(a, b)
    s = dot(c, hinge)
    along = s if s >= _FLAT else _FLAT / (2.0 - s / _FLAT)
    n = add(c, scale(hinge, along - s))
    n = subtract(n, scale(a, dot(n, a)))
    size = length(n)
    return scale(n, 1.0 / size) if size > 1e-12 else perpendicular(a)


@njit(cache=True, error_model="numpy", forceinline=True)
def swivel(axis, bend, to_pole, size, weight):
    """Rotation about the root-end axis that turns the bend towards the pole; fades where the pole nears the axis.

    Hu 2024, Eq. 2 with the absolute signed angle.
    """
    away = subtract(to_pole, scale(axis, dot(to_pole, axis)))
    far = length(away)
    share = weight * clip(far / (0.05 * size), 0.0, 1.0)
    target = unit(add(scale(away, share / max(far, 1e-12)), scale(bend, 1.0 - share)), bend)
    return from_to(bend, target, axis)


@njit(cache=True, error_model="numpy", forceinline=True)
def _excess_at(angle, turn, axis, left, right, lower, upper):
    """How far the root joint would be outside its limits after a swivel by `angle`."""
    swivelled = product(product(left, product(about(axis, angle), turn)), right)
    return excess(swing_twist(swivelled), lower, upper, _MARGIN)


@njit(cache=True, error_model="numpy", forceinline=True)
def limit_swivel(turn, angles, axis, left, right, lower, upper):
    """Swivel that brings the root joint inside its limits, as far as a few Gauss-Newton steps get.

    The joint's anatomical rotation is left * turn * right, with swing and twist `angles`.
    """
    angle, step = 0.0, 1e-5
    swivel = (1.0, 0.0, 0.0, 0.0)
    for _ in range(6):
        e = excess(angles, lower, upper, _MARGIN)
        if dot(e, e) < 1e-12:
            break
        ahead = _excess_at(angle + step, turn, axis, left, right, lower, upper)
        behind = _excess_at(angle - step, turn, axis, left, right, lower, upper)
        slope = scale(subtract(ahead, behind), 0.5 / step)
        angle -= clip(dot(slope, e) / (dot(slope, slope) + 1e-3), -0.5, 0.5)
        swivel = about(axis, angle)
        angles = swing_twist(product(product(left, product(swivel, turn)), right))
    return swivel, angles


@njit(cache=True, error_model="numpy", forceinline=True)
def unwrapped(twist, past):
    """The twist within half a turn of the last one, so that it does not jump where it passes pi."""
    near = twist + 2.0 * np.pi * np.rint((past - twist) / (2.0 * np.pi))
    return near if abs(near) < 1.5 * np.pi else twist


@njit(cache=True, error_model="numpy", forceinline=True)
def _share_weight(base, held, weight):
    """A joint coordinate between the base's and the goal's."""
    if weight >= 1.0:
        return held
    sign = 1.0 if base[0] * held[0] + base[1] * held[1] + base[2] * held[2] + base[3] * held[3] >= 0.0 else -1.0
    part, rest = sign * weight, 1.0 - weight
    return normalized(
        (
            rest * base[0] + part * held[0],
            rest * base[1] + part * held[1],
            rest * base[2] + part * held[2],
            rest * base[3] + part * held[3],
        )
    )


@njit(cache=True, error_model="numpy", forceinline=True)
def is_fresh(memory, at):
    """Whether nothing is remembered of a joint."""
    return memory[at] == 0.0 and memory[at + 1] == 0.0 and memory[at + 2] == 0.0 and memory[at + 3] == 0.0


@njit(cache=True, error_model="numpy", forceinline=True)
def slowed(coordinate, memory, at, most):
    """A coordinate that turns by no more than `most` from the remembered one; it is remembered in turn."""
    if most < np.pi and not is_fresh(memory, at):
        before = (memory[at], memory[at + 1], memory[at + 2], memory[at + 3])
        step = product(conj(before), coordinate)
        if step[0] < 0.0:
            step = (-step[0], -step[1], -step[2], -step[3])
        xyz = (step[1], step[2], step[3])
        sine = length(xyz)
        if 2.0 * np.arctan2(sine, step[0]) > most:
            coordinate = normalized(product(before, about(scale(xyz, 1.0 / sine), most)))
    for k in range(4):
        memory[at + k] = coordinate[k]
    return coordinate


@njit(cache=True, error_model="numpy", forceinline=True)
def _moved_twist(model, limb, whole, base, middle, settings, memory, fresh):
    """How much of the end's twist goes to the middle joint, within the middle's limits and its rate."""
    bind, neutral, lower, upper, limbs, shapes = model
    mid, end = limbs[limb, 1], limbs[limb, 2]
    low, high = shapes[limb, 7], shapes[limb, 8]
    inside = low <= whole <= high
    if inside and (fresh or memory[12] == 0.0):
        return 0.0
    n, m = quaternion(neutral, end), quaternion(neutral, mid)
    own = swing_twist(product(product(n, base), conj(n)))[2]
    mid_turn, mid_above = middle
    held = relative(quaternion(bind, mid), mid_above, mid_turn)
    twist = swing_twist(product(product(m, held), conj(m)))[2]
    over = whole - clip(whole, min(low, own), max(high, own))
    added = clip(twist + over, min(lower[mid, 2], twist), max(upper[mid, 2], twist)) - twist
    return added if fresh else clip(added, memory[12] - settings[1], memory[12] + settings[1])


@njit(cache=True, error_model="numpy", forceinline=True)
def _small_twist(anatomical):
    """Twist about z by two terms of its series, within `_SURE` up to 1.2 rad."""
    sine = anatomical[3] / np.sqrt(anatomical[0] * anatomical[0] + anatomical[3] * anatomical[3])
    sine = sine if anatomical[0] >= 0.0 else -sine
    return 2.0 * sine * (1.0 + sine * sine / 6.0)


@njit(cache=True, error_model="numpy", forceinline=True)
def turn_end(model, limb, goal, weight, around, base, settings, memory):
    """Orientation of the middle and coordinate of the end for an orientation goal.

    `around` are the orientations that the end's joint, the middle and the middle's joint have; `memory` is that
    of `solve_limb`.
    """
    above, mid_turn, mid_above = around
    bind, neutral, lower, upper, limbs, shapes = model
    end = limbs[limb, 2]
    fresh = is_fresh(memory, _END)
    n, own_bind = quaternion(neutral, end), quaternion(bind, end)
    held = _share_weight(base, relative(own_bind, above, goal), weight)
    anatomical = product(product(n, held), conj(n))
    if settings[2] > 0.0 and (fresh or memory[12] == 0.0) and surely_within(anatomical, lower[end], upper[end], 0.0):
        whole = _small_twist(anatomical)
        if abs(whole) < 1.2 and shapes[limb, 7] + _SURE <= whole <= shapes[limb, 8] - _SURE:
            memory[12], memory[13] = 0.0, whole
            return mid_turn, slowed(held, memory, _END, settings[1])
    angles = swing_twist(anatomical)
    whole = angles[2] if fresh else unwrapped(angles[2], memory[13])
    added = _moved_twist(model, limb, whole, base, (mid_turn, mid_above), settings, memory, fresh)
    if added != 0.0:
        axis = unit((-shapes[limb, 4], -shapes[limb, 5], -shapes[limb, 6]), (0.0, 0.0, 1.0))
        wanted = product(above, product(own_bind, held))
        twisted = product(mid_turn, about(axis, added))
        held = relative(own_bind, product(product(twisted, conj(mid_turn)), above), wanted)
        angles, mid_turn = swing_twist(product(product(n, held), conj(n))), twisted
    if settings[2] > 0.0:
        held = within(held, angles, n, lower[end], upper[end])
    memory[12], memory[13] = added, whole
    return mid_turn, slowed(held, memory, _END, settings[1])


@njit(cache=True, error_model="numpy", forceinline=True)
def _aimed(a, low, la, lb, hinge, axis, to_pole, pole_weight):
    """Rotation that carries the bent limb, with bones of directions a and low and lengths la and lb, onto goal and pole."""
    e = unit(add(scale(a, la), scale(low, lb)), a)
    aim = from_to(e, axis, hinge)
    if pole_weight > 0.0:
        normal, size = bend_axis(a, low, hinge), la + lb
        bend = scale(turned(aim, cross(normal, e)), -1.0)
        aim = product(swivel(axis, bend, to_pole, size, pole_weight), aim)
    return aim


@njit(cache=True, error_model="numpy", forceinline=True)
def _bent(a, b, hinge, cosine):
    """Direction of the lower bone with the upper one along `a`, bent from `b` until their angle has this cosine.

    Further than `b` it bends about the hinge, perpendicular to a, and keeps what it is bent sideways; less than `b` both parts
    shrink alike. So a joint bent sideways a little does not go on sideways. One that is bent backwards bends forwards.
    """
    aside, own = dot(b, hinge), dot(b, a)
    ahead = cross(hinge, a)
    level = max(1.0 - aside * aside, 0.0)
    if cosine <= own and cosine * cosine < level:
        return add(add(scale(hinge, aside), scale(a, cosine)), scale(ahead, np.sqrt(level - cosine * cosine)))
    across = add(scale(hinge, aside), scale(ahead, np.sqrt(max(level - own * own, 0.0))))
    return add(scale(a, cosine), scale(unit(across, ahead), np.sqrt(1.0 - cosine * cosine)))


@njit(cache=True, error_model="numpy", forceinline=True)
def _limited(model, body, above, turn, axis, aim):
    """The aim with the root joint inside its limits, and whether that cost the goal's direction."""
    bind, neutral, lower, upper = model[0], model[1], model[2], model[3]
    n, own_bind = quaternion(neutral, body), quaternion(bind, body)
    left = product(product(n, conj(own_bind)), conj(above))
    aimed = product(aim, turn)
    anatomical = product(product(left, aimed), conj(n))
    if surely_within(anatomical, lower[body], upper[body], _MARGIN):
        return aim, False
    angles = swing_twist(anatomical)
    swivelled, angles = limit_swivel(aimed, angles, axis, left, conj(n), lower[body], upper[body])
    aim = product(swivelled, aim)
    coordinate = relative(own_bind, above, product(aim, turn))
    held = within(coordinate, angles, n, lower[body], upper[body])
    if held == coordinate:
        return aim, False
    return product(product(above, product(own_bind, held)), conj(turn)), True


@njit(cache=True, error_model="numpy", forceinline=True)
def solve_limb(parents, model, limb, pose, goals, weights, settings, memory):
    """One limb of one body; changes its coordinates in the pose and returns how far the end stays from the goal [m].

    `pose` is generalized positions (nq,) and, before the change, turns and places of bodies in the world; `goals` are where the
    end shall be, how it shall be turned, and where the limb's pole is.
    `memory` (14,) holds the last coordinates of root, middle and end, the twist added to the middle and the end's twist.
    """
    (row, turns, places), (goal, goal_turn, pole) = pose, goals
    bind, limbs, shapes = model[0], model[4], model[5]
    root, mid, end = limbs[limb, 0], limbs[limb, 1], limbs[limb, 2]
    at, middle = vector(places, root), vector(places, mid)
    root_turn, mid_turn = quaternion(turns, root), quaternion(turns, mid)
    shape = shapes[limb]
    tip = vector(places, end) if end >= 0 else add(middle, turned(mid_turn, (shape[4], shape[5], shape[6])))
    a, b, own = subtract(middle, at), subtract(tip, middle), subtract(tip, at)
    la, lb = length(a), length(b)
    ua, ub = scale(a, 1.0 / la), scale(b, 1.0 / lb)
    hinge = turned(root_turn, (shape[0], shape[1], shape[2]))
    hinge = unit(subtract(hinge, scale(ua, dot(hinge, ua))), perpendicular(ua))
    to_goal = subtract(add(tip, scale(subtract(goal, tip), weights[0])), at)
    far = length(to_goal)
    axis = scale(to_goal, 1.0 / far) if far > 1e-12 else unit(own, ua)
    # What the pose already does is allowed: limits are those of flexion about the hinge, the bend may be about another axis.
    flexed = max(min(shape[3], dot(ua, ub)), -1.0)
    shortest = np.sqrt(max(la * la + lb * lb + 2.0 * la * lb * flexed, 0.0))
    wanted = reach(far, shortest, la + lb, own, settings[0])
    cosine = clip((wanted * wanted - la * la - lb * lb) / (2.0 * la * lb), -1.0, 1.0)
    low = _bent(ua, ub, hinge, cosine)
    aim = _aimed(ua, low, la, lb, hinge, axis, subtract(pole, at), weights[2])
    if settings[3] > 0.0:
        aim, missed = _limited(model, root, quaternion(turns, parents[root]), root_turn, axis, aim)
        if missed:
            rest, normal = turned(conj(aim), subtract(to_goal, turned(aim, a))), bend_axis(ua, low, hinge)
            angle = clip(np.arctan2(dot(rest, cross(normal, ua)), dot(rest, ua)), 0.0, np.arccos(flexed))
            low = add(scale(ua, np.cos(angle)), scale(cross(normal, ua), np.sin(angle)))
    above, own_bind = quaternion(turns, parents[root]), quaternion(bind, root)
    coordinate = relative(own_bind, above, product(aim, root_turn))
    held = slowed(coordinate, memory, _ROOT, settings[1])
    if held != coordinate:
        aim = product(product(above, product(own_bind, held)), conj(root_turn))
    put_at(row, root, held)
    mid_above = product(aim, quaternion(turns, parents[mid]))
    mid_now = product(product(aim, from_to(ub, low, hinge)), mid_turn)
    wanted_mid = relative(quaternion(bind, mid), mid_above, mid_now)
    held = slowed(wanted_mid, memory, _MID, settings[1])
    if held != wanted_mid:
        mid_now = product(mid_above, product(quaternion(bind, mid), held))
    moved = product(mid_now, conj(mid_turn))
    if end >= 0 and weights[1] > 0.0:
        end_above, slot = product(moved, quaternion(turns, parents[end])), turn_at(end)
        base = (row[slot], row[slot + 1], row[slot + 2], row[slot + 3])
        around = (end_above, mid_now, mid_above)
        twisted, last = turn_end(model, limb, goal_turn, weights[1], around, base, settings, memory)
        put_at(row, end, last)
        if twisted != mid_now:
            held, moved = relative(quaternion(bind, mid), mid_above, twisted), product(twisted, conj(mid_turn))
    put_at(row, mid, held)
    reached = add(turned(aim, a), turned(moved, b))
    return length(subtract(to_goal, reached))


@njit(cache=True, error_model="numpy")
def solve_limbs(body, settings, goals, memory, rows, errors):
    """Every limb of every row (N, nq), in place; errors (N, L) are NaN for limbs without a goal.

    A limb whose goal is not finite keeps its pose.

    Args:
        body: `LimbSolver.compiled`.
        settings: `LimbSolver.settings`.
        goals: The columns of `LimbGoals`.
        memory: Shape (N, L, 14); written.
        rows: Written.
        errors: Written.
    """
    parents, offsets, order, model = body
    ends, end_turns, poles, weights = goals
    turns, places = np.empty((parents.shape[0], 4)), np.empty((parents.shape[0], 3))
    for i in range(rows.shape[0]):
        frames(parents, offsets, model[0], order, rows[i], turns, places)
        for limb in range(ends.shape[1]):
            errors[i, limb] = np.nan
            goal, turn, pole = vector(ends[i], limb), quaternion(end_turns[i], limb), vector(poles[i], limb)
            weight, pose = weights[i, limb], (rows[i], turns, places)
            if weight[0] > 0.0 and np.isfinite(goal[0] + goal[1] + goal[2]):
                errors[i, limb] = solve_limb(
                    parents, model, limb, pose, (goal, turn, pole), weight, settings, memory[i, limb]
                )
