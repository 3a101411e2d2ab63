"""How arms follow where their hands are led, over a tick."""

from poise.behaviors.hands.following._kernels import WAY, WAYS, WISH, fill_arms, follow_arms, start_ways

__all__ = ["WAY", "WAYS", "WISH", "fill_arms", "follow_arms", "start_ways"]
