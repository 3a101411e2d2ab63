"""Layer 3: from where a body should be to what its muscles do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from poise.lazy import lazy_names

if TYPE_CHECKING:
    from poise.control.antagonistic import Antagonist, antagonist_from_low_gain, antagonist_from_stiffness
    from poise.control.bounded import HipDrive, Pace, hip_wrench, next_targets
    from poise.control.muscles import MuscleState, limit_muscles
    from poise.control.tension import Gains, Tension, ramped, tense
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "poise.control.antagonistic": (
                "Antagonist",
                "antagonist_from_low_gain",
                "antagonist_from_stiffness",
            ),
            "poise.control.bounded": (
                "HipDrive",
                "Pace",
                "hip_wrench",
                "next_targets",
            ),
            "poise.control.muscles": (
                "MuscleState",
                "limit_muscles",
            ),
            "poise.control.tension": (
                "Gains",
                "Tension",
                "ramped",
                "tense",
            ),
        },
    )

__all__ = [
    "Antagonist",
    "Gains",
    "HipDrive",
    "MuscleState",
    "Pace",
    "Tension",
    "antagonist_from_low_gain",
    "antagonist_from_stiffness",
    "hip_wrench",
    "limit_muscles",
    "next_targets",
    "ramped",
    "tense",
]
