"""Pose to generalized coordinates and back: the border between animation and physics.

Where the numbers are is said by `poise.body.layout`. Generalized positions of a character are the pelvis position [m] and
orientation (7 numbers), then one quaternion per other body, relative to the neutral pose: `parent frame * bind * coordinate`.
Velocities are the pelvis' linear velocity in the world and angular velocity in its own frame (6 numbers), then each body's
angular velocity relative to its parent, in its own frame. These are MuJoCo's conventions for a free joint and ball joints.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.body.layout import turn_at
from poise.body.plan import BodyPlan
from poise.lazy import LazyModule
from poise.math import quat
from poise.motion.clip import Clip
from poise.motion.pose import forward_kinematics

if TYPE_CHECKING:
    from poise.body import _kernels
else:
    _kernels = LazyModule("poise.body._kernels")

__all__ = [
    "BodyFrames",
    "body_frames",
    "clip_frames",
    "clip_from_generalized",
    "generalized_from_clip",
    "generalized_positions",
    "generalized_velocities",
    "joint_velocities",
    "pose_from_generalized",
    "turn_joint",
]

Array = NDArray[np.float64]


class BodyFrames(NamedTuple):
    """World frames of the bodies: positions [m] (T, B, 3) and orientations (T, B, 4)."""

    positions: Array
    rotations: Array


def body_frames(plan: BodyPlan, positions: Array) -> BodyFrames:
    """World frames of the bodies at generalized positions, shape (T, nq)."""
    rows = np.ascontiguousarray(positions[None] if positions.ndim == 1 else positions)
    place, turn = np.empty((len(rows), len(plan), 3)), np.empty((len(rows), len(plan), 4))
    _kernels.body_frames(plan.parents, plan.offsets, plan.bind_rotations, rows, turn, place)
    return BodyFrames(place, turn)


def clip_frames(plan: BodyPlan, clip: Clip) -> BodyFrames:
    """World frames of the bodies in every frame of a clip: what `body_frames` gives there, without a compiled loop."""
    world_q, world_p = forward_kinematics(plan.skeleton, clip.rotations, clip.local_positions())
    turn = world_q[:, plan.joints]
    place = np.empty((len(clip), len(plan), 3))
    place[:, 0] = world_p[:, plan.joints[0]]
    for body, parent in enumerate(plan.parents[1:], start=1):
        place[:, body] = place[:, parent] + quat.rotate(turn[:, parent], plan.offsets[body])
    return BodyFrames(place, turn)


def generalized_positions(plan: BodyPlan, rotations: Array, translations: Array) -> Array:
    """Generalized positions of poses.

    Args:
        plan: The character.
        rotations: Local joint rotations wxyz, shape (..., J, 4).
        translations: Local joint positions [m], shape (..., J, 3).

    Returns:
        Shape (..., nq).
    """
    world_q, world_p = forward_kinematics(plan.skeleton, rotations, translations)
    own = world_q[..., plan.joints, :]
    above = own[..., plan.parents[1:], :]
    relative = quat.mul(quat.conj(above), own[..., 1:, :])
    coordinates = quat.mul(quat.conj(plan.bind_rotations[1:]), relative)
    root = np.concatenate([world_p[..., plan.joints[0], :], own[..., 0, :]], axis=-1)
    return np.concatenate([root, coordinates.reshape(*root.shape[:-1], -1)], axis=-1)


def generalized_from_clip(plan: BodyPlan, clip: Clip) -> Array:
    """Generalized positions of every frame, shape (T, nq), with quaternion signs continuous over time."""
    positions = generalized_positions(plan, clip.rotations, clip.local_positions())
    turns = positions[:, 3:].reshape(len(clip), len(plan), 4)
    positions[:, 3:] = quat.continuous(turns).reshape(len(clip), -1)
    return positions


def pose_from_generalized(
    plan: BodyPlan, positions: Array, rotations: Array, translations: Array, *, pelvis_moves: bool
) -> tuple[Array, Array]:
    """Local joint transforms whose bodies are at `positions`; joints that are not bodies keep the base pose's.

    Args:
        plan: The character.
        positions: Generalized positions, shape (..., nq).
        rotations: Base pose, local rotations, shape (..., J, 4).
        translations: Base pose, local positions [m], shape (..., J, 3).
        pelvis_moves: Whether the pelvis joint has position channels of its own. If not, the root joint is moved so that
            the pelvis arrives where it should.

    Returns:
        Local rotations and positions of all joints.
    """
    local_q, local_p = rotations.copy(), translations.copy()
    coordinates = positions[..., 7:].reshape(*positions.shape[:-1], len(plan) - 1, 4)
    _place_pelvis(plan, positions, local_q, local_p, pelvis_moves)
    for body in range(1, len(plan)):
        joint = plan.joints[body]
        relative = quat.mul(plan.bind_rotations[body], coordinates[..., body - 1, :])
        riders = _riders_between(plan, body)
        for rider in riders:
            relative = quat.mul(quat.conj(local_q[..., rider, :]), relative)
        local_q[..., joint, :] = relative
    return local_q, local_p


def _place_pelvis(plan: BodyPlan, positions: Array, local_q: Array, local_p: Array, pelvis_moves: bool) -> None:
    pelvis = int(plan.joints[0])
    if pelvis == 0:
        local_q[..., 0, :], local_p[..., 0, :] = positions[..., 3:7], positions[..., :3]
        return
    world_q, world_p = forward_kinematics(plan.skeleton, local_q, local_p)
    above = int(plan.skeleton.parents[pelvis])
    local_q[..., pelvis, :] = quat.mul(quat.conj(world_q[..., above, :]), positions[..., 3:7])
    if pelvis_moves:
        away = positions[..., :3] - world_p[..., above, :]
        local_p[..., pelvis, :] = quat.rotate(quat.conj(world_q[..., above, :]), away)
    else:
        local_p[..., 0, :] += positions[..., :3] - world_p[..., pelvis, :]


def _riders_between(plan: BodyPlan, body: int) -> list[int]:
    """Joints strictly between a body's parent body and the body itself, from the top."""
    path = plan.skeleton.path(int(plan.joints[body]))
    return path[path.index(int(plan.joints[plan.parents[body]])) + 1 : -1]


def clip_from_generalized(plan: BodyPlan, positions: Array, base: Clip) -> Clip:
    """The base clip with its bodies at `positions`, shape (T, nq); everything that is not a body is the base's."""
    pelvis = int(plan.joints[0])
    rotations, local = pose_from_generalized(
        plan,
        positions,
        np.array(base.rotations),
        base.local_positions(),
        pelvis_moves=pelvis in base.translated,
    )
    return base.with_motion(rotations, local[:, base.translated])


def generalized_velocities(
    plan: BodyPlan, rotations: Array, translations: Array, angular: Array, linear: Array
) -> Array:
    """Generalized velocities of moving poses.

    Args:
        plan: The character.
        rotations: Local rotations, shape (..., J, 4).
        translations: Local positions [m], shape (..., J, 3).
        angular: Angular velocity of each joint relative to its parent, in its own frame [rad/s], shape (..., J, 3).
        linear: Rate of each local position, in the parent's frame [m/s], shape (..., J, 3).

    Returns:
        Shape (..., nv).
    """
    spin, speed = _absolute_velocities(plan, rotations, translations, angular, linear)
    world_q, _ = forward_kinematics(plan.skeleton, rotations, translations)
    own_q, own_spin = world_q[..., plan.joints, :], spin[..., plan.joints, :]
    relative = quat.mul(quat.conj(own_q[..., plan.parents[1:], :]), own_q[..., 1:, :])
    carried = quat.rotate(quat.conj(relative), own_spin[..., plan.parents[1:], :])
    joints = (own_spin[..., 1:, :] - carried).reshape(*spin.shape[:-2], -1)
    return np.concatenate([speed[..., plan.joints[0], :], own_spin[..., 0, :], joints], axis=-1)


def _absolute_velocities(
    plan: BodyPlan, rotations: Array, translations: Array, angular: Array, linear: Array
) -> tuple[Array, Array]:
    """Angular velocity of each joint in its own frame and linear velocity in the world."""
    world_q, world_p = forward_kinematics(plan.skeleton, rotations, translations)
    spin, speed = angular.copy(), linear.copy()
    for joint, parent in enumerate(plan.skeleton.parents[1:], start=1):
        turned = quat.rotate(world_q[..., parent, :], spin[..., parent, :])
        arm = world_p[..., joint, :] - world_p[..., parent, :]
        own = quat.rotate(world_q[..., parent, :], linear[..., joint, :])
        speed[..., joint, :] = speed[..., parent, :] + np.cross(turned, arm) + own
        spin[..., joint, :] = angular[..., joint, :] + quat.rotate(
            quat.conj(rotations[..., joint, :]), spin[..., parent, :]
        )
    return spin, speed


def joint_velocities(plan: BodyPlan, velocities: Array, rotations: Array, angular: Array) -> Array:
    """Relative angular velocity of every joint in its own frame [rad/s], shape (..., J, 3).

    The inverse of `generalized_velocities` for rotations: bodies take theirs from `velocities` (..., nv), other joints
    keep `angular` (..., J, 3). Joints above the pelvis are taken to carry it without turning it further.
    """
    result = angular.copy()
    relative = velocities[..., 3:].reshape(*velocities.shape[:-1], len(plan), 3)
    for body in range(len(plan)):
        joint = int(plan.joints[body])
        riders = _riders_between(plan, body) if body else plan.skeleton.path(joint)[:-1]
        carried = np.zeros_like(result[..., joint, :])
        for rider in riders:
            carried = quat.rotate(quat.conj(rotations[..., rider, :]), carried) + angular[..., rider, :]
        turned = quat.rotate(quat.conj(rotations[..., joint, :]), carried)
        result[..., joint, :] = relative[..., body, :] - turned
    return result


def turn_joint(plan: BodyPlan, rows: Array, body: int, vectors: Array) -> None:
    """Turn a body's joint on top of what it does, in place.

    Args:
        plan: The character.
        rows: Generalized positions, shape (T, nq).
        body: Whose joint.
        vectors: Rotation vectors about forward, left and up of the neutral pose [rad], shape (T, 3).
    """
    _kernels.turn_joint(rows, turn_at(body), plan.neutral[body], np.ascontiguousarray(vectors))
