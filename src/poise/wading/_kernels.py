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

_DEEPEST = 0.15
"""The pelvis sinks by at most this share of a leg's length; beyond, the foot does not reach."""
_STANDS, _SWINGS = 0.992, 0.985
"""A standing and a swinging leg are stretched to this share of their length, or as far as in the clip."""
_OWN = 0.9985
"""But no farther than this, however straight the clip has them."""
_SINKS, _DRAWS = 0.03, 0.10
"""Over what way a pelvis begins to sink, and a swinging foot to be drawn up, before a leg is stretched [leg lengths]."""
_LEAVES, _LANDS, _DRAWN = 0.2, 0.7, 0.75
"""Shares of a step: when the pelvis no longer minds the foot that left, when it begins to mind the one that will land, and from
when on that one goes straight to where it will stand."""


@njit(cache=True)
def rotate(q: Array, v: Array) -> Array:
    """A vector turned by a unit quaternion wxyz."""
    return np.array(turned(quadruple(q, 0), triple(v, 0)))


@njit(cache=True, error_model="numpy")
def mass_center(masses: Array, centres: Array, positions: Array, rotations: Array) -> Array:
    """Center of mass of bodies (B,) with centers (B, 3) in frames at positions (B, 3), turned by (B, 4); shape (3,)."""
    total, place = 0.0, (0.0, 0.0, 0.0)
    for body in range(masses.shape[0]):
        at = add(vector(positions, body), turned(quaternion(rotations, body), vector(centres, body)))
        total, place = total + masses[body], add(place, scale(at, masses[body]))
    return np.array(scale(place, 1.0 / total))


@njit(cache=True, error_model="numpy")
def carry(row: Array, body: Array, ahead: Array, hips: Array, spine: Array, neck: Array) -> None:
    """Carry a clip's pose along with a body that turns and leans; generalized positions (nq,), changed.

    Args:
        row: The clip's.
        body: Place of the clip's ground [m] (2), yaw and pitch [rad] (2), share of the pitch for the pelvis, for the spine,
            for the neck, shape (7,).
        ahead: Direction of the way, shape (2,).
        hips: Middle between the hip joints, from the pelvis [m], shape (3,).
        spine: For every spine joint where its coordinate begins and its neutral orientation, shape (n, 5).
        neck: The same of neck and head.
    """
    yaw, pitch = body[2], body[3]
    c, s = np.cos(yaw), np.sin(yaw)
    x, y = row[0], row[1]
    row[0], row[1] = c * x - s * y + body[0], s * x + c * y + body[1]
    heading = about((0.0, 0.0, 1.0), yaw)
    lean = about((-ahead[1], ahead[0], 0.0), body[4] * pitch)
    middle = turned(heading, triple(hips, 0))
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
def _minds(share):
    """How much the pelvis minds that a leg has to reach: wholly one that stands, not at all one in mid-swing."""
    return 1.0 - _eased(share, 0.0, _LEAVES) + _eased(share, _LANDS, 1.0)


@njit(cache=True, error_model="numpy", forceinline=True)
def _is_drawn(share):
    """How much a foot is drawn up where its leg would be stretched: not where it stands."""
    return _eased(share, 0.0, _LEAVES) - _eased(share, _DRAWN, 1.0)


@njit(cache=True, error_model="numpy")
def stand(row, feet, turns, beside, legs, ik):
    """Set a pose onto its footholds and return by how much the pelvis sank for the legs to reach [m].

    A leg that is nearly straight turns its knee by a great deal for every millimeter it has to reach farther. So the pelvis
    begins to sink before a standing leg is stretched, and a swinging foot is drawn up along its leg until it lands.

    Args:
        row: Generalized positions, shape (1, nq); changed.
        feet: Of each foot the place of its ball [m] (3), its yaw [rad], the share of its step that is done, and how far its
            joint is from the hip in the clip [m], shape (2, 6).
        turns: How the clip has it turned, shape (2, 4).
        beside: How it is beside all that, from before it waded: shift [m] (3), rotation vector [rad] (3), and how much of that
            is left, shape (2, 7).
        legs: Length of each leg [m] and where its ball is from its joint [m], shape (2, 4).
        ik: What `solve_limbs` is given beside the row (body, settings, memory, errors), for the two legs alone.
    """
    compiled, settings, memory, errors = ik
    memory[:] = 0.0
    parents, offsets, order, model = compiled
    goals, aims = np.empty((1, 2, 3)), np.empty((1, 2, 4))
    poles, weights = np.zeros((1, 2, 3)), np.zeros((1, 2, 3))
    above, places = np.empty((parents.shape[0], 4)), np.empty((parents.shape[0], 3))
    frames(parents, offsets, model[0], order, row[0], above, places)
    needs = np.zeros(2)
    for foot in range(2):
        turn = product(about((0.0, 0.0, 1.0), feet[foot, 3]), quaternion(turns, foot))
        turn = product(from_rotation_vector(triple(beside[foot], 3)), turn)
        place = subtract(add(vector(feet, foot), vector(beside, foot)), turned(turn, triple(legs[foot], 1)))
        put(goals[0], foot, place)
        put(aims[0], foot, turn)
        weights[0, foot, 0], weights[0, foot, 1] = 1.0, 1.0
        longest = legs[foot, 0]
        reach = min(_STANDS * longest + _ramp(feet[foot, 5] - _STANDS * longest, _SINKS * longest), _OWN * longest)
        away = subtract(place, vector(places, model[4][foot, 0]))
        aside = away[0] * away[0] + away[1] * away[1]
        short = -away[2] - np.sqrt(max(reach * reach - aside, 0.04 * reach * reach))
        needs[foot] = _minds(feet[foot, 4]) * _ramp(short, _SINKS * longest)
    deepest = 0.5 * _DEEPEST * (legs[0, 0] + legs[1, 0])
    # About the greater of the two, and no more than can be, both without a kink.
    sunk = np.sqrt(np.hypot(needs[0] ** 2, needs[1] ** 2))
    sunk -= _ramp(sunk - deepest, 0.5 * deepest)
    row[0, 2] -= sunk
    for foot in range(2):
        hip = vector(places, model[4][foot, 0])
        hip = (hip[0], hip[1], hip[2] - sunk)
        way = subtract(vector(goals[0], foot), hip)
        far, longest = length(way), legs[foot, 0]
        reach = min(_SWINGS * longest + _ramp(feet[foot, 5] - _SWINGS * longest, _DRAWS * longest), _OWN * longest)
        drawn = (1.0 - beside[foot, 6]) * _is_drawn(feet[foot, 4]) * _ramp(far - reach, _DRAWS * longest)
        put(goals[0], foot, add(hip, scale(way, (far - drawn) / max(far, 1e-9))))
    solve_limbs(compiled, settings, (goals, aims, poles, weights), memory, row, errors)
    return sunk
