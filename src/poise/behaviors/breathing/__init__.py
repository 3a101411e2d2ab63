"""Life when nothing happens: a body breathes, and sways over its feet while it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from poise.lazy import lazy_names

if TYPE_CHECKING:
    from poise.behaviors.breathing.breathing import Breathing, BreathingState
    from poise.behaviors.breathing.options import BreathingOptions
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "poise.behaviors.breathing.breathing": (
                "Breathing",
                "BreathingState",
            ),
            "poise.behaviors.breathing.options": ("BreathingOptions",),
        },
    )

__all__ = ["Breathing", "BreathingOptions", "BreathingState"]
