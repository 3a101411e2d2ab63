"""The swing of Isaacs and Cohen 1987, pumped by a body that is all animation (van Welbergen 2009, Sec. 3.5)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from poise.assets import clip_path
from poise.behaviors.pumping import Pump, PumpOptions
from poise.body.capsules import sole_points
from poise.body.coordinates import body_frames, clip_from_generalized, generalized_from_clip, turn_joint
from poise.body.layout import turn_slice
from poise.body.plan import BodyPlan
from poise.characters.standing import standing_clip
from poise.ik import LimbGoals, LimbSolver
from poise.io import read_clip
from poise.math import quat
from poise.motion.clip import Clip
from poise.scenes.mixed import mixed_character
from poise.scenes.scene import Scene
from poise.world.props import Hanging
from poise.world.scene import SceneSpec

__all__ = ["swing"]

Array = NDArray[np.float64]

_SEAT, _ROPE, _HALF_WIDTH = 0.62, 1.7, 0.27
_ABOVE_SEAT = 0.105
_CLEAR = 0.08
"""Of the soles over the ground, at least, as the swing goes through its lowest place [m]."""
_ROPES_APART = 0.9 * (_HALF_WIDTH + 0.05)
"""Of each rope from the middle [m]: they are tied to the board a tenth before its ends."""
_BELOW_SHOULDER, _TILT = 0.13, float(np.radians(30.0))
"""Where the ropes are held [m], and how far hands point up [rad], so that wrists and elbows keep their limits."""
_PALM = 0.65
"""Where the palm is on the way from the wrist to the middle of the hand's mass."""
_POSES = 21


def swing(effort: float = 1.0, seconds: float = 24.0, rider: Clip | None = None) -> Scene:
    """Somebody on a swing.

    Args:
        effort: Share of the pumping that is done; 0 sits still.
        seconds: How long.
        rider: A clip of who swings; the shipped walk's person without.
    """
    standing = standing_clip(read_clip(clip_path("walk")) if rider is None else rider, seconds)
    plan = mixed_character(standing).plan
    rows = np.repeat(generalized_from_clip(plan, standing)[:1], _POSES, axis=0)
    poses = _sitting(plan, rows, np.linspace(-1.0, 1.0, _POSES))
    # Long shanks would brake on the ground: the board hangs as high as they need.
    lifted = max(0.0, _CLEAR - float(sole_points(plan, body_frames(plan, poses))[..., 2].min()))
    poses[:, 2] += lifted
    sitting = np.repeat(poses[_POSES // 2][None], len(standing), axis=0)
    character = mixed_character(replace(clip_from_generalized(plan, sitting, standing), name="sitting"))
    board = Hanging(
        name="swing",
        position=(0.0, 0.0, _SEAT + lifted + _ROPE),
        rope=_ROPE,
        size=(_HALF_WIDTH + 0.05, 0.1, 0.02),
        shape="box",
        mass=2.0,
        ropes=2,
        yaw=-np.pi / 2.0,
        color=(0.5, 0.36, 0.2),
    )
    pelvis = f"rider/{plan.names[0]}"
    setting = SceneSpec(props=(board,), floor=0.0, welds={pelvis: "swing"})
    modes = np.full(len(plan), 2)
    modes[0] = 0
    return Scene(
        "swing",
        {"rider": replace(character, modes=modes)},
        setting,
        behaviors={"rider": [lambda: Pump("swing", poses, PumpOptions(effort=effort))]},
    )


def _sitting(plan: BodyPlan, rows: Array, leans: Array) -> Array:
    """Poses on the board, from leaning forward with tucked legs to leaning back with stretched ones."""
    rows[:, :3] = [0.0, 0.0, _SEAT + _ABOVE_SEAT]
    rows[:, 3:7] = plan.neutral[0]
    legs = [b for root in plan.with_role("left_thigh", "right_thigh") for b in plan.subtree(root)]
    for body in legs:
        rows[:, turn_slice(body)] = quat.IDENTITY
    flat, none = np.ones_like(leans), np.zeros_like(leans)
    spines = plan.with_role("spine")
    for body in spines:
        turn_joint(plan, rows, body, np.stack([none, -np.radians(28.0) * leans / len(spines), none], axis=1))
    for body in plan.with_role("neck", "head"):
        turn_joint(plan, rows, body, np.stack([none, np.radians(10.0) * leans, none], axis=1))
    for body in plan.with_role("left_thigh", "right_thigh"):
        turn_joint(plan, rows, body, np.stack([none, np.radians(-84.0 * flat - 8.0 * leans), none], axis=1))
    for body in plan.with_role("left_shank", "right_shank"):
        turn_joint(plan, rows, body, np.stack([none, np.radians(62.0 * flat - 45.0 * leans), none], axis=1))
    _hold_on(plan, rows)
    return rows


def _hold_on(plan: BodyPlan, rows: Array) -> None:
    """Hands around the ropes, thumbs and fingertips up, elbows below the shoulders."""
    solver = LimbSolver(plan)
    frames = body_frames(plan, rows)
    goals = LimbGoals.none(len(rows), len(solver.names))
    goals.positions[:] = np.nan
    turn = quat.exp(np.array([0.0, -(0.5 * np.pi + _TILT), 0.0]))
    for side, sign in (("left", 1.0), ("right", -1.0)):
        limb, hand = solver.names.index(f"{side}_hand"), plan.with_role(f"{side}_hand")[0]
        shoulders = frames.positions[:, plan.with_role(f"{side}_upper_arm")[0]]
        grip = np.array([0.0, sign * _ROPES_APART, shoulders[len(rows) // 2, 2] - _BELOW_SHOULDER])
        goals.rotations[:, limb] = quat.mul(turn, plan.neutral[hand])
        goals.positions[:, limb] = grip - quat.rotate(goals.rotations[:, limb], _PALM * plan.centres[hand])
        goals.poles[:, limb] = shoulders + np.array([0.0, 0.5 * sign, -1.0])
        goals.weights[:, limb] = 1.0
    solver.solve(rows, goals)
