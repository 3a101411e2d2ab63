"""Layer 4: what a character does about its surroundings; one folder or file for each behavior.

A new one is a subclass of `Behavior`: parameters, a `State` dataclass, `start` and `step`.
"""

from poise.behaviors.behavior import Behavior, Contribution, GroupBehavior, MakeBehavior, Stateless
from poise.behaviors.merge import merge
from poise.behaviors.reference import Reference
from poise.behaviors.state import restore_state, saved_state

__all__ = [
    "Behavior",
    "Contribution",
    "GroupBehavior",
    "MakeBehavior",
    "Reference",
    "Stateless",
    "merge",
    "restore_state",
    "saved_state",
]
