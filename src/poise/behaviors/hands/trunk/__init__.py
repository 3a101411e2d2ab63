"""The trunk as arms see it: what they are kept off, and how elbows give way to it."""

from poise.behaviors.hands.trunk.trunk import Trunk

__all__ = ["Trunk"]
