"""What hands do: which obstacle, when, where to, how firmly, and how arms bring them there (Alvarado 2022, section 5)."""

from poise.behaviors.hands.hand_state_machine import HandStateMachine
from poise.behaviors.hands.hands import SIDES, Arms, ArmsState, HandState
from poise.behaviors.hands.situation import Situation

__all__ = ["SIDES", "Arms", "ArmsState", "HandState", "HandStateMachine", "Situation"]
