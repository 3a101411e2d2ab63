"""Clips of someone who stands, made for any skeleton: the ground on which gestures and balance are built."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from poise.body.capsules import ground_height
from poise.body.coordinates import body_frames, clip_from_generalized
from poise.body.plan import BodyPlan
from poise.control.balance import CarriedBody
from poise.ik import LimbGoals, LimbSolver, relaxed_positions
from poise.math import quat
from poise.motion.clip import Clip
from poise.runtime.balance import BEND
from poise.runtime.character import Character
from poise.runtime.crowd import conducting_loop
from poise.runtime.footing import Footing

__all__ = ["Movement", "clap", "conduct", "eased", "standing_clip", "swing_arms", "turn"]

Array = NDArray[np.float64]
Movement = Callable[[BodyPlan, Array, Array], None]


def standing_clip(source: Clip, seconds: float, rate: float = 60.0, movement: Movement | None = None) -> Clip:
    """The skeleton of a clip standing at ease on the ground at height 0, facing x, its weight over its feet.

    Args:
        source: Whose skeleton and proportions.
        seconds: How long.
        rate: Frames per second.
        movement: Changes generalized positions (T, nq) of the plan at times (T,) [s], in place.
    """
    plan = Character.from_clip(source).plan
    row = relaxed_positions(plan)
    row[2] -= ground_height(plan, body_frames(plan, row[None]))
    Footing(CarriedBody(plan), row, 0.0, BEND).pose(row)
    count = round(seconds * rate) + 1
    rows = np.tile(row, (count, 1))
    if movement is not None:
        movement(plan, rows, np.arange(count) / rate)
    rotations, translations = (np.repeat(part[:1], count, axis=0) for part in (source.rotations, source.translations))
    return clip_from_generalized(
        plan, rows, replace(source, rate=rate, rotations=rotations, translations=translations, name="standing")
    )


def eased(times: Array, begin: float, duration: float) -> Array:
    """From 0 to 1 with the least jerk, shape (T,)."""
    x = np.clip((times - begin) / duration, 0.0, 1.0)
    return np.asarray(x**3 * (10.0 + x * (6.0 * x - 15.0)))


def turn(plan: BodyPlan, rows: Array, body: int, vectors: Array) -> None:
    """Turn a body's joint by anatomical rotation vectors (T, 3) [rad] on top of what it does, in place."""
    at, neutral = slice(3 + 4 * body, 7 + 4 * body), plan.neutral[body]
    own = quat.mul(quat.mul(quat.conj(neutral), quat.exp(vectors)), neutral)
    rows[:, at] = quat.mul(own, rows[:, at])


def swing_arms(
    begin: float = 2.0, duration: float = 0.45, angle: float = float(np.radians(100.0)), hold: float = 1.5
) -> Movement:
    """Both arms swing forward and up, stay, and swing back (van Welbergen 2009, Fig. 6).

    Args:
        begin: When [s].
        duration: Of each swing [s].
        angle: How far [rad].
        hold: Between the two [s].
    """

    def movement(plan: BodyPlan, rows: Array, times: Array) -> None:
        up = eased(times, begin, duration) - eased(times, begin + duration + hold, duration)
        for body in plan.with_role("left_upper_arm", "right_upper_arm"):
            turn(plan, rows, body, np.outer(up, [0.0, -angle, 0.0]))

    return movement


def clap(begin: float = 1.0, rate: float = 1.7, width: float = 0.28) -> Movement:
    """Both hands meet in front of the chest again and again: slow apart, fast together.

    Args:
        begin: When the hands are up [s].
        rate: Claps per second.
        width: Of the hands' way apart [m].
    """

    def movement(plan: BodyPlan, rows: Array, times: Array) -> None:
        solver = LimbSolver(plan)
        frames = body_frames(plan, rows[:1])
        phase = np.clip((times - begin) * rate, 0.0, None) % 1.0
        apart = width * np.sin(np.pi * phase**0.6) ** 2
        up = eased(times, max(begin - 0.8, 0.0), 0.8)
        goals = LimbGoals.none(len(rows), len(solver.names))
        goals.positions[:] = np.nan
        for side, sign in (("left", 1.0), ("right", -1.0)):
            limb = solver.names.index(f"{side}_hand")
            hand, shoulder = (plan.with_role(f"{side}_{part}")[0] for part in ("hand", "upper_arm"))
            start, level = frames.positions[0, hand], frames.positions[0, shoulder]
            meet = np.array([level[0] + 0.36, 0.0, level[2] - 0.16]) + np.array([0.0, sign * 0.035, 0.0])
            way = meet + apart[:, None] * np.array([0.0, 0.5 * sign, 0.0])
            goals.positions[:, limb] = start + up[:, None] * (way - start)
            goals.poles[:, limb] = level + np.array([-0.2, 0.5 * sign, -0.6])
            raised = quat.exp(up[:, None] * np.array([0.0, -np.radians(120.0), 0.0]))
            goals.rotations[:, limb] = quat.mul(raised, frames.rotations[0, hand])
            goals.weights[:, limb] = np.stack([np.ones_like(up), np.ones_like(up), up], axis=1)
        solver.solve(rows, goals)

    return movement


def conduct(begin: float = 1.0, tempo: float = 96.0) -> Movement:
    """Both arms and the head conduct in four, again and again.

    Args:
        begin: When the first bar begins [s]; the arms are up by then.
        tempo: Beats per minute.
    """

    def movement(plan: BodyPlan, rows: Array, times: Array) -> None:
        loop = conducting_loop(plan)
        away = quat.log(quat.mul(quat.conj(loop.middle)[None], loop.rotations))
        bars = CubicSpline(np.linspace(0.0, 1.0, len(away) + 1), np.concatenate([away, away[:1]]), bc_type="periodic")
        phases = (times - begin) * tempo / 240.0 % 1.0
        turns = quat.mul(loop.middle, quat.exp(bars(phases)))
        up = eased(times, max(begin - 0.8, 0.0), 0.8)
        for number, body in enumerate(loop.bodies):
            at = slice(3 + 4 * body, 7 + 4 * body)
            rows[:, at] = quat.slerp(rows[:, at], turns[:, number], up)

    return movement
