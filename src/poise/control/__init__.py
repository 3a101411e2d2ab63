"""Layer 3: from where a body should be to what its muscles do."""

from poise.control.antagonistic import Antagonist, antagonist_from_low_gain, antagonist_from_stiffness
from poise.control.muscles import MuscleState, limit_muscles
from poise.control.tension import Gains, Tension

__all__ = [
    "Antagonist",
    "Gains",
    "MuscleState",
    "Tension",
    "antagonist_from_low_gain",
    "antagonist_from_stiffness",
    "limit_muscles",
]
