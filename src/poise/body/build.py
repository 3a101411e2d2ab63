"""From a skeleton with roles to a body with mass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from poise.body.anatomical_axes import AnatomicalAxes, fit_axes
from poise.body.colliders import fit_colliders
from poise.body.coordinates import generalized_from_clip
from poise.body.girth import Girth, measure_girths
from poise.body.limits import anatomical, strength_for, swing_twist_angles, table_limits, widened
from poise.body.neutral import StandingFrame, bone_vectors, neutral_orientations, standing_frame
from poise.body.options import BodyOptions
from poise.body.plan import BodyPlan, Collider, JointLimits
from poise.body.segments import distribute
from poise.errors import InputError, shown
from poise.math import quat
from poise.motion.clip import Clip
from poise.motion.roles import Roles
from poise.motion.skin import SkinnedMesh

__all__ = ["build_body"]

Array = NDArray[np.float64]

_PAIRED = ("upper_arm", "forearm", "thigh", "shank", "foot")
_REQUIRED = ("pelvis", *(side + part for side in ("left_", "right_") for part in _PAIRED))
_CHAINS = ("spine", "neck")
_LEG, _TRUNK = 0.491, 0.34
"""Hip to ankle, and pelvis to head joint, as shares of stature (Drillis and Contini, in Winter; the trunk is ours)."""
_MASS_PER_SQUARE_METRE = 22.5
_LONGEST_BONE = 5.0
"""Longest bone that is believed, in statures: nobody has one as long, and beyond what physics can compute with."""
_SHORTEST, _TALLEST = 0.3, 4.0
_OTHER = 1.25
"""A stature that is given is the skeleton's by at most this factor, up or down: people with legs of one length differ less."""


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
    roles.require(*_REQUIRED)
    joints = _body_joints(clip, roles)
    parents = _body_parents(clip, joints)
    reference = standing_frame(clip, roles)
    estimated = _stature(roles, reference)
    if not _SHORTEST <= estimated <= _TALLEST:
        raise InputError(
            f"this skeleton would be {estimated:.3g} m tall, and {_SHORTEST:g} to {_TALLEST:g} m are taken; "
            "is its unit right (--unit)?"
        )
    stature = options.stature or estimated
    if not 1.0 / _OTHER <= stature / estimated <= _OTHER:
        raise InputError(
            f"a stature of {stature:.3g} m does not fit this skeleton, which stands {estimated:.3g} m tall: stature gives mass "
            "and girths, the unit gives size (--unit)"
        )
    offsets = _offsets(clip, joints, parents)
    _check_bones(clip, joints, parents, offsets, stature)
    bones_world = bone_vectors(clip, roles, joints, reference)
    bones = quat.rotate(quat.conj(reference.rotations[joints]), bones_world)
    rest = neutral_orientations(clip, roles, joints, bones_world, reference)
    axes = AnatomicalAxes(rest, ("rest pose",) * len(joints))
    if options.axes == "motion":
        axes = fit_axes(clip, roles, joints, bones, rest, reference)
    body_roles = [roles.by_joint[j] for j in joints]
    neutral = rest
    girths = measure_girths(mesh, clip.skeleton, joints, bones, neutral) if mesh is not None else [None] * len(joints)
    colliders = _colliders(roles, joints, bones, neutral, reference, stature, girths)
    mass = options.mass or _MASS_PER_SQUARE_METRE * stature**2
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


def _body_joints(clip: Clip, roles: Roles) -> NDArray[np.int64]:
    """Joints with a physical role at or below the pelvis, and moving joints that lie between them."""
    pelvis = roles.joint("pelvis")
    assert pelvis is not None
    below = clip.skeleton.descendants(pelvis)
    physical = set()
    for joint in below:
        role = roles.by_joint[joint]
        if role is None or role.endswith("toes"):
            continue
        if role in _CHAINS or roles.joint(role) == joint:
            physical.add(joint)
    moving = _moving_joints(clip)
    for joint in sorted(physical - {pelvis}):
        path = clip.skeleton.path(joint)
        physical.update(j for j in path[path.index(pelvis) :] if moving[j])
    # Depth first, as the physics orders bodies, whatever order the file has.
    return np.array(sorted(physical, key=clip.skeleton.path), dtype=np.int64)


def _moving_joints(clip: Clip) -> NDArray[np.bool_]:
    """Whether each joint turns over the clip by more than 0.01 rad."""
    away = quat.angle_between(clip.rotations, clip.rotations[:1])
    moving: NDArray[np.bool_] = away.max(axis=0) > 0.01
    return moving


def _body_parents(clip: Clip, joints: NDArray[np.int64]) -> NDArray[np.int64]:
    number = {int(joint): body for body, joint in enumerate(joints)}
    parents = np.full(len(joints), -1)
    for body, joint in enumerate(joints[1:], start=1):
        above = int(clip.skeleton.parents[joint])
        while above not in number:
            above = int(clip.skeleton.parents[above])
        parents[body] = number[above]
    return parents


def _offsets(clip: Clip, joints: NDArray[np.int64], parents: NDArray[np.int64]) -> Array:
    """Each body's joint in its parent body's frame, the median over the clip (files may move any joint)."""
    picked = np.unique(np.linspace(0, len(clip) - 1, 25).astype(int))
    short = clip.with_motion(clip.rotations[picked], clip.translations[picked])
    rotations, positions = short.world()
    offsets = np.zeros((len(joints), 3))
    above = joints[parents[1:]]
    away = positions[:, joints[1:]] - positions[:, above]
    offsets[1:] = np.median(quat.rotate(quat.conj(rotations[:, above]), away), axis=0)
    return offsets


def _check_bones(
    clip: Clip, joints: NDArray[np.int64], parents: NDArray[np.int64], offsets: Array, stature: float
) -> None:
    """Raise `InputError` where a joint is farther from the one above it than any bone is long: no physics could move it."""
    lengths = np.linalg.norm(offsets, axis=1)
    far = np.flatnonzero(lengths > _LONGEST_BONE * stature)
    if len(far):
        names = [clip.skeleton.names[joints[body]] for body in far]
        above = clip.skeleton.names[joints[parents[far[0]]]]
        raise InputError(
            f"joint {shown(names[0])} is {lengths[far[0]]:.3g} m away from {shown(above)}, and somebody {stature:.3g} m tall "
            f"has no bone above {_LONGEST_BONE * stature:.3g} m{_and_others(names[1:])}"
        )


def _and_others(names: list[str]) -> str:
    return f"; likewise {', '.join(names[:5])}{', …' if len(names) > 5 else ''}" if names else ""


def _bind(neutral: Array, parents: NDArray[np.int64]) -> Array:
    bind = quat.mul(quat.conj(neutral[parents]), neutral)
    bind[0] = quat.IDENTITY
    return bind


def _stature(roles: Roles, reference: StandingFrame) -> float:
    def distance(*names: str) -> float:
        points = np.array([reference.positions[joint] for joint in map(roles.joint, names) if joint is not None])
        return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())

    leg = 0.5 * (
        distance("left_thigh", "left_shank", "left_foot") + distance("right_thigh", "right_shank", "right_foot")
    )
    hips = 0.5 * (reference.positions[roles.joint("left_thigh")] + reference.positions[roles.joint("right_thigh")])
    top = roles.joint("head") or roles.joint("neck")
    if top is None:
        return leg / _LEG
    trunk = float(np.linalg.norm(reference.positions[top] - hips))
    return (leg + trunk) / (_LEG + _TRUNK)


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
