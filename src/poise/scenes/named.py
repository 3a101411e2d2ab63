"""Scenes that come with Poise, by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from poise.assets import clip_path
from poise.errors import unknown_name
from poise.io import read_clip
from poise.motion.clip import Clip
from poise.motion.edit import loop
from poise.motion.skin import SkinnedMesh
from poise.runtime.character import Character, CharacterOptions
from poise.scenes.layout import surroundings
from poise.scenes.scene import Scene
from poise.world.scene import Setting

__all__ = ["SCENES", "clip_scene", "named_scene"]

_FOREST_CYCLES = 9


def clip_scene(
    clip: Clip,
    options: CharacterOptions | None = None,
    *,
    mesh: SkinnedMesh | None = None,
    seed: int = 0,
    props: bool = True,
) -> Scene:
    """A clip in surroundings made for it: obstacles along its own path, or a ring where it stays in place.

    Args:
        clip: The motion.
        options: How it becomes a character.
        mesh: The character's own skin.
        seed: Varies the surroundings.
        props: Whether there are any.
    """
    character = Character.from_clip(clip, options, mesh)
    around = surroundings(character, seed=seed) if props else ()
    return Scene(clip.name, {"character": character}, Setting(props=around, floor=character.floor))


def _forest() -> Scene:
    """The shipped walk past every obstacle of Alvarado 2022, Table 3, and a ball that hits an arm."""
    clip = loop(read_clip(clip_path("walk")), _FOREST_CYCLES)
    return replace(clip_scene(clip), name="forest")


def _jog() -> Scene:
    """The shipped run through the same kind of surroundings."""
    clip = loop(read_clip(clip_path("run")), 6)
    return replace(clip_scene(clip), name="jog")


SCENES: dict[str, Callable[[], Scene]] = {"forest": _forest, "jog": _jog}
"""Scene name to its maker."""


def named_scene(name: str) -> Scene:
    """The scene called `name`; raises `InputError` with the names there are."""
    if name not in SCENES:
        raise unknown_name("scene", name, SCENES)
    return SCENES[name]()
