"""Compiled FABRIK on a tree of bodies, and the look of the head; plain arrays in, changed in place."""

from __future__ import annotations

import numpy as np

from poise.body._kernels import body_frames
from poise.body._layout import turn_at
from poise.ik._kernels import Pose, below, largest_miss, place, put_at, relative, squared_miss, swing_twist, within
from poise.ik.polish._kernels import polish
from poise.math._compile import njit
from poise.math._tuples import (
    about,
    add,
    conj,
    cross,
    dot,
    from_to,
    length,
    normalized,
    perpendicular,
    product,
    put,
    quaternion,
    scale,
    subtract,
    turned,
    unit,
    vector,
)

_FIT_STEPS = 6
_STEPS = 2
"""Steps of `polish` after each pass of a limited tree."""
_BEND = 0.02
"""A straight chain in line with its goal is bent by this share of each bone to get going."""


@njit(cache=True, error_model="numpy")
def backward(tree, sizes, places, ends, goals, weights, wanted, pulls):
    """Where each node would have to be for the ends to be met: from the ends to the root, averaged where chains join."""
    bodies, above = tree
    wanted[:], pulls[:] = 0.0, 0.0
    for e in range(ends.shape[0]):
        for axis in range(3):
            wanted[ends[e], axis] += weights[e] * goals[e, axis]
        pulls[ends[e]] += weights[e]
    for k in range(bodies.shape[0] - 1, 0, -1):
        if pulls[k] <= 0.0:
            continue
        target = scale(vector(wanted, k), 1.0 / pulls[k])
        put(wanted, k, target)
        parent = above[k]
        away = subtract(vector(places, parent), target)
        spot = add(target, scale(unit(away, (0.0, 0.0, -1.0)), sizes[k]))
        for axis in range(3):
            wanted[parent, axis] += pulls[k] * spot[axis]
        pulls[parent] += pulls[k]


@njit(cache=True, error_model="numpy")
def fit(k, tree, offsets, sizes, base, coordinate, twist, aims):
    """Coordinate of node k that turns its children's offsets onto where they are wanted.

    One child: the short way from the neutral direction, with the twist the pose had (Hu 2024, Eqs. 3 and 4). Several (a
    sub-base): best rotation by the polar iteration of Mueller 2016, "A robust method to extract the rotational part".
    `base` is how the node's joint is turned and where it is; `aims` are where nodes are wanted, and how much.
    """
    (bodies, above), (frame, at), (wanted, pulls) = tree, base, aims
    count, only = 0, 0
    for c in range(k + 1, bodies.shape[0]):
        if above[c] == k and pulls[c] > 0.0 and sizes[c] > 1e-9:
            count, only = count + 1, c
    if count == 0:
        return coordinate
    back = conj(frame)
    if count == 1:
        bone = scale(vector(offsets, bodies[only]), 1.0 / sizes[only])
        direction = unit(turned(back, subtract(vector(wanted, only), at)), bone)
        return normalized(product(from_to(bone, direction, perpendicular(bone)), twist))
    for _ in range(_FIT_STEPS):
        turn, same = (0.0, 0.0, 0.0), 1e-9
        for c in range(k + 1, bodies.shape[0]):
            if above[c] == k and pulls[c] > 0.0:
                arm = turned(coordinate, vector(offsets, bodies[c]))
                target = turned(back, subtract(vector(wanted, c), at))
                turn = add(turn, scale(cross(arm, target), pulls[c]))
                same += pulls[c] * dot(arm, target)
        turn = scale(turn, 1.0 / max(abs(same), 1e-9))
        angle = length(turn)
        if angle < 1e-9:
            break
        coordinate = normalized(product(about(scale(turn, 1.0 / angle), min(angle, 1.0)), coordinate))
    return coordinate


@njit(cache=True, error_model="numpy")
def forward(tree, model, sizes, pose, aims, twists, asked, limited):
    """Turn each node, from the root on, so that its children come nearest to where they are wanted."""
    (bodies, above), (row, turns, places) = tree, pose
    ends, _, _, end_turns, turn_weights = asked
    offsets, bind, neutral, lower, upper = model
    for k in range(1, bodies.shape[0]):
        body, parent = bodies[k], above[k]
        over = quaternion(turns, parent)
        at = add(vector(places, parent), turned(over, vector(offsets, body)))
        put(places, k, at)
        frame = product(over, quaternion(bind, body))
        slot = turn_at(body)
        coordinate = (row[slot], row[slot + 1], row[slot + 2], row[slot + 3])
        held = fit(k, tree, offsets, sizes, (frame, at), coordinate, quaternion(twists, k), aims)
        for e in range(ends.shape[0]):
            if ends[e] == k and turn_weights[e] > 0.0:
                held = relative((1.0, 0.0, 0.0, 0.0), frame, quaternion(end_turns, e))
        if limited:
            n = quaternion(neutral, body)
            angles = swing_twist(product(product(n, held), conj(n)))
            held = normalized(within(held, angles, n, lower[body], upper[body]))
        put_at(row, body, held)
        put(turns, k, product(frame, held))


@njit(cache=True, error_model="numpy")
def own_twists(tree, offsets, row, sizes, twists):
    """Twist of each node about its only child's bone in the pose the solver starts from."""
    bodies, above = tree
    for k in range(bodies.shape[0]):
        slot = turn_at(bodies[k])
        put(twists, k, (1.0, 0.0, 0.0, 0.0))
        for c in range(k + 1, bodies.shape[0]):
            if above[c] == k and sizes[c] > 1e-9 and k > 0:
                bone = scale(vector(offsets, bodies[c]), 1.0 / sizes[c])
                along = dot((row[slot + 1], row[slot + 2], row[slot + 3]), bone)
                if abs(row[slot]) + abs(along) > 1e-9:
                    put(twists, k, normalized((row[slot], along * bone[0], along * bone[1], along * bone[2])))


@njit(cache=True, error_model="numpy")
def unbend(tree, sizes, places, turns, wanted, pulls):
    """Put the wanted points of a straight chain in line with its goal aside, towards the root body's front."""
    bodies, above = tree
    front = turned(quaternion(turns, 0), (1.0, 0.0, 0.0))
    for k in range(2, bodies.shape[0]):
        a, b = subtract(vector(places, above[k]), vector(places, 0)), subtract(vector(wanted, k), vector(places, 0))
        if length(cross(a, b)) > 1e-6 * max(length(a) * length(b), 1e-12) and length(a) > 1e-9:
            return
    for k in range(1, bodies.shape[0] - 1):
        if pulls[k] > 0.0:
            put(wanted, k, add(vector(wanted, k), scale(front, _BEND * sizes[k])))


@njit(cache=True, error_model="numpy")
def sweep(tree, model, sizes, pose, twists, asked, limited):
    """Cyclic coordinate descent, tips first: it speeds FABRIK up and goes on where limits stop it. Never gets worse."""
    (bodies, above), (row, turns, places) = tree, pose
    ends, goals, weights, _, turn_weights = asked
    offsets, bind, neutral, lower, upper = model
    total = squared_miss(places, ends, goals, weights)
    for k in range(bodies.shape[0] - 1, 0, -1):
        turn, same, ended = (0.0, 0.0, 0.0), 1e-12, False
        for e in range(ends.shape[0]):
            ended = ended or (ends[e] == k and turn_weights[e] > 0.0)
            if weights[e] > 0.0 and below(above, k, ends[e]):
                arm = subtract(vector(places, ends[e]), vector(places, k))
                target = subtract(vector(goals, e), vector(places, k))
                turn, same = add(turn, scale(cross(arm, target), weights[e])), same + weights[e] * dot(arm, target)
        size = length(turn)
        if ended or size < 1e-12:
            continue
        slot, n = turn_at(bodies[k]), quaternion(neutral, bodies[k])
        before = (row[slot], row[slot + 1], row[slot + 2], row[slot + 3])
        turned_by = about(scale(turn, 1.0 / size), min(np.arctan2(size, abs(same)), 0.5))
        frame = product(quaternion(turns, above[k]), quaternion(bind, bodies[k]))
        held = relative((1.0, 0.0, 0.0, 0.0), frame, product(turned_by, quaternion(turns, k)))
        held = untwisted(k, tree, offsets, sizes, held, twists)
        if limited:
            angles = swing_twist(product(product(n, held), conj(n)))
            held = normalized(within(held, angles, n, lower[bodies[k]], upper[bodies[k]]))
        put_at(row, bodies[k], held)
        place(tree, offsets, bind, row, turns, places)
        now = squared_miss(places, ends, goals, weights)
        if now > total:
            put_at(row, bodies[k], before)
            place(tree, offsets, bind, row, turns, places)
        else:
            total = now


@njit(cache=True, error_model="numpy")
def hold_turns(tree, model, pose, asked, limited):
    """Turn the ends that have orientation goals as those say."""
    (bodies, above), (row, turns, places) = tree, pose
    ends, _, _, end_turns, turn_weights = asked
    offsets, bind, neutral, lower, upper = model
    for e in range(ends.shape[0]):
        if turn_weights[e] > 0.0:
            k = ends[e]
            n, body = quaternion(neutral, bodies[k]), bodies[k]
            held = relative(quaternion(bind, body), quaternion(turns, above[k]), quaternion(end_turns, e))
            if limited:
                angles = swing_twist(product(product(n, held), conj(n)))
                held = normalized(within(held, angles, n, lower[body], upper[body]))
            put_at(row, body, held)
    place(tree, offsets, bind, row, turns, places)


@njit(cache=True, error_model="numpy")
def untwisted(k, tree, offsets, sizes, held, twists):
    """A coordinate with the twist the pose had about its only child's bone; as it is where there are several."""
    bodies, above = tree
    count, only = 0, 0
    for c in range(k + 1, bodies.shape[0]):
        if above[c] == k and sizes[c] > 1e-9:
            count, only = count + 1, c
    if count != 1:
        return held
    bone = scale(vector(offsets, bodies[only]), 1.0 / sizes[only])
    return normalized(product(from_to(bone, turned(held, bone), perpendicular(bone)), quaternion(twists, k)))


@njit(cache=True, error_model="numpy")
def largest_turn(turns, ends, end_turns, turn_weights):
    """Sine of half the angle of the worst end from its orientation goal."""
    worst = 0.0
    for e in range(ends.shape[0]):
        if turn_weights[e] > 0.0:
            away = product(conj(quaternion(turns, ends[e])), quaternion(end_turns, e))
            worst = max(worst, length((away[1], away[2], away[3])))
    return worst


@njit(cache=True, error_model="numpy")
def straighten(tree, model, row, turns, places):
    """Every joint as in the neutral pose."""
    for k in range(1, tree[0].shape[0]):
        put_at(row, tree[0][k], (1.0, 0.0, 0.0, 0.0))
    place(tree, model[0], model[1], row, turns, places)


@njit(cache=True, error_model="numpy")
def reach_tree(tree, model, sizes, asked, root, row, settings):
    """FABRIK with both passes on one body; changes coordinates in `row`, returns (passes, largest miss [m]).

    `asked` are the tree's `Ends`; `root` is node 0's frame: orientation, then position. Settings: tolerance [m], most passes,
    limits. The best pass stays. Each pass of a limited tree ends with steps of
    `polish`; one that is stuck at its limits starts once more from the neutral pose, which counts if it reaches the goal or
    halves the miss.
    """
    ends, goals, weights, end_turns, turn_weights = asked
    count, limited = tree[0].shape[0], settings[2] > 0.0
    turns, places, wanted = np.empty((count, 4)), np.empty((count, 3)), np.empty((count, 3))
    pulls, twists, best = np.empty(count), np.empty((count, 4)), row.copy()
    pose = Pose(row, turns, places)
    put(turns, 0, (root[0], root[1], root[2], root[3]))
    put(places, 0, (root[4], root[5], root[6]))
    place(tree, model[0], model[1], row, turns, places)
    own_twists(tree, model[0], row, sizes, twists)
    miss = largest_miss(places, ends, goals, weights)
    least = np.inf if largest_turn(turns, ends, end_turns, turn_weights) > 1e-9 else miss
    passes, restarted, bar = 0, False, least
    while passes < settings[1] and (least > settings[0]):
        before = least
        backward(tree, sizes, places, ends, goals, weights, wanted, pulls)
        if passes == 0 and miss > settings[0]:
            unbend(tree, sizes, places, turns, wanted, pulls)
        forward(tree, model, sizes, pose, (wanted, pulls), twists, asked, limited)
        sweep(tree, model, sizes, pose, twists, asked, limited)
        if limited:
            polish(tree, model, pose, asked, _STEPS)
        hold_turns(tree, model, pose, asked, limited)
        passes += 1
        miss = largest_miss(places, ends, goals, weights)
        if miss < least and (not restarted or miss < max(0.5 * bar, settings[0])):
            least = miss
            for k in range(row.shape[0]):
                best[k] = row[k]
        if limited and not restarted and passes > 1 and least > 0.98 * before:
            restarted, bar = True, least
            straighten(tree, model, row, turns, places)
            own_twists(tree, model[0], row, sizes, twists)
    for k in range(row.shape[0]):
        row[k] = best[k]
    return passes, least


@njit(cache=True, error_model="numpy")
def look(gaze, row, target, turn, by_turn, rounds):
    """Turn a chain so that its last body looks at `target` (or is turned as `turn`), sharing the way between its joints.

    Each joint in turn takes an equal share of what is left; a round later the others take over what limits left undone.
    """
    parents, tree, model, ahead = gaze
    bodies, above = tree
    offsets, bind, neutral, lower, upper = model
    count, base = bodies.shape[0], bodies[0]
    turns, places = np.empty((count, 4)), np.empty((count, 3))
    all_turns, all_places = np.empty((1, parents.shape[0], 4)), np.empty((1, parents.shape[0], 3))
    body_frames(parents, offsets, bind, row.reshape((1, -1)), all_turns, all_places)
    put(turns, 0, quaternion(all_turns[0], base))
    put(places, 0, vector(all_places[0], base))
    for _ in range(rounds):
        for k in range(1, count):
            place(tree, offsets, bind, row, turns, places)
            head = quaternion(turns, count - 1)
            if by_turn:
                rest = product(turn, conj(head))
            else:
                facing = turned(head, ahead)
                to_target = unit(subtract(target, vector(places, count - 1)), facing)
                rest = from_to(facing, to_target, turned(head, perpendicular(ahead)))
            if rest[0] < 0.0:
                rest = (-rest[0], -rest[1], -rest[2], -rest[3])
            xyz = (rest[1], rest[2], rest[3])
            sine = length(xyz)
            if sine < 1e-12:
                return
            share = about(scale(xyz, 1.0 / sine), 2.0 * np.arctan2(sine, rest[0]) / (count - k))
            body, n = bodies[k], quaternion(neutral, bodies[k])
            held = relative(quaternion(bind, body), quaternion(turns, above[k]), product(share, quaternion(turns, k)))
            angles = swing_twist(product(product(n, held), conj(n)))
            put_at(row, body, normalized(within(held, angles, n, lower[body], upper[body])))
