"""Many conductors at once: one character, each copy with its own tempo, size, phase and balance."""

from poise.crowd.crowd import STEP, Crowd, Member
from poise.crowd.stance import STANDING, sprung

__all__ = ["STANDING", "STEP", "Crowd", "Member", "sprung"]
