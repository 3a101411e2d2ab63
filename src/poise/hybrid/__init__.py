"""Layer 3: which parts obey the clip and which obey physics."""

from poise.hybrid.partition import anchored, find_bodies, whole

__all__ = ["anchored", "find_bodies", "whole"]
