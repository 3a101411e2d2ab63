"""How hands are turned, and how arms follow."""

from poise.runtime.anticipation.turning._kernels import fill_arms, turn_hand

__all__ = ["fill_arms", "turn_hand"]
