"""What a character sees, expects and minds (Alvarado 2022, section 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from poise.lazy import lazy_names

if TYPE_CHECKING:
    from poise.behaviors.perception.options import AnticipationOptions, Expectation
    from poise.behaviors.perception.senses import Percept, Senses, SensesState
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "poise.behaviors.perception.options": (
                "AnticipationOptions",
                "Expectation",
            ),
            "poise.behaviors.perception.senses": (
                "Percept",
                "Senses",
                "SensesState",
            ),
        },
    )

__all__ = ["AnticipationOptions", "Expectation", "Percept", "Senses", "SensesState"]
