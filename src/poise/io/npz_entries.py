"""Entries of a NumPy .npz from outside: bounded in what they unpack to, and without pickle."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.io.files import MAX_BYTES

__all__ = ["entry_names", "load_entries"]

_SMALL, _INFLATES = 1 << 26, 8
"""What any file may unpack to [bytes], and a larger one in proportion to its size: motion is not packed tighter."""


def entry_names(content: bytes) -> frozenset[str]:
    """Names of the entries of a .npz, none of which is unpacked.

    Raises:
        InputError: This is no .npz, it is damaged, or it unpacks to more than a file of its size may.
    """
    if not zipfile.is_zipfile(io.BytesIO(content)):
        raise InputError("this is not a NumPy .npz file")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = archive.infolist()
    except Exception as error:  # What zipfile raises on a damaged one has no end.
        raise _damaged(error) from None
    unpacked = sum(entry.file_size for entry in entries)
    most = min(MAX_BYTES, max(_SMALL, _INFLATES * len(content)))
    if unpacked > most:
        raise InputError(f"the file unpacks to {unpacked} bytes; one of {len(content)} may have {most}")
    return frozenset(entry.filename.removesuffix(".npy") for entry in entries)


def load_entries(content: bytes, keys: Iterable[str]) -> dict[str, NDArray[Any]]:
    """Those of the entries `keys` that there are; others are left packed, whatever they hold.

    Raises:
        InputError: As `entry_names`, or one of them is damaged or holds Python objects.
    """
    there = entry_names(content)
    arrays: dict[str, NDArray[Any]] = {}
    for key in keys:
        if key in there:
            arrays[key] = _entry(content, key)
    return arrays


def _entry(content: bytes, key: str) -> NDArray[Any]:
    """One entry; what NumPy and zipfile raise on a damaged one has no end, so all of it is caught."""
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as data:
            array = data[key]
    except Exception as error:
        raise InputError(
            f"the entry is damaged, or holds Python objects, which are never unpickled ({type(error).__name__})",
            place=f"entry {key!r}",
        ) from None
    if not isinstance(array, np.ndarray):  # NumPy hands out the bytes of what is no array.
        raise InputError("the entry is damaged: it holds no array", place=f"entry {key!r}")
    return array


def _damaged(error: Exception) -> InputError:
    return InputError(f"the .npz file is damaged ({type(error).__name__})")
