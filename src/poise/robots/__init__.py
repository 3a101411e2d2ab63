"""Layer 5: humanoid robots (MJCF, URDF) as characters; a motion as angles of their own hinges."""

from poise.robots.onto import OntoRobot, onto_robot
from poise.robots.robot import Robot, make_robot, read_robot
from poise.robots.tasks import SolveOptions

__all__ = ["OntoRobot", "Robot", "SolveOptions", "make_robot", "onto_robot", "read_robot"]
