"""What the rest of the body does about what comes: it looks, leans, dodges, slows down, minds its feet."""

from poise.behaviors.evasion.dodge import Shield
from poise.behaviors.evasion.gestures import Evade, EvadeState
from poise.behaviors.evasion.pacer import Pacer, PacerState
from poise.behaviors.evasion.underfoot import Underfoot, UnderfootState

__all__ = ["Evade", "EvadeState", "Pacer", "PacerState", "Shield", "Underfoot", "UnderfootState"]
