"""What the rest of the body does about what comes: looking, leaning, dodging, shielding the head, slowing down."""

from poise.behaviors.evasion.dodge import Shield
from poise.behaviors.evasion.gestures import Evade, EvadeState
from poise.behaviors.evasion.pacer import Pacer, PacerState

__all__ = ["Evade", "EvadeState", "Pacer", "PacerState", "Shield"]
