"""Layer 3: from a few goals to a pose (Hu 2024). Pure kinematics; physics has the last word elsewhere."""

from poise.ik.goals import ENDS, Goal, Goals
from poise.ik.limbs import LimbGoals, LimbOptions, LimbSolver
from poise.ik.poles import ElasticPole, ElasticPoles
from poise.ik.pose import solve_pose
from poise.ik.solver import BodySolver, SolverOptions
from poise.ik.targets import Targets, Track, clip_from_targets, relaxed_positions, targets_from_clip
from poise.ik.trunk import Gaze, Reached, TreeSolver

__all__ = [
    "ENDS",
    "BodySolver",
    "ElasticPole",
    "ElasticPoles",
    "Gaze",
    "Goal",
    "Goals",
    "LimbGoals",
    "LimbOptions",
    "LimbSolver",
    "Reached",
    "SolverOptions",
    "Targets",
    "Track",
    "TreeSolver",
    "clip_from_targets",
    "relaxed_positions",
    "solve_pose",
    "targets_from_clip",
]
