"""Scenes of people who handle things together, after Vaillant 2017, section 4."""

from collections.abc import Callable

from poise.scenes.scene import Scene
from poise.scenes.together.door import door
from poise.scenes.together.together import together

__all__ = ["SCENES", "together"]

SCENES: dict[str, Callable[[], Scene]] = {"door": door}
"""Scene name to its maker."""
