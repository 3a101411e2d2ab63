"""How arms follow where their hands are led, over a tick."""

from poise.behaviors.hands.following._kernels import fill_arms, follow_arms

__all__ = ["fill_arms", "follow_arms"]
