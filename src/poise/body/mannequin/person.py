"""A person: parts by role, and the lines that move them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from poise.body.mannequin.figure import SIDES, Figure
from poise.body.mannequin.hand import hand, hand_bones
from poise.body.mannequin.limbs import arm, foot, leg
from poise.body.mannequin.lines import child_lines, joint_lines
from poise.body.mannequin.parts import Bone, Part
from poise.body.mannequin.trunk import head, trunk

__all__ = ["person_bones", "person_parts"]

_STARTS = {"thigh": 0.10, "upper_arm": 0.10}
"""How far down its bone a limb begins to move the skin: what lies around the joint is shared with the trunk."""
_REACHES = {"thigh": 0.6, "upper_arm": 0.8}
"""How far towards such a joint the trunk's own line goes."""
_THICKNESS = {
    **{"pelvis": 0.068, "spine": 0.072, "neck": 0.055, "head": 0.055},
    **{"clavicle": 0.046, "upper_arm": 0.034, "forearm": 0.022, "hand": 0.016},
    **{"thigh": 0.050, "shank": 0.032, "foot": 0.022, "toes": 0.024},
}
"""Half thickness around the bones of each part, as a share of stature."""


def person_parts(figure: Figure) -> list[Part]:
    """All solids, in the order they merge: the legs one by one, so that they melt into the trunk and not together."""
    sides = [side for side, _ in SIDES]
    legs = [part for side in sides for part in (*leg(figure, side), *foot(figure, side))]
    arms = [part for side in sides for part in (*arm(figure, side), *hand(figure, side))]
    return [*legs, *trunk(figure), *head(figure), *arms]


def person_bones(figure: Figure) -> list[Bone]:
    """The lines of all joints. Head and above move as one; hands have their own rule."""
    skeleton, pose, roles = figure.plan.skeleton, figure.pose, figure.plan.roles
    pelvis = int(figure.plan.joints[0])
    apart = {j for name in ("head", "left_hand", "right_hand") if (j := roles.joint(name)) is not None}
    # What lies between spine and collar bone is the spine's anyway.
    collars = {j for side, _ in SIDES if (j := roles.joint(f"{side}clavicle")) is not None}
    lines = child_lines(skeleton, pose, pelvis, apart | collars)
    lines += [line for collar in sorted(collars) for line in child_lines(skeleton, pose, collar, apart)]
    bones = [_kept_off(figure, line) for line in lines]
    for joint in sorted(apart):
        # The line that leads to a joint with its own rule is still its parent's.
        parent = int(skeleton.parents[joint])
        bones += [b for b in joint_lines(skeleton, pose, parent) if np.array_equal(b.end, pose.positions[joint])]
    hips = figure.middle("thigh")
    low = hips - np.array([0.0, 0.0, 0.02]) * figure.stature
    bones += [Bone(pelvis, low, pose.positions[pelvis])]
    bones += [Bone(pelvis, hips, hips + 0.6 * (figure.at(f"{side}thigh") - hips)) for side, _ in SIDES]
    for side, _ in SIDES:
        bones += hand_bones(figure, side)
    top = roles.joint("head")
    if top is not None:
        up = np.array([0.0, 0.0, 0.03]) * figure.stature
        base = min(pose.positions[top], figure.head_center - up, key=lambda place: float(place[2]))
        bones.append(Bone(top, base, figure.head_center + up))
    return [replace(bone, radius=_radius(figure, bone.joint)) for bone in bones]


def _radius(figure: Figure, joint: int) -> float:
    """How thick the body is around a joint's bone [m]; a joint without a role is as thick as what carries it."""
    role = figure.plan.roles.by_joint[joint]
    while role is None:
        joint = int(figure.plan.skeleton.parents[joint])
        role = figure.plan.roles.by_joint[joint]
    return _THICKNESS[role.removeprefix("left_").removeprefix("right_")] * figure.stature


def _kept_off(figure: Figure, bone: Bone) -> Bone:
    """The line, shortened at hips and shoulders (see `_STARTS` and `_REACHES`)."""
    positions, roles = figure.pose.positions, figure.plan.roles
    start, end = bone.start, bone.end
    for side, _ in SIDES:
        for part, share in _STARTS.items():
            place = figure.at(side + part)
            if np.array_equal(bone.end, place) and roles.joint(side + part) != bone.joint:
                end = start + _REACHES[part] * (bone.end - start)
            elif bone.joint == roles.joint(side + part) and np.array_equal(positions[bone.joint], bone.start):
                start = start + share * (bone.end - start)
    return Bone(bone.joint, start, end)
