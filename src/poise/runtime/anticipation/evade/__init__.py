"""What the rest of the body does about what comes: looking, leaning, dodging, shielding the head, slowing down."""

from poise.runtime.anticipation.evade.dodge import Shield
from poise.runtime.anticipation.evade.gestures import Evade
from poise.runtime.anticipation.evade.pacer import Pacer

__all__ = ["Evade", "Pacer", "Shield"]
