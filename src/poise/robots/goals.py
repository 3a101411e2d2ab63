"""What a robot's segments are to do over a clip: turned as the source's are, feet planted, the pelvis where legs reach."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from poise.body.build import build_body
from poise.body.capsules import sole_points
from poise.body.coordinates import body_frames, generalized_from_clip
from poise.body.ground import ground_height
from poise.body.plan import BodyPlan
from poise.body.retarget import retarget
from poise.locomotion.contacts import contact_phases
from poise.math import quat
from poise.motion.clip import Clip
from poise.motion.roles import Roles, guess_roles
from poise.robots.feet import FootPath, SourceFoot, plant
from poise.robots.figure import RobotFigure
from poise.robots.segments import SIDES

__all__ = ["Goals", "goals_of"]

Array = NDArray[np.float64]

_CALM = 0.5
"""Standard deviation over which the heading is smoothed [s]."""
_STRETCHED = 0.99
"""A leg is never asked to be longer than this share of its length: at its end a knee jumps."""
_DIP = 0.2
"""Time over which a pelvis that must come down does so [s]."""


@dataclass(frozen=True, eq=False)
class Goals:
    """Goals of every frame, in a world with z up and the ground at 0.

    Args:
        rate: Frames per second [Hz].
        turns: Turn of each segment from the robot's zero pose, shape (T, S, 4).
        hips: Where the middle between the hip joints goes [m], shape (T, 3).
        feet: Ways of the left and the right foot.
        scale: Length of the robot's legs in those of the source.
        contact: Whether heel and ball of the left, then of the right foot stand, shape (T, 4).
    """

    rate: float
    turns: Array
    hips: Array
    feet: tuple[FootPath, FootPath]
    scale: float
    contact: NDArray[np.bool_]


def goals_of(source: Clip, figure: RobotFigure, roles: Roles | None = None) -> Goals:
    """The goals that put a motion onto a robot.

    Args:
        source: The motion.
        figure: The robot.
        roles: Of the source's joints; guessed without.

    Raises:
        InputError: The source's skeleton lacks the roles that a body needs.
    """
    roles = roles or guess_roles(source.skeleton)
    plan = build_body(source, roles)
    moved, scale = retarget(source, roles, figure.clip, figure.roles)
    turns, places = moved.world()
    frames = body_frames(plan, generalized_from_clip(plan, source))
    floor = ground_height(plan, frames)
    phases = contact_phases(plan, frames, source.rate, floor)
    ends = sole_points(plan, frames).reshape(len(source), 2, 2, 2, 3).mean(axis=3)
    thighs = [figure.joint(f"{side}_thigh") for side in SIDES]
    hips = places[:, thighs].mean(axis=1)
    across = places[:, thighs[0]] - places[:, thighs[1]]
    wider = 0.5 * (float(np.linalg.norm(across[0])) - scale * _width(plan))
    aside = wider * _level_unit(across, source.rate)
    feet = []
    for side, sign in enumerate((1.0, -1.0)):
        foot = SourceFoot(
            ankle=scale * frames.positions[:, plan.with_role(f"{SIDES[side]}_foot")[0]],
            ends=scale * ends[:, side],
            turns=turns[:, figure.joint(f"{SIDES[side]}_foot")],
            contact=phases.mask[:, 2 * side : 2 * side + 2],
            stature=scale * plan.stature,
            floor=scale * floor,
        )
        feet.append(plant(foot, figure.soles[side], sign * aside, source.rate))
    lifts = [
        path.ankle[:, 2] - scale * frames.positions[:, plan.with_role(f"{name}_foot")[0], 2]
        for path, name in zip(feet, SIDES, strict=True)
    ]
    standing = phases.mask.reshape(len(source), 2, 2).all(axis=2).T
    counted = np.array(lifts)[standing] if standing.any() else np.array(lifts)
    hips[:, 2] += float(np.median(counted))
    pair = (feet[0], feet[1])
    hips[:, 2] -= _too_high(figure, turns, hips, pair, source.rate)
    return Goals(source.rate, turns, hips, pair, scale, phases.mask)


def _width(plan: BodyPlan) -> float:
    """Distance between the hip joints [m]."""
    left, right = plan.offsets[[*plan.with_role("left_thigh"), *plan.with_role("right_thigh")]]
    return float(np.linalg.norm(left - right))


def _level_unit(across: Array, rate: float) -> Array:
    """Horizontal unit vectors along `across` (T, 3), without the pelvis' swing."""
    calm = gaussian_filter1d(across * [1.0, 1.0, 0.0], _CALM * rate, axis=0, mode="nearest")
    return np.asarray(calm / np.maximum(np.linalg.norm(calm, axis=1, keepdims=True), 1e-9))


def _too_high(figure: RobotFigure, turns: Array, hips: Array, feet: tuple[FootPath, FootPath], rate: float) -> Array:
    """How far the pelvis must come down for its legs to reach both feet [m], smooth in time, shape (T,)."""
    zero = figure.clip.world()[1][0]
    pelvis = turns[:, figure.joint("pelvis")]
    reach = _STRETCHED * figure.leg
    most = np.zeros(len(hips))
    for side, path in zip(SIDES, feet, strict=True):
        thigh = figure.joint(f"{side}_thigh")
        hip = hips + quat.rotate(pelvis, zero[thigh] - zero[figure.joint("pelvis")])
        aside = np.linalg.norm((path.ankle - hip)[:, :2], axis=1)
        height = np.sqrt(np.maximum(reach**2 - aside**2, 0.0))
        most = np.maximum(most, hip[:, 2] - path.ankle[:, 2] - height)
    half = max(1, round(0.5 * _DIP * rate))
    held = maximum_filter1d(most, 2 * half + 1, mode="nearest")
    return np.asarray(gaussian_filter1d(held, 0.4 * half, mode="nearest"))
