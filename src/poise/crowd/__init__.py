"""Many conductors at once: one character, each copy with its own tempo, size, phase and balance."""

from poise.crowd.crowd import STEP, Crowd, Member
from poise.crowd.gesture import GestureLoop, conducting_loop
from poise.crowd.stance import STIFFNESS, Stance, standing

__all__ = ["STEP", "STIFFNESS", "Crowd", "GestureLoop", "Member", "Stance", "conducting_loop", "standing"]
