"""Goals for a single pose, where no body plan is at hand."""

from __future__ import annotations

import numpy as np

from poise.body.build import build_body
from poise.body.coordinates import generalized_positions, pose_from_generalized
from poise.ik.goals import Goals
from poise.ik.solver import BodySolver, SolverOptions
from poise.motion.clip import Clip
from poise.motion.pose import Pose
from poise.motion.roles import Roles

__all__ = ["solve_pose"]


def solve_pose(pose: Pose, roles: Roles, goals: Goals, options: SolverOptions | None = None) -> Pose:
    """The pose nearest to `pose` that reaches `goals`.

    Builds a body for it, so use `BodySolver` for more than a few.

    Raises:
        InputError: The skeleton lacks a role that a body needs, or a limb cannot reach.
    """
    every = np.arange(len(pose.skeleton))
    clip = Clip(pose.skeleton, 30.0, pose.rotations[None], pose.translations[None], every)
    plan = build_body(clip, roles)
    row = generalized_positions(plan, pose.rotations, pose.translations)
    solved = BodySolver(plan, options).solve(row, goals)
    local = pose_from_generalized(plan, solved, pose.rotations, pose.translations, pelvis_moves=True)
    return Pose(pose.skeleton, *local)
