"""Layer 1: what a skeleton does over time."""

from poise.motion.clip import Clip
from poise.motion.pose import Pose, forward_kinematics, joint_positions
from poise.motion.skeleton import Skeleton
from poise.motion.source import Source

__all__ = ["Clip", "Pose", "Skeleton", "Source", "forward_kinematics", "joint_positions"]
