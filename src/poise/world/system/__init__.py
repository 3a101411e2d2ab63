"""A whole scene as one mechanical system, for controllers that solve for everybody at once."""

from poise.world.system.physics import Grip, Pad, Physics
from poise.world.system.system import System

__all__ = ["Grip", "Pad", "Physics", "System"]
