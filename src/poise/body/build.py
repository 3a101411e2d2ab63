"""From a skeleton with roles to a body with mass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from poise.body.anatomical_axes import AnatomicalAxes, fit_axes, joint_axes
from poise.body.bones import measure_bones
from poise.body.colliders import fit_colliders
from poise.body.coordinates import generalized_from_clip
from poise.body.girth import Girth, measure_girths
from poise.body.limits import anatomical, strength_for, swing_twist_angles, table_limits, widened
from poise.body.neutral import StandingFrame, bone_vectors, neutral_orientations
from poise.body.options import BODY_MASS_INDEX, BodyOptions
from poise.body.plan import BodyPlan, Collider, JointLimits
from poise.body.segments import distribute
from poise.math import quat
from poise.motion.clip import Clip
from poise.motion.roles import Roles
from poise.motion.skin import SkinnedMesh

__all__ = ["build_body"]

Array = NDArray[np.float64]


def build_body(
    clip: Clip, roles: Roles, options: BodyOptions | None = None, mesh: SkinnedMesh | None = None
) -> BodyPlan:
    """The physical body of the clip's character.

    Args:
        clip: Its motion.
        roles: Anatomical roles of its joints.
        options: How to weigh it.
        mesh: Its skin, to which colliders are then fitted; mass shares stay those of the table.

    Raises:
        InputError: Roles that a body needs are missing, or an option is out of range.
    """
    options = options or BodyOptions()
    joints, parents, offsets, reference, stature, body_roles = measure_bones(clip, roles, options)
    bones_world = bone_vectors(clip, roles, joints, reference)
    bones = quat.rotate(quat.conj(reference.rotations[joints]), bones_world)
    rest = neutral_orientations(clip, roles, joints, bones_world, reference)
    axes = AnatomicalAxes(rest, ("rest pose",) * len(joints))
    if options.axes == "motion":
        axes = fit_axes(clip, roles, joints, bones, rest, reference)
    neutral = joint_axes(axes.neutral, rest, body_roles)
    girths = measure_girths(mesh, clip.skeleton, joints, bones, neutral) if mesh is not None else [None] * len(joints)
    colliders = _colliders(roles, joints, bones, neutral, reference, stature, girths)
    mass = options.mass or BODY_MASS_INDEX * stature**2
    weights = distribute(body_roles, parents, bones, colliders, options.table, mass)
    plan = BodyPlan(
        skeleton=clip.skeleton,
        roles=roles,
        joints=joints,
        parents=parents,
        offsets=offsets,
        bind_rotations=_bind(neutral, parents),
        neutral=neutral,
        axes=axes.neutral,
        axes_from=axes.found,
        masses=weights.masses,
        centres=weights.centres,
        inertias=weights.inertias,
        colliders=colliders,
        limits=table_limits(body_roles),
        strengths=np.array([strength_for(role, mass) for role in body_roles]),
        stature=stature,
    )
    coordinates = generalized_from_clip(plan, clip)[:, 3:].reshape(len(clip), len(plan), 4)
    return replace(plan, limits=_clip_limits(plan, coordinates))


def _bind(neutral: Array, parents: NDArray[np.int64]) -> Array:
    bind = quat.mul(quat.conj(neutral[parents]), neutral)
    bind[0] = quat.IDENTITY
    return bind


def _colliders(
    roles: Roles,
    joints: NDArray[np.int64],
    bones: Array,
    neutral: Array,
    reference: StandingFrame,
    stature: float,
    girths: Sequence[Girth | None],
) -> tuple[tuple[Collider, ...], ...]:
    def half_distance(left: str, right: str) -> float:
        a, b = roles.joint(left), roles.joint(right)
        return 0.5 * float(np.linalg.norm(reference.positions[a] - reference.positions[b]))

    hips, shoulders = half_distance("left_thigh", "right_thigh"), half_distance("left_upper_arm", "right_upper_arm")
    trunk = [body for body, j in enumerate(joints) if roles.by_joint[j] in ("pelvis", "spine")]
    widths = np.interp(np.arange(len(trunk)), [0, max(len(trunk) - 1, 1)], [0.6 * hips, 0.45 * shoulders])
    by_body = dict(zip(trunk, widths, strict=True))
    level = 0.5 * sum(reference.positions[roles.joint(side + "upper_arm")][2] for side in ("left_", "right_"))
    room = {body: level - reference.positions[joints[body]][2] for body in trunk}
    return tuple(
        fit_colliders(
            roles.by_joint[joint],
            bones[body],
            neutral[body],
            stature,
            half_width=float(by_body.get(body, 0.0)),
            below_shoulders=float(room.get(body, 0.0)),
            girth=girths[body],
        )
        for body, joint in enumerate(joints)
    )


def _clip_limits(plan: BodyPlan, coordinates: Array) -> tuple[JointLimits, ...]:
    angles = swing_twist_angles(anatomical(coordinates, plan.neutral))
    return tuple(widened(limits, angles[:, body]) for body, limits in enumerate(plan.limits))
