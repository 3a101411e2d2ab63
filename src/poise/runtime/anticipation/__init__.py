"""Anticipation at work in a session (Alvarado 2022, section 5)."""

from poise.runtime.anticipation.options import AnticipationOptions, Expectation
from poise.runtime.anticipation.stage import Anticipate

__all__ = ["Anticipate", "AnticipationOptions", "Expectation"]
