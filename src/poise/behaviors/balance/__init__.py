"""Standing on one's own legs, stepping and falling (van Welbergen 2009)."""

from poise.behaviors.balance.behavior import BEND, KINEMATIC, Balance, BalanceOptions, BalanceState, standing_modes
from poise.behaviors.balance.footing import Footing

__all__ = ["BEND", "KINEMATIC", "Balance", "BalanceOptions", "BalanceState", "Footing", "standing_modes"]
