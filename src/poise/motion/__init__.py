"""Layer 1: what a skeleton does over time."""

from poise.motion.clip import Clip
from poise.motion.edit import loop, resample, root_motion, trim
from poise.motion.pose import Pose, forward_kinematics, joint_positions
from poise.motion.roles import ROLES, Roles, guess_roles
from poise.motion.skeleton import Skeleton
from poise.motion.source import Source

__all__ = [
    "ROLES",
    "Clip",
    "Pose",
    "Roles",
    "Skeleton",
    "Source",
    "forward_kinematics",
    "guess_roles",
    "joint_positions",
    "loop",
    "resample",
    "root_motion",
    "trim",
]
