"""Layer 2: what a skeleton weighs, how far its joints turn and where it collides."""

from poise.body.build import BodyOptions, build_body
from poise.body.plan import BodyPlan, Collider, JointLimits

__all__ = ["BodyOptions", "BodyPlan", "Collider", "JointLimits", "build_body"]
