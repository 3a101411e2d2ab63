"""The spine and other chains as FABRIK on a tree of bodies, and where the head looks."""

from poise.ik.trunk.gaze import Gaze
from poise.ik.trunk.tree import Reached, TreeSolver

__all__ = ["Gaze", "Reached", "TreeSolver"]
