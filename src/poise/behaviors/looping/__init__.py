"""A gesture that repeats, for one character or for many of one build at once."""

from poise.behaviors.looping.loop import GestureLoop, LoopRows, conducting_loop
from poise.behaviors.looping.looping import Looping

__all__ = ["GestureLoop", "LoopRows", "Looping", "conducting_loop"]
