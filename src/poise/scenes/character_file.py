"""Who is in a scene file: each character made of a clip, a skin and a role map beside it."""

from __future__ import annotations

from math import radians
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from poise.assets import clip_path
from poise.body.options import BodyOptions
from poise.characters.options import CharacterOptions
from poise.control.root import RootChange, RootDrive
from poise.control.tension import Tension
from poise.errors import InputError
from poise.hybrid.coupling import CouplingOptions
from poise.locomotion.stepping import StepOptions
from poise.scenes.budget import check_cycles
from poise.scenes.scene_folder import file_in_folder
from poise.scenes.schema import CharacterEntry
from poise.scenes.stated import made
from poise.scenes.validation_errors import error_location

if TYPE_CHECKING:
    from poise.characters.character import Character
    from poise.motion.clip import Clip
    from poise.motion.skin import SkinnedMesh

__all__ = ["ReadCharacter", "read_stated", "stated_character"]


class ReadCharacter(NamedTuple):
    """What the files of a character say: its motion, its skin, and roles of its joints."""

    clip: Clip
    mesh: SkinnedMesh | None
    roles: dict[str, str | None] | None


def read_stated(entry: CharacterEntry, file: Path, name: str) -> ReadCharacter:
    """Read what a character's entry names.

    Args:
        entry: Of the character.
        file: The scene file.
        name: The character's.

    Raises:
        InputError: A file is elsewhere or not acceptable; the message names the place.
    """
    place = f"characters.{name}"
    with error_location(file, f"{place}.clip"):
        shipped = entry.clip.removeprefix("shipped:")
        path = clip_path(shipped) if shipped != entry.clip else file_in_folder(file, entry.clip)
    with error_location(file, f"{place}.roles"):
        map_path = file_in_folder(file, entry.roles) if entry.roles else None
    # Slow to import (docs/architecture.md, decision 12).
    from poise.io import read_character, read_role_map

    with error_location(file, f"{place}.clip"):
        clip, mesh = read_character(
            path,
            unit=entry.unit,
            up=entry.up,
            animation=entry.animation,
            rate=entry.rate,
            mirrored=entry.mirrored,
        )
    with error_location(file, f"{place}.roles"):
        roles = read_role_map(map_path) if map_path else None
    if entry.cycles > 1 or entry.at is not None or entry.turn != 0.0:
        clip = _moved(clip, entry, file, place)
    return ReadCharacter(clip, mesh, roles)


def _moved(clip: Clip, entry: CharacterEntry, file: Path, place: str) -> Clip:
    """The clip as often and where it shall be played."""
    from poise.motion.edit import loop
    from poise.motion.edit import place as move

    if entry.cycles > 1:
        with error_location(file, f"{place}.cycles"):
            check_cycles(len(clip.skeleton), len(clip), entry.cycles)
        clip = loop(clip, entry.cycles)
    if entry.at is not None or entry.turn != 0.0:
        with error_location(file, place):
            clip = move(clip, entry.at, radians(entry.turn))
    return clip


def stated_character(entry: CharacterEntry, read: ReadCharacter, file: Path, name: str) -> Character:
    """Make a character of what its files say.

    Args:
        entry: Of the character.
        read: Out of its files.
        file: The scene file.
        name: The character's.

    Raises:
        InputError: There is no character in it; the message names the place.
    """
    place = f"characters.{name}"
    with error_location(file, f"{place}.coupling"):
        coupling = made(CouplingOptions, entry.coupling)
    options = CharacterOptions(
        anchors=entry.anchors,
        blend=entry.blend,
        tension=_tension(entry, file, place),
        coupling=coupling,
        body=made(BodyOptions, entry.body),
        root_changes=tuple(made(RootChange, change) for change in entry.root_changes),
        root_drive=made(RootDrive, entry.root_drive),
        stepping=made(StepOptions, entry.stepping),
        cutoff=None if entry.cutoff == "off" else entry.cutoff,
        roles=read.roles,
        mending=entry.mending,
        level=entry.level,
        self_contact=entry.self_contact,
        contacts=entry.contacts,
        terrain=entry.terrain,
    )
    # Slow to import (docs/architecture.md, decision 12).
    from poise.characters.character import Character

    with error_location(file, place):
        return Character.from_clip(read.clip, options, read.mesh)


def _tension(entry: CharacterEntry, file: Path, place: str) -> Tension:
    if entry.relax is None:
        return made(Tension, entry.tension)
    if "relax" in entry.tension:
        raise InputError("is short for tension.relax, which is stated, too", source=file, place=f"{place}.relax")
    return made(Tension, entry.tension, relax=entry.relax)
