"""What a character sees, expects and minds (Alvarado 2022, section 5)."""

from poise.behaviors.perception.options import AnticipationOptions, Expectation
from poise.behaviors.perception.senses import Percept, Senses, SensesState

__all__ = ["AnticipationOptions", "Expectation", "Percept", "Senses", "SensesState"]
