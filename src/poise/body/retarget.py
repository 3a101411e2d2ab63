"""A motion from one skeleton onto another, by anatomical roles.

Every joint with a role is compared with the neutral pose (`poise.body.neutral`): how far it is turned from there, in the
world, is what is carried over, so bones point where they pointed whatever their frames, lengths and bind pose are. The
way over the ground goes with the length of the legs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.body.neutral import StandingFrame, bone_vectors, neutral_orientations, standing_frame
from poise.math import quat
from poise.motion.clip import Clip
from poise.motion.edit import travelling_joint
from poise.motion.pose import forward_kinematics
from poise.motion.roles import ROLES, Roles

__all__ = ["Retargeted", "retarget"]

Array = NDArray[np.float64]

_CHAINS = ("spine", "neck")
_NEEDED = tuple(side + part for side in ("left_", "right_") for part in ("thigh", "shank", "foot"))


class Retargeted(NamedTuple):
    """A motion on another skeleton, and the length of its legs in those of the source."""

    clip: Clip
    scale: float


@dataclass(frozen=True, eq=False)
class _Figure:
    """A skeleton's roles and the pose they are measured from.

    Args:
        roles: Anatomical roles.
        reference: A standing pose, turned to face x.
        neutral: World orientation of each joint in the neutral pose, shape (J, 4); of joints without a role the
            reference's.
        leg: Length of a leg from hip to ankle [m].
    """

    roles: Roles
    reference: StandingFrame
    neutral: Array
    leg: float

    def local(self, joint: int) -> Array:
        """Local rotation of a joint in the reference pose."""
        parent = int(self.roles.skeleton.parents[joint])
        own = self.reference.rotations[joint]
        if parent < 0:
            return quat.IDENTITY if self.reference.bind else own
        return np.asarray(quat.mul(quat.conj(self.reference.rotations[parent]), own))


def _figure(clip: Clip, roles: Roles) -> _Figure:
    roles.require("pelvis", *_NEEDED)
    reference = standing_frame(clip, roles)
    neutral = reference.rotations.copy()
    joints = np.array([j for j, role in enumerate(roles.by_joint) if role and not role.endswith("toes")])
    bones = bone_vectors(clip, roles, joints, reference)
    neutral[joints] = neutral_orientations(clip, roles, joints, bones, reference)
    pelvis = roles.joint("pelvis")
    upright = quat.mul(neutral[pelvis], quat.conj(reference.rotations[pelvis]))
    for joint, role in enumerate(roles.by_joint):
        if role and role.endswith("clavicle"):
            # Shoulders keep their own slope; only how they move is carried over.
            neutral[joint] = quat.mul(upright, reference.rotations[joint])
        elif role and role.endswith("toes"):
            foot = int(roles.joint(role.replace("toes", "foot")) or 0)
            turn = quat.mul(neutral[foot], quat.conj(reference.rotations[foot]))
            neutral[joint] = quat.mul(turn, reference.rotations[joint])
    return _Figure(roles, reference, neutral, _leg(roles, reference))


def _leg(roles: Roles, reference: StandingFrame) -> float:
    lengths = []
    for side in ("left_", "right_"):
        joints = [
            joint for joint in (roles.joint(side + part) for part in ("thigh", "shank", "foot")) if joint is not None
        ]
        points = reference.positions[joints]
        lengths.append(float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum()))
    return 0.5 * sum(lengths)


def retarget(source: Clip, roles: Roles, target: Clip, target_roles: Roles) -> Retargeted:
    """The source's motion on the target's skeleton.

    Where one spine or neck has more joints than the other they share the bend. Joints without a role move as those of
    the same name do, and otherwise stand as in the target's standing pose; so does what the source has no role for.
    Bones keep the target's offsets. The joint that carries the target through the world is moved so that the middle
    between its hips goes as the source's does, scaled by the legs about the world's origin.

    Args:
        source: The motion.
        roles: Of its joints.
        target: A motion of the other skeleton, or one frame; its standing pose is found in it.
        target_roles: Of that skeleton's joints.

    Raises:
        InputError: A skeleton has no pelvis or lacks part of a leg.
    """
    theirs, ours = _figure(source, roles), _figure(target, target_roles)
    world, places = source.world()
    turns = quat.mul(world, quat.conj(theirs.neutral))
    given = _shared(turns, roles, target_roles) | _copied(turns, roles, target_roles)
    rotations, own_world = _pose(len(source), ours, given, _namesakes(source, theirs, ours))
    scale = ours.leg / theirs.leg
    hips = scale * _hips(places, roles)
    carrier = _carrier(target, target_roles)
    translated = np.array(sorted({0, carrier}), dtype=np.int64)
    local = np.broadcast_to(target.skeleton.offsets, (len(source), len(target.skeleton), 3)).copy()
    local[:, 0] = target.local_positions()[0, 0] if carrier else 0.0
    _, own_places = forward_kinematics(target.skeleton, rotations, local)
    away = hips - _hips(own_places, target_roles)
    above = int(target.skeleton.parents[carrier])
    local[:, carrier] += away if above < 0 else quat.rotate(quat.conj(own_world[:, above]), away)
    origin = replace(target.source, frame_time_text="", first_row=(), rows=None, notes=())
    return Retargeted(
        Clip(target.skeleton, source.rate, rotations, local[:, translated], translated, origin, source.name), scale
    )


def _hips(places: Array, roles: Roles) -> Array:
    """Middle between the hip joints, shape (T, 3)."""
    pair = [joint for joint in (roles.joint("left_thigh"), roles.joint("right_thigh")) if joint is not None]
    return np.asarray(places[:, pair].mean(axis=1))


def _carrier(target: Clip, roles: Roles) -> int:
    """The joint that carries the target through the world, at or above its pelvis."""
    carrier = travelling_joint(target)
    return carrier if carrier in roles.skeleton.path(int(roles.joint("pelvis") or 0)) else 0


def _copied(turns: Array, roles: Roles, target_roles: Roles) -> dict[int, Array]:
    """Turn from neutral (T, 4) of each joint of the target whose role the source has too."""
    given = {}
    for role in ROLES:
        here, there = roles.joint(role), target_roles.joint(role)
        if role not in _CHAINS and here is not None and there is not None:
            given[there] = turns[:, here]
    return given


def _shared(turns: Array, roles: Roles, target_roles: Roles) -> dict[int, Array]:
    """Turns (T, 4) of the target's spine and neck: the source's along them, between them where there are others."""
    pelvis = turns[:, int(roles.joint("pelvis") or 0)]
    spine = [pelvis, *(turns[:, joint] for joint in roles.joints("spine"))]
    head = roles.joint("head")
    neck = [spine[-1], *(turns[:, joint] for joint in roles.joints("neck"))]
    if head is not None:
        neck.append(turns[:, head])
    own_spine, own_neck = target_roles.joints("spine"), target_roles.joints("neck")
    steps = len(own_neck) + (head is not None)
    given = {joint: _along(spine, (k + 1) / len(own_spine)) for k, joint in enumerate(own_spine)}
    return given | {joint: _along(neck, (k + 1) / steps) for k, joint in enumerate(own_neck)}


def _along(turns: Sequence[Array], share: float) -> Array:
    """The turn at a share of the way along a chain, 0 at its first and 1 at its last."""
    place = share * (len(turns) - 1)
    first = min(int(place + 1e-9), len(turns) - 1)
    rest = place - first
    if rest < 1e-9:
        return turns[first]
    return np.asarray(quat.slerp(turns[first], turns[first + 1], rest))


def _namesakes(source: Clip, theirs: _Figure, ours: _Figure) -> dict[int, Array]:
    """Local rotations (T, 4) of the target's joints without a role that move as the source's of the same name."""
    if theirs.reference.bind != ours.reference.bind:
        return {}
    skeleton, found = ours.roles.skeleton, {}
    for joint, name in enumerate(skeleton.names):
        if name not in source.skeleton.names or ours.roles.by_joint[joint]:
            continue
        other = source.skeleton.index(name)
        if theirs.roles.by_joint[other] is None:
            turn = quat.mul(source.rotations[:, other], quat.conj(theirs.local(other)))
            found[joint] = np.asarray(quat.mul(turn, ours.local(joint)))
    return found


def _pose(frames: int, ours: _Figure, given: dict[int, Array], namesakes: dict[int, Array]) -> tuple[Array, Array]:
    """Local and world rotations (T, J, 4) of the target."""
    skeleton = ours.roles.skeleton
    local, world = np.zeros((2, frames, len(skeleton), 4))
    for joint, parent in enumerate(skeleton.parents):
        above = world[:, parent] if parent >= 0 else np.tile(quat.IDENTITY, (frames, 1))
        if joint in given:
            world[:, joint] = quat.mul(given[joint], ours.neutral[joint])
            local[:, joint] = quat.mul(quat.conj(above), world[:, joint])
        else:
            local[:, joint] = namesakes.get(joint, ours.local(joint))
            world[:, joint] = quat.mul(above, local[:, joint])
    return local, world
