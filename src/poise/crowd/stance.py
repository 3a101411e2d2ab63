"""How a crowd's members stand: the balance law of van Welbergen 2009 (after Wooten and Hodgins 2000) and its numbers.

The numbers are the authors' code's. Hips, knees and ankles are springs towards slightly bent legs with flat feet; on top of
them the centre of mass is pulled to a point between the feet, by torques at hips and ankles. Where we deviate: damping of the
centre of mass is multiplied by the stiffness multiplier too; the springs are the integrator's own (implicit), so that the
foot's holds at 5 ms; the ankle's is measured from the shank; each torque has the sign that moves the body where it shall go.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import body_frames
from poise.body.ground import ground_height
from poise.body.plan import BodyPlan
from poise.errors import InputError
from poise.math import quat

__all__ = ["STIFFNESS", "Stance", "standing"]

Array = NDArray[np.float64]

STIFFNESS = 2.0
"""The paper's multiplier as we take it: with its 1 our character stands too, but bows by 25 degrees."""
_CENTRE = (280.0, 28.0)
"""Pull on the centre of mass: per metre and per metre per second."""
_SPRINGS = {"thigh": (150.0, 15.0), "shank": (150.0, 15.0), "foot": (160.0, 1.6), "spine": (300.0, 30.0)}
"""Stiffness and damping of each joint; the trunk's is ours."""
_BEHIND = 0.01
"""The centre of mass is held this far behind the middle of the feet [m]."""
_LEG = 0.99
"""Distance from hip to ankle as a share of the straight leg's."""
_SHARES = {"foot": (3.0, -3.0), "thigh": (-1.0, 1.0)}
"""Torque about the forward axis per sideways pull and about the left axis per forward pull."""


class Stance(NamedTuple):
    """How to stand, in the arrays of the crowd's kernel.

    Args:
        rest: Generalized positions, legs a little bent, feet flat on the ground at height 0, shape (nq,).
        stiffness: Of each joint below the pelvis [N m/rad], shape (B-1,); zero for arms and head.
        damping: Of the same [N m s/rad], shape (B-1,).
        hinges: Axes of knees (left) and ankles (left, forward) in the body's frame, by body.
        torques: Of each joint below the pelvis in its body's frame per sideways and per forward pull, shape (B-1, 2, 3).
        feet: Left and right foot body, shape (2,).
        toes: Forward in each foot's frame, shape (2, 3).
        pull: Spring [N m/m] and damper [N m s/m] on the centre of mass.
        ahead: How far in front of the middle of the ankles the centre of mass is held [m].
    """

    rest: Array
    stiffness: Array
    damping: Array
    hinges: dict[int, Array]
    torques: Array
    feet: NDArray[np.int64]
    toes: Array
    pull: Array
    ahead: float


def standing(plan: BodyPlan, stiffness: float = STIFFNESS) -> Stance:
    """How the plan's character stands.

    Args:
        plan: The character, as `poise.body.fold.fifteen_bodies` has it.
        stiffness: The paper's one multiplier on all springs and dampers, for bodies of other weight.

    Raises:
        InputError: A leg is missing, or the multiplier is not between 0.1 and 20.
    """
    if not 0.1 <= stiffness <= 20.0:
        raise InputError(f"the stiffness multiplier must lie between 0.1 and 20; got {stiffness:g}")
    plan.roles.require(*(f"{side}_{part}" for side in ("left", "right") for part in ("thigh", "shank", "foot")))
    springs, torques = np.zeros((len(plan) - 1, 2)), np.zeros((len(plan) - 1, 2, 3))
    hinges: dict[int, Array] = {}
    forward, left = (quat.rotate(quat.conj(plan.neutral), axis) for axis in ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]))
    for body, role in enumerate(plan.body_roles[1:], start=1):
        part = (role or "").removeprefix("left_").removeprefix("right_")
        springs[body - 1] = _SPRINGS.get(part, (0.0, 0.0))
        sideways, ahead = _SHARES.get(part, (0.0, 0.0))
        torques[body - 1] = sideways * forward[body], ahead * left[body]
        if part == "shank":
            hinges[body] = left[body][None]
        elif part == "foot":
            hinges[body] = np.stack([left[body], forward[body]])
    feet = np.array([plan.with_role(f"{side}_foot")[0] for side in ("left", "right")], dtype=np.int64)
    sole = quat.rotate(plan.neutral[feet[0]], plan.centres[feet[0]])
    return Stance(
        rest=_bent_legs(plan),
        stiffness=stiffness * springs[:, 0],
        damping=stiffness * springs[:, 1],
        hinges=hinges,
        torques=torques,
        feet=feet,
        toes=np.ascontiguousarray(forward[feet]),
        pull=stiffness * np.array(_CENTRE),
        ahead=float(sole[0]) - _BEHIND,
    )


def _bent_legs(plan: BodyPlan) -> Array:
    """Hips above ankles at `_LEG` of the straight leg, by the cosine rule (the paper's "two-link angle")."""
    rest = np.zeros(plan.position_count)
    rest[3::4] = 1.0
    rest[3:7] = plan.neutral[0]
    for side in ("left", "right"):
        thigh, shank, foot = (plan.with_role(f"{side}_{part}")[0] for part in ("thigh", "shank", "foot"))
        upper, lower = (float(np.linalg.norm(plan.offsets[body])) for body in (shank, foot))
        reach = _LEG * (upper + lower)
        knee = np.pi - np.arccos((upper**2 + lower**2 - reach**2) / (2.0 * upper * lower))
        hip = np.arccos((upper**2 + reach**2 - lower**2) / (2.0 * upper * reach))
        for body, angle in ((thigh, -hip), (shank, knee), (foot, hip - knee)):
            left = quat.rotate(quat.conj(plan.neutral[body]), [0.0, angle, 0.0])
            rest[3 + 4 * body : 7 + 4 * body] = quat.exp(left)
    rest[2] -= ground_height(plan, body_frames(plan, rest[None]))
    return rest
