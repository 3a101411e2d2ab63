"""The compliant root: a whole body that follows its clip with finite force, on its own feet."""

from poise.runtime.root.root import CompliantRoot
from poise.runtime.root.stages import can_yield, surrounded

__all__ = ["CompliantRoot", "can_yield", "surrounded"]
