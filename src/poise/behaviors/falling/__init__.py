"""Falling: when a body cannot be caught any more, and what it does on its way to the ground."""

from poise.behaviors.falling.fall import Fall, FallState

__all__ = ["Fall", "FallState"]
