"""Arrays with a row for every tick: growing in memory, growing in files, or only the last so many."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["Columns", "Shapes"]

Shapes = Mapping[str, tuple[int | None, type]]
"""Width of a row, None for a single number, and its type, by name."""
_FIRST = 256
"""Rows to make room for at first."""


class Columns:
    """Several arrays that get their rows together, in order of the rows' numbers.

    Args:
        shapes: Of the rows.
        keep: How many of the last rows are kept; None for all.
        folder: Where the arrays lie in files, `<name>.raw` each; None for in memory.
    """

    def __init__(self, shapes: Shapes, keep: int | None = None, folder: Path | None = None) -> None:
        self._shapes, self._keep, self._folder = dict(shapes), keep, folder
        self._size = _FIRST if keep is None else keep
        self._arrays: dict[str, NDArray[Any]] = {name: self._room(name, self._size) for name in shapes}

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self._arrays[name]

    @property
    def nbytes(self) -> int:
        """What the arrays take in memory or on disk."""
        return sum(array.nbytes for array in self._arrays.values())

    def first(self, count: int) -> int:
        """Number of the first row that is still there when there were `count`."""
        return 0 if self._keep is None else max(0, count - self._keep)

    def place(self, number: int) -> int:
        """Where row `number` goes; makes room for it."""
        if self._keep is not None:
            return number % self._keep
        if number >= self._size:
            self._grow()
        return number

    def put(self, number: int, **values: ArrayLike) -> None:
        """Write a part of row `number`."""
        row = self.place(number)
        for name, value in values.items():
            self._arrays[name][row] = value

    def rows(self, name: str, first: int, end: int) -> NDArray[Any]:
        """Rows `first` to `end` in order: a copy, or what lies in the file, which cannot be written."""
        array = self._arrays[name]
        if self._keep is not None:
            return array[np.arange(first, end) % self._keep]
        if self._folder is None:
            return array[first:end].copy()
        part = array[first:end]
        part.flags.writeable = False
        return part

    def _room(self, name: str, size: int) -> NDArray[Any]:
        width, kind = self._shapes[name]
        shape = (size,) if width is None else (size, width)
        # A row without numbers takes no place in a file.
        if self._folder is None or 0 in (shape[-1], size):
            return np.zeros(shape, dtype=kind)
        path = self._folder / f"{name}.raw"
        return np.memmap(path, dtype=kind, mode="r+" if path.exists() else "w+", shape=shape)

    def _grow(self) -> None:
        before, self._size = self._size, 2 * self._size
        for name, old in self._arrays.items():
            if isinstance(old, np.memmap):
                old.flush()
                with (self._folder or Path()).joinpath(f"{name}.raw").open("r+b") as file:
                    file.truncate(2 * old.nbytes)
                self._arrays[name] = self._room(name, self._size)
                continue
            grown = np.zeros((self._size, *old.shape[1:]), dtype=old.dtype)
            grown[:before] = old
            self._arrays[name] = grown
