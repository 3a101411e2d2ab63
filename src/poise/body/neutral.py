"""The neutral pose: standing, facing x, arms hanging. Anatomical frames and joint limits are stated from it.

The file's zero pose cannot serve: some exporters put every bone on one line there. So the neutral orientation of a body is
found from a reference frame (the zero pose where that is a person standing, otherwise the most upright frame of the clip)
by turning its bone the short way to where it points in the neutral pose. The twist that remains is the reference frame's.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from poise.math import quat
from poise.motion.clip import Clip
from poise.motion.pose import forward_kinematics
from poise.motion.roles import Roles

__all__ = ["StandingFrame", "bone_vectors", "neutral_orientations", "sampled", "standing_frame"]

Array = NDArray[np.float64]

_UP = np.array([0.0, 0.0, 1.0])
_NEXT = {
    "clavicle": ("upper_arm",),
    "upper_arm": ("forearm",),
    "forearm": ("hand",),
    "thigh": ("shank",),
    "shank": ("foot",),
    "foot": ("toes",),
    "spine": ("neck", "head"),
    "neck": ("head",),
}
_CANDIDATES, _TELLING = 60, 400
_UPRIGHT = np.radians(25.0)
_ON_LEGS = 0.7
"""Height of the pelvis over the ankles, in that of a standing person, of somebody who stands."""
_TIPTOE, _STEADY = np.radians(10.0), np.radians(5.0)
"""A modelled foot whose toes point down by more than a foot that stands steadily is not how it stands [rad]."""


@dataclass(frozen=True, eq=False)
class StandingFrame:
    """One instant of the whole skeleton, turned so that the person faces x.

    Args:
        rotations: World orientation of each joint, shape (J, 4).
        positions: World position of each joint [m], shape (J, 3).
        ends: World position of each end site [m], shape (E, 3).
        deviation: Mean angle [rad] of trunk and legs from the vertical.
        bind: Whether this is the zero pose, in which feet stand as they were modelled.
    """

    rotations: Array
    positions: Array
    ends: Array
    deviation: float
    bind: bool = False


def standing_frame(clip: Clip, roles: Roles) -> StandingFrame:
    """The zero pose if a person stands in it, otherwise the most upright of up to 60 frames of the clip."""
    skeleton = clip.skeleton
    identity = np.tile(quat.IDENTITY, (len(skeleton), 1))
    zero = _stance(clip, roles, *forward_kinematics(skeleton, identity, skeleton.offsets))
    if zero.deviation < _UPRIGHT:
        return replace(zero, bind=True)
    picked = np.unique(np.linspace(0, len(clip) - 1, _CANDIDATES).astype(int))
    local = clip.local_positions()[picked]
    rotations, positions = forward_kinematics(skeleton, clip.rotations[picked], local)
    frames = [_stance(clip, roles, rotations[i], positions[i]) for i in range(len(picked))]
    return min([zero, *frames], key=lambda frame: frame.deviation)


def _stance(clip: Clip, roles: Roles, rotations: Array, positions: Array) -> StandingFrame:
    left, right = roles.joint("left_thigh"), roles.joint("right_thigh")
    across = positions[left] - positions[right]
    turn = quat.exp(-np.arctan2(-across[0], across[1]) * _UP)
    rotations, positions = quat.mul(turn, rotations), quat.rotate(turn, positions)
    on = clip.skeleton.end_parents
    ends = positions[on] + quat.rotate(rotations[on], clip.skeleton.end_offsets)
    angles = []
    for side in ("left_", "right_"):
        hip, knee, ankle = (positions[roles.joint(side + part)] for part in ("thigh", "shank", "foot"))
        angles += [_angle(knee - hip, -_UP), _angle(ankle - knee, -_UP)]
    top = _top(roles, positions, "head", "neck")
    angles.append(_angle(top - positions[roles.joint("pelvis")], _UP))
    sideways = abs(quat.rotate(turn, across)[2]) > 0.5 * np.linalg.norm(across)
    return StandingFrame(rotations, positions, ends, float(np.mean(angles)) + (np.pi if sideways else 0.0))


def _top(roles: Roles, positions: Array, *names: str) -> Array:
    """Where the trunk ends [m], shape (3,): the first joint of some roles, else the middle between the arms."""
    found = [joint for joint in map(roles.joint, names) if joint is not None][:1]
    arms = [roles.joint("left_upper_arm"), roles.joint("right_upper_arm")]
    return np.asarray(positions[found or [joint for joint in arms if joint is not None]].mean(axis=0))


def _angle(a: Array, b: Array) -> float:
    size = np.linalg.norm(a) * np.linalg.norm(b)
    return float(np.arccos(np.clip(np.dot(a, b) / size, -1.0, 1.0))) if size > 1e-9 else np.pi


def sampled(clip: Clip) -> Clip:
    """At most 400 frames, spread over the clip: they tell how a body is made as well as all of them."""
    picked = np.unique(np.linspace(0, len(clip) - 1, _TELLING).astype(int))
    return clip if len(picked) == len(clip) else clip.with_motion(clip.rotations[picked], clip.translations[picked])


def bone_vectors(clip: Clip, roles: Roles, joints: NDArray[np.int64], reference: StandingFrame) -> Array:
    """From each joint to the end of its bone, in the world of the reference frame [m], shape (B, 3).

    A bone ends at the next joint of its chain, else at its end sites or children; a joint without any of these
    continues its parent's direction for a tenth of the stature's order, 0.1 m.
    """
    vectors = np.zeros((len(joints), 3))
    for body, joint in enumerate(joints):
        target = _bone_end(clip, roles, int(joint), joints, reference)
        if target is None:
            parent = int(clip.skeleton.parents[joint])
            along = reference.positions[joint] - reference.positions[parent] if parent >= 0 else _UP
            vectors[body] = 0.1 * along / max(float(np.linalg.norm(along)), 1e-9)
        else:
            vectors[body] = target - reference.positions[joint]
    return vectors


def _bone_end(
    clip: Clip, roles: Roles, joint: int, bodies: NDArray[np.int64], reference: StandingFrame
) -> Array | None:
    skeleton, role = clip.skeleton, roles.by_joint[joint] or ""
    side, plain = (role.split("_", 1)[0] + "_", role.split("_", 1)[1]) if role[:5] in ("left_", "right") else ("", role)
    below = set(skeleton.descendants(joint)) - {joint}
    if role in ("pelvis", "spine", "neck"):
        chain = [j for j in bodies if int(j) in below and roles.by_joint[j] in ("spine", "neck", "head")]
        if chain:
            return np.asarray(reference.positions[chain[0]])
    for name in _NEXT.get(plain, ()):
        following = roles.joint(side + name)
        if following is not None and following in below:
            end = np.asarray(reference.positions[following])
            if plain == "foot" and _hangs(end - reference.positions[joint]):
                # The ball is right below the ankle: this foot is its toes.
                tips = [reference.ends[e] for e, on in enumerate(skeleton.end_parents) if int(on) == following]
                return np.mean(tips, axis=0) if tips else end
            return end
    ends = [reference.ends[e] for e, on in enumerate(skeleton.end_parents) if int(on) == joint]
    ends += [reference.positions[child] for child in skeleton.children[joint]]
    far = [end for end in ends if np.linalg.norm(end - reference.positions[joint]) > 1e-3]
    return np.mean(far, axis=0) if far else None


def _hangs(bone: Array) -> bool:
    """Whether a bone points nearly straight down."""
    return bool(np.hypot(bone[0], bone[1]) < -0.3 * bone[2])


def neutral_orientations(
    clip: Clip, roles: Roles, joints: NDArray[np.int64], bones: Array, reference: StandingFrame
) -> Array:
    """World orientation of each body in the neutral pose, shape (B, 4)."""
    trunk = _trunk_turn(roles, reference)
    motion = sampled(clip).world()
    result = np.zeros((len(joints), 4))
    for body, joint in enumerate(joints):
        role = roles.by_joint[joint] or ""
        if role.endswith("foot") and not (
            reference.bind and _stands(motion, roles, reference, int(joint), bones[body])
        ):
            bone = quat.rotate(quat.conj(reference.rotations[joint]), bones[body])
            result[body] = _standing_foot(motion, int(joint), bone)
            continue
        target = _neutral_direction(role, bones[body])
        turn = trunk if target is None else quat.between(bones[body], target)
        result[body] = quat.mul(turn, reference.rotations[joint])
    return result


def _stands(motion: tuple[Array, Array], roles: Roles, reference: StandingFrame, joint: int, bone: Array) -> bool:
    """Whether a foot of the zero pose stands as the clip's does; some are modelled on tiptoe.

    Somebody who lies or kneels does not tell.
    """
    pelvis = roles.joint("pelvis")
    local = quat.rotate(quat.conj(reference.rotations[joint]), bone)
    ups, heights = _sole_up(motion, joint, local, int(pelvis or 0))
    if heights.mean() < _ON_LEGS * (reference.positions[pelvis] - reference.positions[joint])[2]:
        return True
    up = quat.rotate(reference.rotations[joint], ups.mean(axis=0))
    forward = bone * np.array([1.0, 1.0, 0.0])
    tipped = np.arctan2(np.dot(up, forward), up[2] * max(float(np.linalg.norm(forward)), 1e-9))
    return bool(np.linalg.norm(up) < np.cos(_STEADY) or tipped < _TIPTOE)


def _sole_up(motion: tuple[Array, Array], joint: int, bone: Array, pelvis: int = 0) -> tuple[Array, Array]:
    """In the fifth of the clip in which a foot is lowest: what is up in its own frame (N, 3), how high the pelvis is (N,)."""
    rotations, positions = motion
    ankle, turn = positions[:, joint], rotations[:, joint]
    height = 2.0 * ankle[:, 2] + quat.rotate(turn, bone)[:, 2]
    low = height <= np.percentile(height, 20.0)
    return quat.rotate(quat.conj(turn[low]), _UP), positions[low, pelvis, 2] - ankle[low, 2]


def _standing_foot(motion: tuple[Array, Array], joint: int, bone: Array) -> Array:
    """Orientation of a foot that stands flat and points along x, from the fifth of the clip in which it is lowest.

    The zero pose says nothing of it where it is not a standing person, and any one frame may have it on tiptoe.
    """
    up = _sole_up(motion, joint, bone)[0].mean(axis=0)
    up = up / np.linalg.norm(up)
    forward = bone - np.dot(bone, up) * up
    forward = forward / max(float(np.linalg.norm(forward)), 1e-9)
    return quat.from_matrix(np.stack([forward, np.cross(up, forward), up]))


def _trunk_turn(roles: Roles, reference: StandingFrame) -> Array:
    """The turn that stands the whole trunk upright."""
    top = _top(roles, reference.positions, "neck", "head")
    return quat.between(top - reference.positions[roles.joint("pelvis")], _UP)


def _neutral_direction(role: str, bone: Array) -> Array | None:
    """Where a bone points in the neutral pose; None for the trunk, which turns as one."""
    if role.endswith(("upper_arm", "forearm", "hand", "thigh", "shank")):
        return -_UP
    if role.endswith("clavicle"):
        return np.array([0.0, 1.0 if role.startswith("left") else -1.0, 0.0])
    if role.endswith("foot"):
        # Forward, keeping the bone's own slope below the ankle, at most 45 degrees.
        drop = np.clip(-bone[2] / max(float(np.linalg.norm(bone)), 1e-9), 0.0, np.sqrt(0.5))
        return np.array([np.sqrt(1.0 - drop**2), 0.0, -drop])
    return None
