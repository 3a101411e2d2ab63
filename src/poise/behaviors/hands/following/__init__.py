"""How arms follow where their hands are led, over a tick."""

from poise.behaviors.hands.following._kernels import FOREARM, TWIST, WAY, WAYS, WISH, fill_arms, follow_arms, start_ways

__all__ = ["FOREARM", "TWIST", "WAY", "WAYS", "WISH", "fill_arms", "follow_arms", "start_ways"]
