"""What a scene file of people who do something together says, held against what may stand in one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import ValidationError

from poise.errors import InputError
from poise.scenes.group_schema import TASKS, GroupFile
from poise.scenes.validation_errors import validation_error

__all__ = ["validated_group"]


def validated_group(content: dict[str, Any], file: Path) -> GroupFile:
    """The entries of a scene of people who do something together.

    Raises:
        InputError: One is not acceptable; the message names its place and what is allowed.
    """
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
