"""What the command line asks of a character in a scene file's words: balance, conducting, reaching, switching, coupling.

The values of these options are those of the keys of the same names (docs/scene-files.md), and are held against the same
schema. What does that is slow to import (docs/architecture.md, decision 12), so it is imported where an option is given.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from poise.errors import InputError

if TYPE_CHECKING:
    from poise.hybrid.coupling import CouplingOptions
    from poise.scenes import Scene
    from poise.scenes.schema import CharacterEntry

__all__ = ["ACTING", "acting", "checked", "coupled"]

ACTING = ("balance", "conducting", "reaching", "switching", "coupling")
"""Options whose value is that of a character's key of the same name in a scene file."""


def checked(said: dict[str, str]) -> dict[str, CharacterEntry]:
    """Each option as the entry of a character that says nothing else.

    Args:
        said: Name of an option to its value as YAML.

    Raises:
        InputError: A value is not acceptable; the message names the option, the place in it and what is allowed.
    """
    if not said:
        return {}
    from pydantic import ValidationError

    from poise.io import parse_yaml
    from poise.scenes.schema import CharacterEntry
    from poise.scenes.validation_errors import validation_error

    entries = {}
    for key, text in said.items():
        with _located(key):
            try:
                value = parse_yaml(text)
                if value is None:
                    raise InputError("needs a value, as in a scene file")
                entries[key] = CharacterEntry.model_validate({"clip": "", key: value})
            except ValidationError as error:
                raise validation_error(error, CharacterEntry, Path(key)) from error
    return entries


def coupled(entries: dict[str, CharacterEntry]) -> CouplingOptions:
    """What is felt of limbs that follow the clip; raises `InputError` where the numbers do not go together."""
    from poise.hybrid.coupling import CouplingOptions
    from poise.scenes.stated import made

    if "coupling" not in entries:
        return CouplingOptions()
    with _located("coupling"):
        return made(CouplingOptions, entries["coupling"].coupling)


def acting(scene: Scene, entries: dict[str, CharacterEntry]) -> Scene:
    """The scene with everybody doing what is asked for, after what they do already.

    Raises:
        InputError: A joint is unknown, beats cannot be read or do not increase, or two goals of a part are for the same time.
    """
    from poise.scenes.behavior_file import stated_behaviors

    behaviors = {name: list(scene.behaviors.get(name, ())) for name in scene.characters}
    for key, entry in entries.items():
        with _located(key):
            for name, who in scene.characters.items():
                behaviors[name] += stated_behaviors(_with_beats(entry), who, Path(key), "")
    return replace(scene, behaviors=behaviors)


def _with_beats(entry: CharacterEntry) -> CharacterEntry:
    """The entry with beats instead of the file of them, which may lie anywhere, as files on a command line do."""
    conducting = entry.conducting
    if conducting is None or not isinstance(conducting.beats, str):
        return entry
    from poise.io import read_beats

    beats = tuple(float(time) for time in read_beats(conducting.beats, conducting.per_bar).times)
    return entry.model_copy(update={"conducting": conducting.model_copy(update={"beats": beats})})


@contextmanager
def _located(key: str) -> Iterator[None]:
    """Puts the option before what is wrong with its value, and where in it."""
    try:
        yield
    except InputError as error:
        place = (error.place or "").strip(".").removeprefix(key).strip(".")
        problem = error.problem if error.source in (None, key) else str(error)
        raise InputError(problem, source=f"--{key}", place=place or None) from error
