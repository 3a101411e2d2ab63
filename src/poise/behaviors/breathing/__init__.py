"""Life when nothing happens: a body breathes, and sways over its feet while it stands."""

from poise.behaviors.breathing.breathing import Breathing, BreathingState
from poise.behaviors.breathing.options import BreathingOptions

__all__ = ["Breathing", "BreathingOptions", "BreathingState"]
