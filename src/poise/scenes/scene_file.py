"""Scene files: YAML in, a scene out, or one line that says what is wrong with it.

What can be refused before anything is made is refused here, and nothing slow is imported for it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from poise.errors import InputError
from poise.io import compose_yaml, line_of, read_yaml
from poise.scenes.budget import check_budget, foresee

if TYPE_CHECKING:
    from poise.scenes.scene import Scene

__all__ = ["read_scene"]

_LARGEST = 1_000_000


def read_scene(path: str | Path, *, limit: float | None = None) -> Scene:
    """Read a scene file; clip and role files in it are looked for beside it.

    Args:
        path: The file.
        limit: Memory [GB] that it may take at most, as far as that is known before anybody is made.

    Raises:
        InputError: The file or something in it is not acceptable; the message names line, place and what is allowed.
    """
    file = Path(path)
    try:
        return _read(file, limit)
    except InputError as error:
        if error.source != str(file) or not error.place or error.place.startswith("line "):
            raise
        line = line_of(compose_yaml(file, _LARGEST), error.place)
        raise InputError(error.problem, source=file, place=f"line {line}, {error.place}") from error


def _read(file: Path, limit: float | None) -> Scene:
    content = _load(file)
    # Each is slow to import (docs/architecture.md, decision 12).
    if "people" in content:
        from poise.scenes.group_validation import validated_group

        group = validated_group(content, file)
        from poise.scenes.group_file import group_scene

        return group_scene(group, file)
    from poise.scenes.scene_validation import validated

    entries = validated(content, file)
    from poise.scenes.character_file import read_stated, stated_character

    read = {name: read_stated(entry, file, name) for name, entry in entries.characters.items()}
    if limit is not None:
        check_budget(foresee([each.clip for each in read.values()], len(entries.props), entries.substep), limit)
    characters = {name: stated_character(entry, read[name], file, name) for name, entry in entries.characters.items()}
    from poise.scenes.scene_build import built_scene

    return built_scene(entries, characters, file)


def _load(file: Path) -> dict[str, Any]:
    content = read_yaml(file, _LARGEST)
    if not isinstance(content, dict):
        raise InputError("a scene file is a mapping with at least 'characters', or 'people'", source=file)
    return content
