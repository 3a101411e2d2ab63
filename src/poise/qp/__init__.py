"""Many characters, one quadratic program (Vaillant, Bouyarmane and Kheddar 2017): arrays in, arrays out."""

from poise.qp.collisions import Pair
from poise.qp.contacts import Contact, grasp, planar
from poise.qp.controller import Controller, NoSolution, Step
from poise.qp.forming import Kind
from poise.qp.relax import Relaxation
from poise.qp.solve import Problem, Solution, Solver
from poise.qp.tasks import CenterOfMassTask, Feature, FrameTask, GazeTask, JointTask, Task, posture

__all__ = [
    "CenterOfMassTask",
    "Contact",
    "Controller",
    "Feature",
    "FrameTask",
    "GazeTask",
    "JointTask",
    "Kind",
    "NoSolution",
    "Pair",
    "Problem",
    "Relaxation",
    "Solution",
    "Solver",
    "Step",
    "Task",
    "grasp",
    "planar",
    "posture",
]
