"""Scene files: YAML in, a scene out, or one line that says what is wrong with it.

What can be refused before anything is made is refused here, and nothing slow is imported for it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError

from poise.errors import InputError
from poise.io import compose_yaml, line_of, read_yaml
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
from poise.scenes.validation_errors import validation_error

if TYPE_CHECKING:
    from poise.scenes.group_schema import GroupFile
    from poise.scenes.scene import Scene

__all__ = ["read_scene"]

_LARGEST = 1_000_000
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


def read_scene(path: str | Path) -> Scene:
    """Read a scene file; clip and role files in it are looked for beside it.

    Raises:
        InputError: The file or something in it is not acceptable; the message names line, place and what is allowed.
    """
    file = Path(path)
    try:
        return _read(file)
    except InputError as error:
        if error.source != str(file) or not error.place or error.place.startswith("line "):
            raise
        line = line_of(compose_yaml(file, _LARGEST), error.place)
        raise InputError(error.problem, source=file, place=f"line {line}, {error.place}") from error


def _read(file: Path) -> Scene:
    content = _load(file)
    if "people" in content:
        group = _validated_group(content, file)
        # Slow to import (docs/architecture.md, decision 12).
        from poise.scenes.group_file import group_scene

        return group_scene(group, file)
    entries = _validated(content, file)
    from poise.scenes.character_file import stated_character

    characters = {name: stated_character(entry, file, name) for name, entry in entries.characters.items()}
    # Slow to import (docs/architecture.md, decision 12).
    from poise.scenes.scene_build import built_scene

    return built_scene(entries, characters, file)


def _load(file: Path) -> dict[str, Any]:
    content = read_yaml(file, _LARGEST)
    if not isinstance(content, dict):
        raise InputError("a scene file is a mapping with at least 'characters', or 'people'", source=file)
    return content


def _validated(content: dict[str, Any], file: Path) -> SceneFile:
    _check_kinds(content.get("terrain"), "terrain", _TERRAIN_KINDS, file)
    _check_kinds(content.get("props"), "props", _KINDS, file)
    try:
        return SceneFile.model_validate(content)
    except ValidationError as error:
        raise validation_error(error, SceneFile, file) from error


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


def _validated_group(content: dict[str, Any], file: Path) -> GroupFile:
    from poise.scenes.group_schema import TASKS, GroupFile

    tasks = content.get("tasks")
    for label, entry in tasks.items() if isinstance(tasks, dict) else ():
        kinds = [kind for kind in TASKS if isinstance(entry, dict) and kind in entry]
        if len(kinds) != 1:
            raise InputError(
                f"a task needs exactly one of the keys {', '.join(TASKS)}", source=file, place=f"tasks.{label}"
            )
        try:
            TASKS[kinds[0]].model_validate(entry)
        except ValidationError as error:
            raise validation_error(error, TASKS[kinds[0]], file, "tasks", str(label)) from error
    try:
        return GroupFile.model_validate(content)
    except ValidationError as error:
        raise validation_error(error, GroupFile, file) from error
