"""A clip in a NumPy .npz, with everything that Poise knows of it. Reading gives back the same bits; no pickle."""

from __future__ import annotations

import dataclasses
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError, shown
from poise.io.axes import UP_AXES
from poise.io.bvh_text import CHANNELS
from poise.io.files import read_bytes, write_bytes
from poise.io.npz_entries import load_entries
from poise.motion.clip import Clip
from poise.motion.roles import ROLES
from poise.motion.skeleton import Skeleton
from poise.motion.source import Source

__all__ = ["SCHEMA", "VERSION", "read_npz", "write_npz"]

SCHEMA = "poise-clip"
VERSION = 1

KINDS: dict[str, tuple[str, int]] = {
    "schema": ("U", 0),
    "version": ("iu", 0),
    "name": ("U", 0),
    "rate": ("f", 0),
    "names": ("U", 1),
    "parents": ("iu", 1),
    "offsets": ("f", 2),
    "end_parents": ("iu", 1),
    "end_offsets": ("f", 2),
    "rotations": ("f", 3),
    "translations": ("f", 3),
    "translated": ("iu", 1),
    "source": ("U", 0),
    "declared": ("U", 1),
}
"""Every array of the file: the NumPy kinds it may have and its number of dimensions. `source` is JSON text; `declared`, the
role of each joint or "", is there only where the file said it."""
_OPTIONAL = ("declared",)
_LATER = {"hierarchy", "mirrored"}
"""Of a source, what only a clip has that was changed when it was read."""


def write_npz(path: Path, clip: Clip) -> list[str]:
    """Write `clip` to `path`, whole or not at all; returns no notes, since nothing is lost.

    Raises:
        InputError: The file cannot be written.
    """
    skeleton = clip.skeleton
    content = io.BytesIO()
    declared = {"declared": np.array([role or "" for role in skeleton.declared])} if skeleton.declared else {}
    np.savez(
        content,
        schema=np.array(SCHEMA),
        version=np.array(VERSION),
        name=np.array(clip.name),
        rate=np.array(clip.rate),
        names=np.array(skeleton.names),
        parents=skeleton.parents,
        offsets=skeleton.offsets,
        end_parents=skeleton.end_parents,
        end_offsets=skeleton.end_offsets,
        rotations=clip.rotations,
        translations=clip.translations,
        translated=clip.translated,
        source=np.array(json.dumps(dataclasses.asdict(dataclasses.replace(clip.source, rows=None)))),
        allow_pickle=False,
        **declared,
    )
    write_bytes(path, content.getvalue())
    return []


def _checked(arrays: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    if "schema" not in arrays or str(arrays["schema"]) != SCHEMA:
        recording = "schema" in arrays and str(arrays["schema"]).startswith("poise-recording")
        what = "is the recording of a run" if recording else "is no Poise clip"
        raise InputError(f"this .npz {what}; a clip has the entry schema = {SCHEMA!r}, a motion of SMPL has poses")
    for key, (kinds, dimensions) in KINDS.items():
        array = arrays.get(key)
        if array is None and key in _OPTIONAL:
            continue
        if array is None:
            raise InputError("the entry is missing", place=f"entry {key!r}")
        if array.dtype.kind not in kinds or array.ndim != dimensions:
            raise InputError(
                f"the entry has type {array.dtype} and {array.ndim} dimensions; expected kind {kinds!r} "
                f"and {dimensions}",
                place=f"entry {key!r}",
            )
    if int(arrays["version"]) != VERSION:
        raise InputError(f"version {int(arrays['version'])} of the schema is unknown; known: {VERSION}")
    return arrays


def _declared(data: dict[str, NDArray[Any]]) -> tuple[str | None, ...]:
    roles = [str(role) for role in data.get("declared", ())]
    unknown = [role for role in roles if role and role not in ROLES]
    if unknown:
        raise InputError(f"unknown role {shown(unknown[0])}", place="entry 'declared'")
    return tuple(role or None for role in roles)


def _source(text: str) -> Source:
    wrong = InputError("the entry is not the source of a clip", place="entry 'source'")
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        raise wrong from None
    fields = {field.name: field.default for field in dataclasses.fields(Source)}
    if not isinstance(values, dict) or not fields.keys() - _LATER <= values.keys() <= fields.keys():
        raise wrong
    for name in _LATER:  # A written clip is as its file has it.
        values.pop(name, None)
        del fields[name]
    for name, default in fields.items():
        value = values[name]
        if isinstance(default, tuple):
            if not isinstance(value, list):
                raise wrong
        elif not isinstance(value, (int, float) if isinstance(default, float) else type(default)):
            raise wrong
    channels = tuple(tuple(names) if isinstance(names, list) else () for names in values["channels"])
    known = all(name in CHANNELS for names in channels for name in names)
    unique = all(len(set(names)) == len(names) for names in channels if known)
    row_is_numbers = all(isinstance(value, float) and abs(value) <= 1e9 for value in values["first_row"])
    notes_are_text = all(isinstance(note, str) for note in values["notes"])
    sensible = 1e-9 <= values["metres_per_unit"] <= 1e9 and values["up_axis"] in UP_AXES
    if not (known and unique and row_is_numbers and notes_are_text and sensible):
        raise wrong
    return Source(
        **{**values, "channels": channels, "first_row": tuple(values["first_row"]), "notes": tuple(values["notes"])}
    )


def read_npz(path: Path) -> Clip:
    """Read a clip that `write_npz` wrote; the same bits come back.

    Raises:
        InputError: The file is damaged, of another schema or version, or does not hold a clip.
    """
    content = read_bytes(path)
    try:
        data = _checked(load_entries(content, KINDS))
        return Clip(
            skeleton=Skeleton(
                tuple(str(name) for name in data["names"]),
                data["parents"],
                data["offsets"],
                data["end_parents"],
                data["end_offsets"],
                _declared(data),
            ),
            rate=float(data["rate"]),
            rotations=data["rotations"],
            translations=data["translations"],
            translated=data["translated"],
            source=_source(str(data["source"])),
            name=str(data["name"]),
        )
    except InputError as error:
        raise InputError(error.problem, source=path, place=error.place) from None
