"""Whose arms they are, and what a gesture asks of them."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.body.coordinates import body_frames
from poise.body.plan import BodyPlan
from poise.errors import InputError
from poise.math import quat

__all__ = ["REACH", "SIDES", "Arms", "Gesture", "HandGoals", "hand_turn", "saturated"]

Array = NDArray[np.float64]

SIDES = ("left", "right")
REACH = 0.97
"""Share of an arm's length beyond which no hand is sent."""
_SOFT = 0.9
"""Share of that from which on a hand is held back."""
_PALM = 0.0178
"""How far the fingers of an open hand, a little bent, are out of its palm, from the middle of the wrist, in statures."""
OUTWARD = np.array([1.0, -1.0])
"""Sign of y away from the body, by side."""


class Arms(NamedTuple):
    """The arms of a character in its chest frame: x forward, y left, z up, from the middle between the shoulders.

    Args:
        shoulders: Of left and right [m], shape (2, 3).
        lengths: From shoulder to wrist [m], shape (2,).
        palms: From the middle of each hand to what its palm meets [m], shape (2,).
    """

    shoulders: Array
    lengths: Array
    palms: Array

    @classmethod
    def of(cls, plan: BodyPlan) -> Arms:
        """The arms of a plan in its neutral pose; raises `InputError` where a role is missing."""
        row = np.zeros((1, plan.position_count))
        row[:, 3::4] = 1.0
        row[0, 3:7] = plan.neutral[0]
        places = body_frames(plan, row).positions[0]
        chain = np.array([[places[_body(plan, f"{side}_{part}")] for part in _PARTS] for side in SIDES])
        bones = np.linalg.norm(np.diff(chain, axis=1), axis=2)
        palms = np.array([_palm(plan, _body(plan, f"{side}_hand")) for side in SIDES])
        return cls(chain[:, 0] - chain[:, 0].mean(axis=0), bones.sum(axis=1), palms)

    def within_reach(self, positions: Array) -> Array:
        """Hand positions (T, 2, 3), held smoothly within `REACH` of each arm."""
        away = positions - self.shoulders
        distance = np.linalg.norm(away, axis=-1, keepdims=True)
        limit = REACH * self.lengths[:, None]
        share: Array = saturated(distance, limit) / np.maximum(distance, 1e-9)
        return np.asarray(self.shoulders + away * share)


_PARTS = ("upper_arm", "forearm", "hand")


def _body(plan: BodyPlan, role: str) -> int:
    found = plan.with_role(role)
    if not found:
        raise InputError("a gesture needs two arms with hands; this skeleton has no such joint", place=role)
    return found[0]


def _palm(plan: BodyPlan, hand: int) -> float:
    """A capsule is as thick as a hand is wide: it tells the palm only where that is thinner than a hand."""
    sizes = [shape.size[shape.size > 0.0].min() for shape in plan.colliders[hand]]
    return float(min([*sizes, _PALM * plan.stature]))


class HandGoals(NamedTuple):
    """Where the hands shall be at T times, left and right.

    Args:
        positions: Of the wrists in the chest frame [m], shape (T, 2, 3).
        rotations: Of the hands in the chest frame, from hanging with the palms inward, wxyz, shape (T, 2, 4).
        weights: How much of each arm's pose is the gesture's, 0…1, shape (T, 2).
        nods: How far the head bows [rad], shape (T,).
    """

    positions: Array
    rotations: Array
    weights: Array
    nods: Array


class Gesture(Protocol):
    """Hands over time."""

    def goals(self, times: Array, arms: Arms) -> HandGoals:
        """What the hands shall do at `times` (T,) [s]."""
        ...


def saturated(values: ArrayLike, limit: ArrayLike) -> Array:
    """Values ≥ 0 held below `limit`: the same up to 0.9 of it, then ever slower; strictly monotone, C2."""
    value, most = np.asarray(values, dtype=np.float64), np.asarray(limit, dtype=np.float64)
    start = _SOFT * most
    room = most - start
    return np.where(value <= start, value, start + room * np.tanh(np.maximum(value - start, 0.0) / room))


def hand_turn(raised: ArrayLike, pronated: ArrayLike, side: int, inward: ArrayLike = 0.0) -> Array:
    """Rotation of a hand from hanging: raised forward, then turned palm down, then inward [rad], shape (..., 4)."""
    up, turn, across = np.broadcast_arrays(*(np.asarray(each, np.float64) for each in (raised, pronated, inward)))
    sign, zero = OUTWARD[side], np.zeros(up.shape)
    lift = quat.exp(np.stack([zero, -up, zero], axis=-1))
    palm = quat.exp(np.stack([sign * turn, zero, zero], axis=-1))
    yaw = quat.exp(np.stack([zero, zero, -sign * across], axis=-1))
    return quat.mul(yaw, quat.mul(palm, lift))
