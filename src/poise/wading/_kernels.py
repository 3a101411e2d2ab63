"""Compiled parts of a wader's pose; plain arrays in, changed in place."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.ik._kernels import frames
from poise.ik.limbs._kernels import solve_limbs
from poise.math._compile import njit
from poise.math._easing import minimum_jerk
from poise.math._tuples import (
    about,
    add,
    clip,
    conj,
    from_rotation_vector,
    length,
    product,
    put,
    quadruple,
    quaternion,
    scale,
    subtract,
    triple,
    turned,
    vector,
    write,
)

Array = NDArray[np.float64]

AWAY = 1e9
BLOCK = 32


@njit(cache=True)
def rotate(q: Array, v: Array) -> Array:
    """A vector turned by a unit quaternion wxyz."""
    return np.array(turned(quadruple(q, 0), triple(v, 0)))


@njit(cache=True)
def spots(positions: Array, rotations: Array, bodies: NDArray[np.int64], own: Array) -> Array:
    """Places (n, 3) of points (n, 3) of some bodies (n,), in frames at positions (B, 3), turned by (B, 4)."""
    out = np.empty((len(bodies), 3))
    for k in range(len(bodies)):
        put(out, k, add(vector(positions, bodies[k]), turned(quaternion(rotations, bodies[k]), vector(own, k))))
    return out


@njit(cache=True, error_model="numpy")
def mass_center(masses: Array, centres: Array, positions: Array, rotations: Array) -> Array:
    """Center of mass of bodies (B,) with centers (B, 3) in frames at positions (B, 3), turned by (B, 4); shape (3,)."""
    total, place = 0.0, (0.0, 0.0, 0.0)
    for body in range(masses.shape[0]):
        at = add(vector(positions, body), turned(quaternion(rotations, body), vector(centres, body)))
        total, place = total + masses[body], add(place, scale(at, masses[body]))
    return np.array(scale(place, 1.0 / total))


@njit(cache=True, error_model="numpy")
def carry(row, body, ahead, places, thighs, spine, neck):
    """Carry a clip's pose along with a body that turns and leans; generalized positions (nq,), changed.

    Args:
        row: The clip's.
        body: Place of the clip's ground [m] (2), yaw and pitch [rad] (2), share of the pitch for the pelvis, for the spine,
            for the neck, shape (7,).
        ahead: Direction of the way, shape (2,).
        places: Of the clip's bodies [m], shape (B, 3).
        thighs: Bodies of both thighs; about the middle between their joints the body leans, shape (2,).
        spine: For every spine joint where its coordinate begins and its neutral orientation, shape (n, 5).
        neck: The same of neck and head.
    """
    yaw, pitch = body[2], body[3]
    c, s = np.cos(yaw), np.sin(yaw)
    x, y = row[0], row[1]
    row[0], row[1] = c * x - s * y + body[0], s * x + c * y + body[1]
    heading = about((0.0, 0.0, 1.0), yaw)
    lean = about((-ahead[1], ahead[0], 0.0), body[4] * pitch)
    between = scale(add(vector(places, thighs[0]), vector(places, thighs[1])), 0.5)
    middle = turned(heading, subtract(between, vector(places, 0)))
    write(row, 0, add(triple(row, 0), subtract(middle, turned(lean, middle))))
    write(row, 3, product(lean, product(heading, quadruple(row, 3))))
    _bend(row, spine, body[5] * pitch)
    _bend(row, neck, body[6] * pitch)


@njit(cache=True, error_model="numpy")
def _bend(row, joints, angle):
    """Bend joints forward, each by its part of an angle."""
    for k in range(joints.shape[0]):
        at = int(joints[k, 0])
        left = turned(conj(quadruple(joints[k], 1)), (0.0, 1.0, 0.0))
        write(row, at, product(about(left, angle / joints.shape[0]), quadruple(row, at)))


@njit(cache=True, error_model="numpy", forceinline=True)
def _ramp(x, width):
    """The positive part of x, with a continuous second derivative: it begins half a width below 0."""
    s = x / width + 0.5
    if s <= 0.0:
        return 0.0
    return x if s >= 1.0 else width * s * s * s * (1.0 - 0.5 * s)


@njit(cache=True, error_model="numpy", forceinline=True)
def _eased(share, begin, end):
    return minimum_jerk(clip((share - begin) / (end - begin), 0.0, 1.0))


@njit(cache=True, error_model="numpy", forceinline=True)
def _minds(share, leaves, lands):
    """How much the pelvis minds that a leg has to reach: wholly one that stands, not at all one in mid-swing."""
    return 1.0 - _eased(share, 0.0, leaves) + _eased(share, lands, 1.0)


@njit(cache=True, error_model="numpy", forceinline=True)
def _is_drawn(share, leaves, drawn):
    """How much a foot is drawn up where its leg would be stretched: not where it stands."""
    return _eased(share, 0.0, leaves) - _eased(share, drawn, 1.0)


@njit(cache=True, error_model="numpy")
def stand(row, feet, own, beside, legs, ik, numbers):
    """Set a pose onto its footholds and return by how much the pelvis sank for the legs to reach [m].

    A leg that is nearly straight turns its knee by a great deal for every millimeter it has to reach farther. So the pelvis
    begins to sink before a standing leg is stretched, and a swinging foot is drawn up along its leg until it lands.

    Args:
        row: Generalized positions, shape (1, nq); changed.
        feet: Of each foot the place of its ball [m] (3), its yaw [rad] and the share of its step that is done, shape (2, 5).
        own: Where the clip has all bodies [m], shape (B, 3), and how it has them turned, shape (B, 4).
        beside: How it is beside all that, from before it waded: shift [m] (3), rotation vector [rad] (3), and how much of that
            is left, shape (2, 7).
        legs: Length of each leg [m] and where its ball is from its joint [m], shape (2, 4).
        ik: What `solve_limbs` is given beside the row (body, settings, memory, errors), for the two legs alone.
        numbers: How legs reach; see `ReachOptions`, shape (9,).
    """
    most, stands, swings, straight, sinks, draws, leaves, lands, ends = (
        numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], numbers[6], numbers[7], numbers[8],
    )  # fmt: skip
    compiled, settings, memory, errors = ik
    memory[:] = 0.0
    parents, offsets, order, model = compiled
    goals, aims = np.empty((1, 2, 3)), np.empty((1, 2, 4))
    poles, weights = np.zeros((1, 2, 3)), np.zeros((1, 2, 3))
    above, places = np.empty((parents.shape[0], 4)), np.empty((parents.shape[0], 3))
    frames(parents, offsets, model[0], order, row[0], above, places)
    needs, stretched = np.zeros(2), np.zeros(2)
    for foot in range(2):
        end = model[4][foot, 2]
        stretched[foot] = length(subtract(vector(own[0], end), vector(own[0], model[4][foot, 0])))
        turn = product(about((0.0, 0.0, 1.0), feet[foot, 3]), quaternion(own[1], end))
        turn = product(from_rotation_vector(triple(beside[foot], 3)), turn)
        place = subtract(add(vector(feet, foot), vector(beside, foot)), turned(turn, triple(legs[foot], 1)))
        put(goals[0], foot, place)
        put(aims[0], foot, turn)
        weights[0, foot, 0], weights[0, foot, 1] = 1.0, 1.0
        longest = legs[foot, 0]
        reach = min(stands * longest + _ramp(stretched[foot] - stands * longest, sinks * longest), straight * longest)
        away = subtract(place, vector(places, model[4][foot, 0]))
        aside = away[0] * away[0] + away[1] * away[1]
        short = -away[2] - np.sqrt(max(reach * reach - aside, 0.04 * reach * reach))
        needs[foot] = _minds(feet[foot, 4], leaves, lands) * _ramp(short, sinks * longest)
    deepest = 0.5 * most * (legs[0, 0] + legs[1, 0])
    # About the greater of the two, and no more than can be, both without a kink.
    sunk = np.sqrt(np.hypot(needs[0] ** 2, needs[1] ** 2))
    sunk -= _ramp(sunk - deepest, 0.5 * deepest)
    row[0, 2] -= sunk
    for foot in range(2):
        hip = vector(places, model[4][foot, 0])
        hip = (hip[0], hip[1], hip[2] - sunk)
        way = subtract(vector(goals[0], foot), hip)
        far, longest = length(way), legs[foot, 0]
        reach = min(swings * longest + _ramp(stretched[foot] - swings * longest, draws * longest), straight * longest)
        drawn = (1.0 - beside[foot, 6]) * _is_drawn(feet[foot, 4], leaves, ends) * _ramp(far - reach, draws * longest)
        put(goals[0], foot, add(hip, scale(way, (far - drawn) / max(far, 1e-9))))
    solve_limbs(compiled, settings, (goals, aims, poles, weights), memory, row, errors)
    return sunk


@njit(cache=True, error_model="numpy", forceinline=True)
def _blend(places, vertices, joints, weights, v):
    """Where a vertex is (linear blend skinning); the sums of `poise.motion._kernels.blend_skin`."""
    x, y, z = vertices[v, 0], vertices[v, 1], vertices[v, 2]
    a, b, c = 0.0, 0.0, 0.0
    for k in range(4):
        weight = weights[v, k]
        if weight != 0.0:
            j = np.uintp(joints[v, k])  # unsigned: no test for a negative index
            a += weight * (places[j, 0] * x + places[j, 1] * y + places[j, 2] * z + places[j, 3])
            b += weight * (places[j, 4] * x + places[j, 5] * y + places[j, 6] * z + places[j, 7])
            c += weight * (places[j, 8] * x + places[j, 9] * y + places[j, 10] * z + places[j, 11])
    return a, b, c


@njit(cache=True, error_model="numpy")
def blend_low(moved, mesh, blocks, surface, before, out):
    """Place the vertices (V, 3) of all blocks of triangles that could be under a surface; the others are `AWAY`.

    A blended vertex lies between where each of its joints alone would have it: so it is above whatever the box around its block
    is above, moved by each of the block's joints.

    Args:
        moved: Affine map of each joint's bind space into the world, shape (J, 12); the same a step ago.
        mesh: Vertices (V, 3), joints (V, 4), weights (V, 4), triangles (F, 3).
        blocks: Boxes (N, 6); of all blocks one after the other the joints and the vertices; where each block's joints, vertices
            and triangles begin, their end last, shape (3, N + 1).
        surface: Height that no fluid reaches above [m].
        before: Places a step ago; those that were `AWAY` and are needed now are written.
        out: Written.

    Returns:
        The blocks' triangles, one block after the other, shape (F', 3).
    """
    places, earlier = moved
    vertices, joints, weights, triangles = mesh
    boxes, members, corners, starts = blocks
    for v in range(vertices.shape[0]):
        out[v, 0], out[v, 1], out[v, 2] = 0.0, 0.0, AWAY
    count, near = 0, np.zeros(boxes.shape[0], np.bool_)
    for block in range(boxes.shape[0]):
        for k in range(starts[0, block], starts[0, block + 1]):
            j = np.uintp(members[k])
            a, b, c = places[j, 8], places[j, 9], places[j, 10]
            middle = a * boxes[block, 0] + b * boxes[block, 1] + c * boxes[block, 2] + places[j, 11]
            reach = abs(a) * boxes[block, 3] + abs(b) * boxes[block, 4] + abs(c) * boxes[block, 5]
            if middle - reach <= surface:
                near[block] = True
                count += starts[2, block + 1] - starts[2, block]
                break
    low, count = np.empty((count, 3), np.int64), 0
    for block in range(boxes.shape[0]):
        if not near[block]:
            continue
        for f in range(starts[2, block], starts[2, block + 1]):
            low[count, 0], low[count, 1], low[count, 2] = triangles[f, 0], triangles[f, 1], triangles[f, 2]
            count += 1
        for k in range(starts[1, block], starts[1, block + 1]):
            v = corners[k]
            if out[v, 2] == AWAY:
                out[v, 0], out[v, 1], out[v, 2] = _blend(places, vertices, joints, weights, v)
                if before[v, 2] == AWAY:
                    before[v, 0], before[v, 1], before[v, 2] = _blend(earlier, vertices, joints, weights, v)
    return low
