"""What is wrong with a scene file, in one line that names the place and what is allowed there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from poise.errors import InputError, likeliest, plainly, shown
from poise.parameters import Group, Parameter, declared
from poise.scenes.stated import Stated

__all__ = ["error_location", "validation_error"]

_MAPPINGS = ("model_type", "dict_type", "model_attributes_type")
_MEANT = re.compile(r"constrained-|.*\[")
"""How a part of a fault's place begins that is not in the file: which of the allowed types was tried."""


def validation_error(error: ValidationError, model: type[BaseModel], file: Path, *above: str) -> InputError:
    """The first fault found; an unknown key goes first, since a misspelt one is missing elsewhere.

    Where a number or a list may stand and a list does, what is wrong with the list goes before its being no number.

    Args:
        error: What pydantic found.
        model: Against what.
        file: The scene file.
        above: Where in the file the model begins.
    """
    faults = sorted(error.errors(), key=_rank)
    first = faults[0]
    path = [*above, *(str(part)[:60] for part in first["loc"] if not _MEANT.match(str(part)))]
    if first["type"] == "extra_forbidden":
        known = _keys(model, first["loc"])
        message = f"unknown key{likeliest(str(first['loc'][-1]), known)}; known here: {', '.join(known)}"
    elif first["type"] == "literal_error" and isinstance(first.get("input"), str):
        allowed = re.findall(r"'([^']*)'", str(first.get("ctx", {}).get("expected", "")))
        meant = likeliest(first["input"], allowed)
        message = f"unknown name {shown(first['input'])}{meant}; known here: {', '.join(allowed)}"
    elif first["type"] in _MAPPINGS:
        message = f"needs a mapping of keys to values; got {shown(first.get('input'))}"
    elif isinstance(first.get("input"), dict | list) or first["type"] in ("missing", "vector", "parameter"):
        message = str(first["msg"])
    else:
        message = f"{first['msg']}; got {shown(first.get('input'))}"
    message = (
        plainly(message).replace("valid tuple", "list").replace("Tuple", "A list").replace(" after validation", "")
    )
    more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    return InputError(message + more, source=file, place=".".join(path) or None)


def _rank(fault: ErrorDetails) -> int:
    """Lower ones are told first."""
    if fault["type"] == "extra_forbidden":
        return 0
    return 1 if fault["type"] == "vector" and isinstance(fault["input"], list) else 2


def _keys(model: type[BaseModel], place: tuple[int | str, ...]) -> list[str]:
    """The keys that may stand where the last part of `place` does."""
    here: type[BaseModel] | Mapping[str, Parameter] = model
    for part in place[:-1]:
        if isinstance(here, Mapping):
            within = here.get(str(part))
            here = declared(within.kind) if isinstance(within, Group) else here
        elif part in here.model_fields:
            field = here.model_fields[str(part)]
            here = _first(field.annotation, *field.metadata) or here
    return list(here if isinstance(here, Mapping) else here.model_fields)


def _inner(annotation: Any) -> type[BaseModel] | Mapping[str, Parameter] | None:
    """The model or the declared parameters inside an annotation such as dict[str, Model]."""
    if isinstance(annotation, Stated):
        return annotation.parameters
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return _first(*get_args(annotation))


def _first(*annotations: Any) -> type[BaseModel] | Mapping[str, Parameter] | None:
    """The first that is inside any of them."""
    found = (_inner(annotation) for annotation in annotations)
    return next((each for each in found if each is not None), None)


@contextmanager
def error_location(file: Path, place: str) -> Iterator[None]:
    """Puts the scene file and the place in it before what is wrong with what it names."""
    try:
        yield
    except InputError as error:
        raise InputError(str(error), source=file, place=place) from error
