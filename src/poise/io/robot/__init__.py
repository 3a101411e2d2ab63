"""Robot files: what says how a robot is built (MJCF, URDF), and the trajectories of joints that are written for one."""

from poise.io.robot.description import SUFFIXES, RobotDescription, is_robot, read_robot_description
from poise.io.robot.trajectory import TRAJECTORY_SUFFIXES, RobotTrajectory, write_robot_trajectory

__all__ = [
    "SUFFIXES",
    "TRAJECTORY_SUFFIXES",
    "RobotDescription",
    "RobotTrajectory",
    "is_robot",
    "read_robot_description",
    "write_robot_trajectory",
]
