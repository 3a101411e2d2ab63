"""Toes that bend where the ground would be in them: as a foot rolls off its ball, and before a rise.

A foot stands on heel and ball (`locomotion.feet`); what lies before the ball is led by the skeleton's toe joints, where it
has any. They are no bodies, so this changes the clip and not the physics, whose feet are rigid boxes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.body.plan import BodyPlan
from poise.locomotion.curves import smoothest
from poise.locomotion.soles import FEET, Sole, find_sole
from poise.math import quat
from poise.motion.clip import Clip
from poise.signals import Ground

__all__ = ["bend_toes", "toe_joints", "toe_tips"]

Array = NDArray[np.float64]

_SINKS = 0.003
"""How deep the toes of a standing foot may be in the ground [m], about as its sole."""
_FURTHEST = float(np.radians(70.0))
"""Toes bend up by no more than this [rad]."""
_TIME = 0.05
"""Unit of time of the smooth curve that is nowhere below the bend that is needed [s]."""
_ROUNDS = 3
"""A bent toe ends over other ground, so the bend is found anew."""


def toe_joints(plan: BodyPlan, sole: Sole) -> tuple[int, ...]:
    """Joints of the skeleton that turn what lies before the ball of a foot: its children that are no bodies."""
    skeleton, bodies = plan.skeleton, set(plan.joints.tolist())
    front = sole.points(np.array([1.0]), np.array([0.0]))[0]
    ahead = quat.rotate(sole.turn, np.array([1.0, 0.0, 0.0]))
    return tuple(
        child
        for child in skeleton.children[int(plan.joints[sole.body])]
        if child not in bodies and (front - skeleton.offsets[child]) @ ahead > 0.01
    )


def toe_tips(plan: BodyPlan, clip: Clip, sole: Sole, toes: tuple[int, ...]) -> tuple[Array, Array, Array]:
    """Front end of a sole that bends with the first of `toes`.

    Returns:
        The foot's orientation (T, 4), the toe joints' middle in the world [m] (T, 3), and from there to the middle of the
        sole's front edge in the foot's frame [m] (T, 3).
    """
    rotations, positions = clip.world()
    foot = int(plan.joints[sole.body])
    middle = plan.skeleton.offsets[list(toes)].mean(axis=0)
    edge = sole.points(np.array([1.0]), np.array([0.0]))[0] - middle
    joint = positions[:, foot] + quat.rotate(rotations[:, foot], middle)
    return rotations[:, foot], joint, np.asarray(quat.rotate(clip.rotations[:, toes[0]], edge))


def bend_toes(plan: BodyPlan, clip: Clip, ground: Ground) -> Clip:
    """The clip with its toes bent up as far as the ground asks.

    Args:
        plan: The character; it has feet.
        clip: Its motion on the ground.
        ground: What it walks on.
    """
    rotations = np.array(clip.rotations)
    for role in FEET:
        sole = find_sole(plan, role)
        toes = toe_joints(plan, sole)
        if not toes:
            continue
        feet, joints, edges = toe_tips(plan, clip, sole, toes)
        across = quat.rotate(sole.turn, np.array([0.0, 1.0, 0.0]))
        bends = _bends(ground, clip.times, feet, joints, edges, across)
        if not bends.any():
            continue
        none = np.zeros(len(clip))
        bends = smoothest(clip.rate, none > 0.0, none, time=_TIME, weights=1.0, bounds=(bends, np.inf))
        turns = quat.exp(-bends[:, None] * across)
        for toe in toes:
            rotations[:, toe] = quat.mul(turns, rotations[:, toe])
    return clip.with_motion(rotations, clip.translations)


def _bends(ground: Ground, times: Array, feet: Array, joints: Array, edges: Array, across: Array) -> Array:
    """Angles [rad] by which the edges turn up about `across` in the foot's frame, so that the ground is not in them, (T,)."""
    up = quat.rotate(quat.conj(feet), np.array([0.0, 0.0, 1.0]))
    along = edges - (edges @ across)[:, None] * across
    level, lift = np.sum(up * along, axis=1), -np.sum(up * np.cross(across, along), axis=1)
    reach, steep = np.hypot(level, lift), np.arctan2(lift, level)
    angles = np.zeros(len(times))
    for _ in range(_ROUNDS):
        tips = joints + quat.rotate(feet, quat.rotate(quat.exp(-angles[:, None] * across), edges))
        heights = ground.height(tips[:, :2], times)
        now = level * np.cos(angles) + lift * np.sin(angles)
        wanted = now + np.where(np.isnan(heights), 0.0, heights - _SINKS - tips[:, 2])
        needed = steep - np.arccos(np.clip(wanted / np.maximum(reach, 1e-9), -1.0, 1.0))
        angles = np.clip(np.where(steep > 0.0, needed, 0.0), 0.0, _FURTHEST)
    return np.asarray(angles)
