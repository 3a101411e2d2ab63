"""Who plays in scenes: the shipped walk's person, at ease or walking."""

from __future__ import annotations

from functools import cache

from poise.assets import clip_path
from poise.characters.character import Character, CharacterOptions
from poise.io import read_clip
from poise.motion.edit import loop
from poise.scenes.bounded import at_ease, standing

__all__ = ["stander", "walker"]


@cache
def stander(seconds: float) -> Character:
    """Stands at ease."""
    return standing(at_ease(), seconds, CharacterOptions())


def walker(cycles: int) -> Character:
    """Walks so many times as far as the clip."""
    return Character.from_clip(loop(read_clip(clip_path("walk")), cycles))
