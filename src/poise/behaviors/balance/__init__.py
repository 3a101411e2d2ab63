"""Standing on one's own legs, stepping and falling (van Welbergen 2009)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from poise.lazy import lazy_names

if TYPE_CHECKING:
    from poise.behaviors.balance.behavior import Balance, BalanceState, standing_modes
    from poise.behaviors.balance.footing import Footing
    from poise.behaviors.balance.options import BEND, KINEMATIC, BalanceOptions, Recovery
    from poise.behaviors.balance.standing import SpringBalance
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "poise.behaviors.balance.behavior": (
                "Balance",
                "BalanceState",
                "standing_modes",
            ),
            "poise.behaviors.balance.footing": ("Footing",),
            "poise.behaviors.balance.options": (
                "BEND",
                "KINEMATIC",
                "BalanceOptions",
                "Recovery",
            ),
            "poise.behaviors.balance.standing": ("SpringBalance",),
        },
    )

__all__ = [
    "BEND",
    "KINEMATIC",
    "Balance",
    "BalanceOptions",
    "BalanceState",
    "Footing",
    "Recovery",
    "SpringBalance",
    "standing_modes",
]
