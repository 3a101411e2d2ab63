"""How bones are turned about themselves in the neutral pose, fitted to the motion and to the rest pose.

A bone's direction in the neutral pose says nothing of how it is turned about itself, and files turn upper arms as they please.
Elbows and knees are hinges, though: the normal of the plane they bend in is fixed in the bone above and in the bone below. In
the neutral pose it points left at a bent knee and right at a bent elbow, so each bone is turned about itself until it does (a
plain case of functional axes, of which Ehrig et al. 2007, named from memory, is a survey). Straight is where both bones are in
one line, whatever the file's rest pose is.

What the motion says counts first, then a rest pose in which the limb is bent, then how the rest pose turns its bones. An axis
that lies farther from the rest pose than a person turns a bone is not taken: an elbow that bends backwards stays one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.body.limits import limits_for, swing_twist_angles, twisted_first
from poise.body.neutral import StandingFrame, sampled
from poise.math import quat
from poise.motion.clip import Clip
from poise.motion.roles import Roles

__all__ = ["AnatomicalAxes", "fit_axes", "joint_axes"]

Array = NDArray[np.float64]

_BENT = np.radians(15.0)
"""A straighter limb does not tell where it bends to [rad]."""
_FEWEST = 5
"""Bent frames that must be there, in a clip that has as many."""
_ONE_WAY = 0.8
"""How much of all bending must be in one direction: a hinge gives 1, a ball joint that goes about 0."""
_ANGLES = np.radians(np.arange(-90.0, 91.0, 5.0)[np.argsort(np.abs(np.arange(-90.0, 91.0, 5.0)), kind="stable")])
"""Turns of a hand about itself that are tried, the least first."""
_ENOUGH = 100
"""Frames that tell how a hand is turned."""
_REST_TRUST, _FRAME_TRUST = np.radians(30.0), np.radians(60.0)
"""How far the palms of a modelled rest pose, and of the most upright frame of a clip, may be off [rad]."""
_ALIKE = np.radians(25.0)
"""Bones whose directions in their own frames differ by less are built alike [rad]."""
_DOUBT = np.radians(10.0)
"""How far a wrist may be outside the tables' ranges before that tells (a choice: so much people differ) [rad]."""
_FARTHEST_OUT = np.radians(60.0)
"""A glitch that is farther outside counts no more [rad]."""
_AGREES = np.radians(5.0)
"""A rest pose that turns a bone by no more than this from where the motion has it is right (a choice) [rad]."""
_OWN = ("upper_arm", "thigh", "hand", "head", "neck")
"""Parts that joints turn from as anatomy turns them."""
_SIDES, _ARM = ("left", "right"), ("upper_arm", "forearm", "hand")


class _Hinge(NamedTuple):
    """A limb's hinge: bones above and below, where its normal points to in the neutral pose (1 left).

    `farthest` [rad] is how far the bone above may be turned about itself from where the rest pose has it: a humerus turns by
    104 degrees outwards (Boone and Azen 1979, at second hand), a femur by 47 (from memory). What is allowed is somewhat more.
    """

    above: str
    below: str
    normal: float
    farthest: float


_HINGES = (
    _Hinge("upper_arm", "forearm", -1.0, np.radians(120.0)),
    _Hinge("thigh", "shank", 1.0, np.radians(75.0)),
)


@dataclass(frozen=True, eq=False)
class AnatomicalAxes:
    """The neutral pose with every bone turned about itself as a person's is.

    Args:
        neutral: World orientation of each body in the neutral pose, shape (B, 4).
        found: Per body, what told how it is turned: "motion", "rest pose bend", "chest" or "rest pose".
    """

    neutral: Array
    found: tuple[str, ...]


def fit_axes(
    clip: Clip, roles: Roles, joints: NDArray[np.int64], bones: Array, neutral: Array, reference: StandingFrame
) -> AnatomicalAxes:
    """Turn the limbs of a neutral pose about their bones until hinges bend as hinges do.

    Args:
        clip: The motion.
        roles: Of its joints.
        joints: Joint of each body, shape (B,).
        bones: Bone vector of each body in its own frame [m], shape (B, 3).
        neutral: World orientation of each body in the neutral pose, as the rest pose has it, shape (B, 4).
        reference: The pose that came from.
    """
    motion = sampled(clip).world()[0][:, joints]
    rest = reference.rotations[None, joints]
    number = {roles.by_joint[joint] or "": body for body, joint in enumerate(joints)}
    turned, found = neutral.copy(), ["rest pose"] * len(joints)
    upright = quat.mul(neutral[0], quat.conj(reference.rotations[joints[0]]))
    for body, joint in enumerate(joints):
        if (roles.by_joint[joint] or "").endswith("clavicle"):
            # Collar bones slope as they were modelled.
            turned[body] = quat.mul(upright, reference.rotations[joint])
    if not reference.bind:
        _align_head(roles, joints, bones, turned, found)
    for hinge in _HINGES:
        for side in _SIDES:
            pair = [number[f"{side}_{part}"] for part in (hinge.above, hinge.below)]
            for rotations, source in ((motion, "motion"), (rest, "rest pose bend")):
                turns = _turns(rotations[:, pair], bones[pair], neutral[pair], hinge)
                if turns is not None:
                    for body, angle in zip(pair, turns, strict=True):
                        _turn(turned, body, angle)
                        found[body] = source
                    break
    trust = _REST_TRUST if reference.bind else _FRAME_TRUST
    for side in _SIDES:
        arm = [number[name] for part in _ARM if (name := f"{side}_{part}") in number]
        if len(arm) == len(_ARM) and _turn_hand(turned, motion, arm, side, trust):
            found[arm[-1]] = "motion"
    return AnatomicalAxes(turned, tuple(found))


def _align_head(roles: Roles, joints: NDArray[np.int64], bones: Array, neutral: Array, found: list[str]) -> None:
    """Neck and head look where the chest does if their bones lie along the axis of their frames that the chest's does.

    A single frame of a clip has the head turned somewhere; bones that are built alike look ahead when their frames agree.
    """
    named = [roles.by_joint[joint] for joint in joints]
    if "spine" not in named:
        return
    chest = len(named) - 1 - named[::-1].index("spine")
    lengths = np.linalg.norm(bones, axis=1, keepdims=True)
    along = bones / np.where(lengths > 0.0, lengths, 1.0)
    for body, role in enumerate(named):
        if role not in ("neck", "head"):
            continue
        points_up = quat.rotate(neutral[body], along[body])[2] > 0.5
        if points_up and np.dot(along[body], along[chest]) > np.cos(_ALIKE):
            neutral[body], found[body] = neutral[chest], "chest"


def joint_axes(fitted: Array, rest: Array, roles: Sequence[str | None]) -> Array:
    """World orientations in the neutral pose from which joints of a body turn and have their stops, shape (B, 4).

    The way a hinge swings goes by how the bone above it is turned about itself; that of the bone below is only where
    turning the forearm counts from. So upper arms and thighs are turned as their hinges tell, and forearms with their
    palms: the elbow's normal moves in a forearm as that turns, and would make the clip's own mean the middle of its range.
    Shins stay with their feet, and collar bones level. What the rest pose has within 5 degrees is left as it is.

    Args:
        fitted: Orientations from `fit_axes`, shape (B, 4).
        rest: Those of the rest pose, shape (B, 4).
        roles: Of the bodies.
    """
    turned = rest.copy()
    for body, role in enumerate(roles):
        teller = (role or "").replace("forearm", "hand")
        if not teller.endswith(_OWN) or teller not in roles:
            continue
        teller_body = roles.index(teller) if teller != role else body
        if quat.angle_between(fitted[teller_body], rest[teller_body]) > _AGREES:
            turned[body] = quat.mul(quat.mul(fitted[teller_body], quat.conj(rest[teller_body])), rest[body])
    return turned


def _turns(rotations: Array, bones: Array, neutral: Array, hinge: _Hinge) -> tuple[float, float] | None:
    """Turns about the vertical [rad] that bring the hinge's normal to where it belongs, for the bones above and below.

    Args:
        rotations: World orientations of the two bones, shape (T, 2, 4).
        bones: Their vectors in their own frames [m], shape (2, 3).
        neutral: Their orientations in the neutral pose, shape (2, 4).
        hinge: Which joint this is.
    """
    along = quat.rotate(rotations, bones / np.linalg.norm(bones, axis=1, keepdims=True))
    normals = np.cross(along[:, 0], along[:, 1])
    size = np.linalg.norm(normals, axis=1)
    bent = size > np.sin(_BENT)
    if bent.sum() < min(_FEWEST, len(rotations)):
        return None
    own = quat.rotate(quat.conj(rotations[bent]), normals[bent][:, None])
    mean = (own * size[bent][:, None, None]).sum(axis=0)
    if np.linalg.norm(mean, axis=1).min() < _ONE_WAY * (size[bent] ** 2).sum():
        return None
    ahead = quat.rotate(neutral, mean) * hinge.normal
    angles = np.arctan2(ahead[:, 0], ahead[:, 1])
    return None if abs(angles[0]) > hinge.farthest else (float(angles[0]), float(angles[1]))


def _turn(neutral: Array, body: int, angle: float) -> None:
    neutral[body] = quat.mul(quat.exp(np.array([0.0, 0.0, angle])), neutral[body])


def _turn_hand(neutral: Array, rotations: Array, arm: list[int], side: str, trust: float) -> bool:
    """Turn a hand about itself to where wrist and palm are most within their range; whether that was necessary.

    Palms of rest poses face where tools let them. The rest pose is believed within `trust` [rad], the motion within 10 degrees.
    """
    mirror = np.array([1.0, -1.0, 1.0, -1.0]) if side == "right" else np.ones(4)
    some = rotations[:: max(1, len(rotations) // _ENOUGH)]
    turns = [quat.mul(some[:, body], quat.conj(neutral[body])) for body in arm]
    elbow, wrist = (quat.mul(quat.conj(turns[i]), turns[i + 1]) * mirror for i in (0, 1))
    about = _ANGLES[:, None, None] * np.array([0.0, 0.0, -1.0])
    tried = swing_twist_angles(twisted_first(quat.mul(wrist, quat.exp(about))))
    pronation = swing_twist_angles(elbow)[:, 2]
    tried[..., 2] = (tried[..., 2] + pronation + np.pi) % (2.0 * np.pi) - np.pi
    limits = limits_for("left_hand", 1)
    outside = np.maximum(0.0, np.maximum(tried - limits.upper, limits.lower - tried)).max(axis=-1)
    costs = np.mean(np.minimum(outside, _FARTHEST_OUT) ** 2, axis=1) / _DOUBT**2 + (_ANGLES / trust) ** 2
    best = float(_ANGLES[int(np.argmin(costs))])
    _turn(neutral, arm[2], -best if side == "right" else best)
    return best != 0.0
