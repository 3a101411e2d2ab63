"""Layer 4: what a character does about its surroundings; one folder or file for each behavior.

A new one is a subclass of `Behavior`: parameters, a `State` dataclass, `start` and `step`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from poise.lazy import lazy_names

if TYPE_CHECKING:
    from poise.behaviors.behavior import Behavior, Contribution, GroupBehavior, MakeBehavior, Stateless
    from poise.behaviors.reference import Reference
    from poise.behaviors.state import restore_state, saved_state
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "poise.behaviors.behavior": (
                "Behavior",
                "Contribution",
                "GroupBehavior",
                "MakeBehavior",
                "Stateless",
            ),
            "poise.behaviors.reference": ("Reference",),
            "poise.behaviors.state": (
                "restore_state",
                "saved_state",
            ),
        },
    )

__all__ = [
    "Behavior",
    "Contribution",
    "GroupBehavior",
    "MakeBehavior",
    "Reference",
    "Stateless",
    "restore_state",
    "saved_state",
]
