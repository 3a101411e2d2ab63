"""Arms and legs as exact two-bone limbs."""

from poise.ik.limbs.solver import LimbGoals, LimbOptions, LimbSolver

__all__ = ["LimbGoals", "LimbOptions", "LimbSolver"]
