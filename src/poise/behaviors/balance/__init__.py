"""Standing on one's own legs, stepping and falling (van Welbergen 2009)."""

from poise.behaviors.balance.behavior import Balance, BalanceState, standing_modes
from poise.behaviors.balance.footing import Footing
from poise.behaviors.balance.options import BEND, KINEMATIC, BalanceOptions, Recovery
from poise.behaviors.balance.standing import SpringBalance

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
