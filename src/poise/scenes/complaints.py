"""What is wrong with a scene file, in one line that names the place and what is allowed there."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from poise.errors import InputError

__all__ = ["complaint"]

_MAPPINGS = ("model_type", "dict_type", "model_attributes_type")


def complaint(error: ValidationError, model: type[BaseModel], file: Path, *above: str) -> InputError:
    """The first fault found; an unknown key goes first, since a misspelt one is missing elsewhere.

    Args:
        error: What pydantic found.
        model: Against what.
        file: The scene file.
        above: Where in the file the model begins.
    """
    faults = sorted(error.errors(), key=lambda fault: fault["type"] != "extra_forbidden")
    first = faults[0]
    path = [*above, *(str(part) for part in first["loc"])]
    if first["type"] == "extra_forbidden":
        message = f"unknown key; known here: {', '.join(_keys(model, first['loc']))}"
    elif first["type"] in _MAPPINGS:
        message = f"needs a mapping of keys to values; got {first.get('input')!r}"
    elif isinstance(first.get("input"), dict | list) or first["type"] == "missing":
        message = str(first["msg"])
    else:
        message = f"{first['msg']}; got {first.get('input')!r}"
    more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    return InputError(message + more, source=file, place=".".join(path) or None)


def _keys(model: type[BaseModel], place: tuple[int | str, ...]) -> list[str]:
    """The keys that may stand where the last part of `place` does."""
    for part in place[:-1]:
        if part in model.model_fields:
            model = _inner(model.model_fields[str(part)].annotation) or model
    return list(model.model_fields)


def _inner(annotation: Any) -> type[BaseModel] | None:
    """The model inside an annotation such as dict[str, Model]."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    found = (_inner(argument) for argument in get_args(annotation))
    return next((model for model in found if model is not None), None)
