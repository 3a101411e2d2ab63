"""Who stands in these scenes: the shipped walk's person or another at ease, and goals that keep their feet on the ground."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from poise.assets import clip_path
from poise.body.build import build_body
from poise.body.coordinates import body_frames, pose_from_generalized
from poise.body.ground import ground_height
from poise.body.layout import turn_slice
from poise.body.plan import BodyPlan
from poise.characters.character import Character, CharacterOptions
from poise.control.tension import Tension
from poise.ik import BodySolver, ElasticPole, Goal, Goals, SolverOptions, relaxed_positions
from poise.io import read_clip
from poise.math import quat
from poise.motion.clip import Clip
from poise.motion.roles import guess_roles
from poise.signals import Ground

__all__ = [
    "FEET",
    "LEGS",
    "RATE",
    "STEADY",
    "at_ease",
    "body",
    "feet_on",
    "leg_length",
    "moving",
    "settled",
    "spread_arms",
    "standing",
]

Array = NDArray[np.float64]

LEGS = ("left_thigh", "right_thigh")
FEET = ("left_foot", "right_foot")
RATE = 60.0
"""Frames per second."""
STEADY = Tension(frequency=5.0, damping_ratio=1.2, load="gravity")
"""Of someone who stands firmly."""
_ARMS_APART = float(np.radians(25.0))
"""How far the arms are held from the body, so that the thighs come up beside them [rad]."""


@cache
def body() -> BodyPlan:
    """The shipped walk's person."""
    clip = read_clip(clip_path("walk"))
    return build_body(clip, guess_roles(clip.skeleton))


@cache
def _eased(plan: BodyPlan) -> Array:
    row = relaxed_positions(plan)
    frames = body_frames(plan, row)
    goals = {}
    for name, hip in zip(FEET, LEGS, strict=True):
        (foot,), (thigh,) = plan.with_role(name), plan.with_role(hip)
        place = frames.positions[0, thigh].copy()
        place[2] = frames.positions[0, foot, 2]
        goals[name] = Goal(place, plan.neutral[foot])
    row = BodySolver(plan).solve(row, Goals(goals))
    row[2] -= ground_height(plan, body_frames(plan, row))
    return row


def leg_length(plan: BodyPlan) -> float:
    """From hip to ankle of the left leg at ease [m]."""
    places = body_frames(plan, relaxed_positions(plan)).positions[0]
    (hip,), (ankle,) = plan.with_role(LEGS[0]), plan.with_role(FEET[0])
    return float(np.linalg.norm(places[hip] - places[ankle]))


def at_ease(plan: BodyPlan | None = None) -> Array:
    """Generalized positions (nq,) of somebody standing at ease at the origin, soles flat on z = 0; see `standing` for whom."""
    return _eased(plan or body()).copy()


def standing(row: Array, seconds: float, options: CharacterOptions, plan: BodyPlan | None = None) -> Character:
    """Somebody who holds a pose.

    Args:
        row: The pose, generalized positions (nq,).
        seconds: For how long.
        options: How they become a character.
        plan: Their body; the shipped walk's person's without.
    """
    return moving(np.tile(row, (round(seconds * RATE) + 1, 1)), options, plan)


def moving(rows: Array, options: CharacterOptions, plan: BodyPlan | None = None) -> Character:
    """Somebody who goes from pose to pose.

    Args:
        rows: Generalized positions at 60 frames per second, shape (T, nq).
        options: How they become a character.
        plan: Their body; the shipped walk's person's without.
    """
    plan = plan or body()
    skeleton = plan.skeleton
    rotations = np.tile(quat.IDENTITY, (len(rows), len(skeleton), 1))
    offsets = np.tile(skeleton.offsets, (len(rows), 1, 1))
    rotations, places = pose_from_generalized(plan, rows, rotations, offsets, pelvis_moves=False)
    return Character.from_clip(Clip(skeleton, RATE, rotations, places[:, :1], name="standing"), options)


def feet_on(ground: Ground, row: Array, above: float = 0.0, plan: BodyPlan | None = None) -> Callable[[float], Goals]:
    """Goals that keep both feet at their places, turned as they are in a pose, on whatever rises and sinks there.

    Over a hole the ground is no number; the last good goal then holds.

    Args:
        ground: What they stand on.
        row: The pose, generalized positions (nq,), soles on z = 0.
        above: How far the soles stay over the ground [m].
        plan: Whose body; the shipped walk's person's without.
    """
    plan = plan or body()
    frames = body_frames(plan, row)
    feet = {name: plan.with_role(name)[0] for name in FEET}
    places = np.array([frames.positions[0, body] for body in feet.values()])

    def goals(time: float) -> Goals:
        points = places.copy()
        points[:, 2] += ground.height(places[:, :2], time) + above
        return Goals({name: Goal(p, frames.rotations[0, b]) for (name, b), p in zip(feet.items(), points, strict=True)})

    return goals


def settled(row: Array, goals: Goals, plan: BodyPlan | None = None) -> Array:
    """The pose nearest to a row (nq,) that reaches the goals, once the elastic poles have come to rest; of whom, as above."""
    solver = BodySolver(plan or body(), SolverOptions(poles=ElasticPole()))
    for _ in range(round(2.0 * RATE)):
        result = solver.solve(row, goals, 1.0 / RATE)
    return result


def spread_arms(row: Array, apart: float = _ARMS_APART, plan: BodyPlan | None = None) -> None:
    """Lift both arms sideways in generalized positions (nq,) by an angle [rad], in place; of whom, as above."""
    plan = plan or body()
    for role, side in (("left_upper_arm", 1.0), ("right_upper_arm", -1.0)):
        arm = plan.with_role(role)[0]
        at, neutral = turn_slice(arm), plan.neutral[arm]
        lift = quat.mul(quat.mul(quat.conj(neutral), quat.exp([side * apart, 0.0, 0.0])), neutral)
        row[at] = quat.mul(lift, row[at])
