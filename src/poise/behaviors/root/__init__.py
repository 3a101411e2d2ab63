"""The compliant root: a whole body that follows its clip with finite force, on its own feet."""

from poise.behaviors.root.around import can_yield, surrounded
from poise.behaviors.root.physical import PhysicalRoot
from poise.behaviors.root.root import CompliantRoot
from poise.behaviors.root.velocity import VelocityLaw, VelocityRoot

__all__ = ["CompliantRoot", "PhysicalRoot", "VelocityLaw", "VelocityRoot", "can_yield", "surrounded"]
