"""The open pose in which a mannequin is made: limbs apart, so that nothing fuses that must come apart again.

A person is bound with the arms 45 degrees from the body and the legs a little apart, made from the neutral pose: it lies
halfway between arms down and arms up, and it does not depend on the clip. Anything else is bound in the zero pose, unless
bones lie on one another there, as some exporters write it; then in the most open frame of the clip.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.body.mannequin._kernels import crowding
from poise.body.neutral import StandingFrame, standing_frame
from poise.body.plan import BodyPlan
from poise.math import quat
from poise.motion.clip import Clip
from poise.motion.pose import forward_kinematics
from poise.motion.skeleton import Skeleton

__all__ = ["BindPose", "most_open_pose", "person_pose", "rest_translations"]

Array = NDArray[np.float64]

_ARMS, _LEGS = np.radians(45.0), np.radians(7.0)
_CANDIDATES = 60
_CROWDED = 0.02
"""Overlap per bone up to which the zero pose counts as open."""


@dataclass(frozen=True, eq=False)
class BindPose:
    """A pose in the space the mesh is made in (Z up, the root at the origin).

    Args:
        rotations: World orientation of each joint, shape (J, 4).
        positions: World position of each joint [m], shape (J, 3).
        ends: World position of each end site [m], shape (E, 3).
    """

    rotations: Array
    positions: Array
    ends: Array


def rest_translations(clip: Clip) -> Array:
    """Local position of each joint [m], shape (J, 3): its offset or, where the file moves it, its median; the root at 0."""
    local = clip.skeleton.offsets.copy()
    local[clip.translated] = np.median(clip.translations, axis=0)
    local[0] = 0.0
    return local


def person_pose(clip: Clip, plan: BodyPlan) -> BindPose:
    """The open pose of a person, facing x."""
    skeleton, reference = clip.skeleton, standing_frame(clip, plan.roles)
    wanted = {int(joint): _opened(plan, body) for body, joint in enumerate(plan.joints)}
    upright = quat.mul(plan.neutral[0], quat.conj(reference.rotations[plan.joints[0]]))
    rotations = np.zeros((len(skeleton), 4))
    for joint, parent in enumerate(skeleton.parents):
        given = wanted.get(joint)
        if given is not None:
            rotations[joint] = given
        elif parent < 0:
            rotations[joint] = quat.mul(upright, reference.rotations[joint])
        else:
            rotations[joint] = quat.mul(rotations[parent], _local(reference, joint, int(parent)))
    return _placed(skeleton, rotations, rest_translations(clip))


def _local(reference: StandingFrame, joint: int, parent: int) -> Array:
    return quat.mul(quat.conj(reference.rotations[parent]), reference.rotations[joint])


def _opened(plan: BodyPlan, body: int) -> Array | None:
    """World orientation of a body in the open pose; None for one that keeps its reference pose in its parent."""
    role = plan.body_roles[body] or ""
    side = 1.0 if role.startswith("left") else -1.0
    if role.endswith(("upper_arm", "forearm", "hand")):
        angle = side * _ARMS
    elif role.endswith(("thigh", "shank")):
        angle = side * _LEGS
    elif role.endswith("foot") or role in ("pelvis", "spine", "neck", "head"):
        angle = 0.0
    else:
        return None
    return quat.mul(quat.exp([angle, 0.0, 0.0]), plan.neutral[body])


def _placed(skeleton: Skeleton, rotations: Array, local: Array) -> BindPose:
    positions = np.zeros((len(skeleton), 3))
    for joint, parent in enumerate(skeleton.parents):
        if parent >= 0:
            positions[joint] = positions[parent] + quat.rotate(rotations[parent], local[joint])
    on = skeleton.end_parents
    return BindPose(rotations, positions, positions[on] + quat.rotate(rotations[on], skeleton.end_offsets))


def most_open_pose(clip: Clip, radii: Array) -> BindPose:
    """The zero pose where no bones lie on one another, otherwise the most open of up to 60 frames of the clip.

    Args:
        clip: The motion.
        radii: Thickness around each joint [m], shape (J,).
    """
    skeleton, local = clip.skeleton, rest_translations(clip)
    picked = np.unique(np.linspace(0, len(clip) - 1, _CANDIDATES).astype(int))
    turns = np.concatenate([np.tile(quat.IDENTITY, (1, len(skeleton), 1)), clip.rotations[picked]])
    rotations, positions = forward_kinematics(skeleton, turns, np.broadcast_to(local, (*turns.shape[:2], 3)))
    crowded = _crowding(skeleton, positions, radii)
    best = 0 if crowded[0] <= _CROWDED * len(skeleton) else int(np.argmin(crowded))
    return _placed(skeleton, rotations[best], local)


def _crowding(skeleton: Skeleton, positions: Array, radii: Array) -> Array:
    """How much bones overlap others that do not touch them, for poses (T, J, 3), shape (T,)."""
    joints = np.flatnonzero((skeleton.parents >= 0) & (np.linalg.norm(skeleton.offsets, axis=1) > 1e-6))
    out = np.zeros(len(positions))
    if len(joints) < 2:
        return out
    above = skeleton.parents[joints]
    places = np.linspace(0.15, 0.85, 5)[:, None]
    start, end = positions[:, above, None], positions[:, joints, None]
    touching = (above[:, None] == above) | (joints[:, None] == above) | (above[:, None] == joints)
    crowding(start + places * (end - start), 0.5 * radii[joints], touching, out)
    return out
