"""Where feet go that cannot go where their clip has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from poise.lazy import lazy_names

if TYPE_CHECKING:
    from poise.locomotion.stepping.options import StepOptions
    from poise.locomotion.stepping.planner import STEPS, Over, StepMoment, StepPlanner, StepState
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "poise.locomotion.stepping.options": ("StepOptions",),
            "poise.locomotion.stepping.planner": (
                "STEPS",
                "Over",
                "StepMoment",
                "StepPlanner",
                "StepState",
            ),
        },
    )

__all__ = ["STEPS", "Over", "StepMoment", "StepOptions", "StepPlanner", "StepState"]
