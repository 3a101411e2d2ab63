"""Who is in a scene file: clip, skin and role map of each character, read from beside it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from poise.assets import clip_path
from poise.io import read_character, read_role_map
from poise.motion.clip import Clip
from poise.motion.edit import loop
from poise.motion.edit import place as move
from poise.motion.skin import SkinnedMesh
from poise.scenes.beside import beside
from poise.scenes.budget import check_cycles
from poise.scenes.schema import CharacterEntry
from poise.scenes.validation_errors import told

__all__ = ["Figure", "read_figure"]


class Figure(NamedTuple):
    """Somebody's clip as it is to be played, skin, and role map."""

    clip: Clip
    mesh: SkinnedMesh | None
    roles: Mapping[str, str | None] | None


def read_figure(entry: CharacterEntry, file: Path, name: str) -> Figure:
    """Read what a character's entry names.

    Args:
        entry: Of the character.
        file: The scene file.
        name: The character's.

    Raises:
        InputError: A file is elsewhere or not acceptable; the message names the place.
    """
    place = f"characters.{name}"
    with told(file, f"{place}.clip"):
        shipped = entry.clip.removeprefix("shipped:")
        path = clip_path(shipped) if shipped != entry.clip else beside(file, entry.clip)
        clip, mesh = read_character(
            path,
            unit=entry.unit,
            up=entry.up,
            animation=entry.animation,
            rate=entry.rate,
            mirrored=entry.mirrored,
        )
    with told(file, f"{place}.roles"):
        roles = read_role_map(beside(file, entry.roles)) if entry.roles else None
    if entry.cycles > 1:
        with told(file, f"{place}.cycles"):
            check_cycles(len(clip.skeleton), len(clip), entry.cycles)
        clip = loop(clip, entry.cycles)
    if entry.at is not None or entry.turn != 0.0:
        with told(file, place):
            clip = move(clip, entry.at, float(np.radians(entry.turn)))
    return Figure(clip, mesh, roles)
