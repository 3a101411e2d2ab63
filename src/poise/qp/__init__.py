"""Many characters, one quadratic program (Vaillant, Bouyarmane and Kheddar 2017): arrays in, arrays out."""

from poise.qp.collisions import Pair
from poise.qp.contacts import Contact, grasp, planar
from poise.qp.controller import Controller, NoSolution, Step
from poise.qp.force_task import ForceTask
from poise.qp.forming import Kind
from poise.qp.machine import Condition, Machine, Phase, all_of, lasting, reached
from poise.qp.momentum import MomentumTask
from poise.qp.pose_task import PoseTask
from poise.qp.problem import Problem
from poise.qp.ranges import TurnRange
from poise.qp.relax import Firmness, Relaxation
from poise.qp.solve import Solution, Solver
from poise.qp.tasks import CenterOfMassTask, Feature, FrameTask, GazeTask, JointTask, Task, posture

__all__ = [
    "CenterOfMassTask",
    "Condition",
    "Contact",
    "Controller",
    "Feature",
    "Firmness",
    "ForceTask",
    "FrameTask",
    "GazeTask",
    "JointTask",
    "Kind",
    "Machine",
    "MomentumTask",
    "NoSolution",
    "Pair",
    "Phase",
    "PoseTask",
    "Problem",
    "Relaxation",
    "Solution",
    "Solver",
    "Step",
    "Task",
    "TurnRange",
    "all_of",
    "grasp",
    "lasting",
    "planar",
    "posture",
    "reached",
]
