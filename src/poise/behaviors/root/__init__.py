"""The compliant root: a whole body that follows its clip with finite force, on its own feet."""

from poise.behaviors.root.around import can_yield, surrounded
from poise.behaviors.root.root import CompliantRoot

__all__ = ["CompliantRoot", "can_yield", "surrounded"]
