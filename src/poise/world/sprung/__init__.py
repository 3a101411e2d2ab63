"""Characters on springs, quick to step: one in a session, or a crowd of them."""

from poise.world.sprung.crowd import CrowdWorld
from poise.world.sprung.model import Sprung, SprungModel
from poise.world.sprung.world import SprungWorld

__all__ = ["CrowdWorld", "Sprung", "SprungModel", "SprungWorld"]
