"""Which joints of a skeleton become bodies, how they hang together, and how tall that makes a person.

What cannot be a body is refused here, before anything is made of it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.body.neutral import StandingFrame, standing_frame
from poise.body.options import BodyOptions
from poise.errors import InputError, shown
from poise.math import quat
from poise.motion.clip import Clip
from poise.motion.roles import Roles

__all__ = ["Bones", "measure_bones"]

Array = NDArray[np.float64]

_PAIRED = ("upper_arm", "forearm", "thigh", "shank", "foot")
_REQUIRED = ("pelvis", *(side + part for side in ("left_", "right_") for part in _PAIRED))
_CHAINS = ("spine", "neck")
_LEG, _TRUNK = 0.491, 0.34
"""Hip to ankle, and pelvis to head joint, as shares of stature (Drillis and Contini, in Winter; the trunk is ours)."""
_LONGEST_BONE = 5.0
"""Longest bone that is believed, in statures: nobody has one as long, and beyond what physics can compute with."""
_SHORTEST, _TALLEST = 0.3, 4.0
_OTHER = 1.25
"""A stature that is given is the skeleton's by at most this factor, up or down: people with legs of one length differ less."""


class Bones(NamedTuple):
    """The skeleton of a body, without flesh.

    Args:
        joints: Joint of each body, shape (B,).
        parents: Parent body of each body, shape (B,); -1 for the pelvis.
        offsets: Joint position in the parent body's frame [m], shape (B, 3).
        reference: An instant in which the person stands.
        stature: Standing height [m].
        roles: Anatomical role of each body.
    """

    joints: NDArray[np.int64]
    parents: NDArray[np.int64]
    offsets: Array
    reference: StandingFrame
    stature: float
    roles: tuple[str | None, ...]


def measure_bones(clip: Clip, roles: Roles, options: BodyOptions) -> Bones:
    """The bones of the clip's character.

    Args:
        clip: Its motion.
        roles: Anatomical roles of its joints.
        options: How to weigh it.

    Raises:
        InputError: Roles that a body needs are missing, or it has not the size of one.
    """
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
    return Bones(joints, parents, offsets, reference, stature, tuple(roles.by_joint[joint] for joint in joints))


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
