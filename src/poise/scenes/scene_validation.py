"""What a scene file says, held against what may stand in one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from poise.errors import InputError
from poise.fluid import named_fluid
from poise.scenes.schema import (
    AssetEntry,
    BallEntry,
    BlockEntry,
    BoxEntry,
    FieldEntry,
    HangingEntry,
    PlantEntry,
    PlatformEntry,
    SceneFile,
    SlopeEntry,
    StepsEntry,
    WallEntry,
)
from poise.scenes.validation_errors import error_location, validation_error

__all__ = ["validated"]

_KINDS: dict[str, type[BaseModel]] = {
    "asset": AssetEntry,
    "plant": PlantEntry,
    "hanging": HangingEntry,
    "ball": BallEntry,
    "box": BoxEntry,
    "wall": WallEntry,
}
_TERRAIN_KINDS: dict[str, type[BaseModel]] = {
    "field": FieldEntry,
    "steps": StepsEntry,
    "slope": SlopeEntry,
    "block": BlockEntry,
    "platform": PlatformEntry,
}


def validated(content: dict[str, Any], file: Path) -> SceneFile:
    """The entries of a scene of characters.

    Raises:
        InputError: One is not acceptable; the message names its place and what is allowed.
    """
    _check_kinds(content.get("terrain"), "terrain", _TERRAIN_KINDS, file)
    _check_kinds(content.get("props"), "props", _KINDS, file)
    try:
        entries = SceneFile.model_validate(content)
    except ValidationError as error:
        raise validation_error(error, SceneFile, file) from error
    for number, entry in enumerate(entries.fluids):
        if entry.density is None:
            with error_location(file, f"fluids.{number}.fluid"):
                named_fluid(entry.fluid)
    return entries


def _check_kinds(entries: Any, key: str, known: dict[str, type[BaseModel]], file: Path) -> None:
    """Validate each entry against the one kind it says it is, so that the message speaks of that kind alone."""
    if not isinstance(entries, list):
        return
    for number, entry in enumerate(entries):
        kinds = [kind for kind in known if isinstance(entry, dict) and kind in entry]
        if len(kinds) != 1:
            what = "prop" if key == "props" else "piece of terrain"
            raise InputError(
                f"a {what} needs exactly one of the keys {', '.join(known)}", source=file, place=f"{key}.{number}"
            )
        try:
            known[kinds[0]].model_validate(entry)
        except ValidationError as error:
            raise validation_error(error, known[kinds[0]], file, key, str(number)) from error
