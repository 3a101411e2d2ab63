"""Meshes once made are kept on disk, under a name that says what they were made from.

A file is written whole under a temporary name and renamed, so any number of programs may share the folder; one that cannot
be read is made again. Delete the folder at any time.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.math._shipped import shipped_file
from poise.motion.skin import SkinnedMesh

__all__ = ["Fields", "cache_folder", "content_key", "load", "store"]


class Fields(NamedTuple):
    """What a `SkinnedMesh` is made from, in its order."""

    vertices: NDArray[np.float64]
    triangles: NDArray[np.int64]
    joints: NDArray[np.int64]
    weights: NDArray[np.float64]
    inverse_bind: NDArray[np.float64]


def cache_folder() -> Path:
    """`$XDG_CACHE_HOME/poise/mannequins`, by default under `~/.cache`."""
    given = os.environ.get("XDG_CACHE_HOME", "")
    # The XDG base directory specification: relative paths are to be ignored.
    base = Path(given) if os.path.isabs(given) else Path("~/.cache").expanduser()
    return base / "poise" / "mannequins"


def content_key(arrays: Sequence[NDArray[np.generic]], version: int) -> str:
    """A name for what is made from these arrays by this version of the recipe."""
    digest = hashlib.sha256(f"mannequin {version}".encode())
    for array in arrays:
        digest.update(f"{array.dtype.str} {array.shape} ".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:40]


def load(folder: Path, key: str) -> SkinnedMesh | None:
    """The mesh stored under `key`, to the bit, or shipped under it; None where there is none that can be read."""
    kept = _read(folder / f"{key}.npz")
    if kept is not None:
        return kept
    shipped = shipped_file(f"mannequins/{key}.npz")
    return None if shipped is None else _read(io.BytesIO(shipped))


def _read(source: Path | io.BytesIO) -> SkinnedMesh | None:
    try:
        with np.load(source, allow_pickle=False) as stored:
            return SkinnedMesh(*(stored[name] for name in Fields._fields))
    except (OSError, KeyError, ValueError, zipfile.BadZipFile, EOFError, InputError):
        return None


def store(folder: Path, key: str, fields: Fields) -> None:
    """Keep what a mesh is made from under `key`; where the folder cannot be written nothing is kept."""
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(suffix=".part", dir=folder)
        try:
            with os.fdopen(handle, "wb") as file:
                np.savez(file, allow_pickle=False, **fields._asdict())
            os.replace(name, folder / f"{key}.npz")
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
