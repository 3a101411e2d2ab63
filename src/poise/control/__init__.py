"""Layer 3: from where a body should be to what its muscles do."""

from poise.control.antagonistic import Antagonist, antagonist_from_low_gain, antagonist_from_stiffness
from poise.control.bounded import HipDrive, Pace, hip_wrench, next_targets
from poise.control.muscles import MuscleState, limit_muscles
from poise.control.tension import Gains, Tension, ramped, tense

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
