"""A value of a JSON text together with the path to it, so that every complaint can say where."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError

__all__ = ["LARGEST", "Entry"]

Array = NDArray[np.float64]

LARGEST = 1e9
"""Largest number that is believed."""


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:40] + "…"


class Entry:
    """A JSON object and its path, such as `skins[0]`; its members are asked for by kind.

    Every method raises `InputError` with the path, what was found and what was expected.
    """

    def __init__(self, value: Any, path: str) -> None:
        self.path = path
        if not isinstance(value, dict):
            raise self.bad(f"found {_short(value)}; expected an object")
        self.value: dict[str, Any] = value

    def bad(self, problem: str, key: str | None = None) -> InputError:
        """The error for `problem` here or at the member `key`; the file is added by the reader."""
        return InputError(problem, place=self._at(key) if key is not None else self.path or "the JSON")

    def _at(self, key: str) -> str:
        return f"{self.path}.{key}" if self.path else key

    def __contains__(self, key: str) -> bool:
        return key in self.value

    def member(self, key: str) -> Entry:
        """The object called `key`; empty where it is missing."""
        return Entry(self.value.get(key, {}), self._at(key))

    def values(self, key: str) -> list[Any]:
        """The list called `key`; empty where it is missing."""
        values = self.value.get(key, [])
        if not isinstance(values, list):
            raise self.bad(f"found {_short(values)}; expected a list", key)
        return values

    def count(self, key: str) -> int:
        """Length of the list called `key`."""
        return len(self.values(key))

    def objects(self, key: str) -> list[Entry]:
        """The objects of the list called `key`."""
        return [Entry(value, f"{self._at(key)}[{at}]") for at, value in enumerate(self.values(key))]

    def item(self, key: str, index: int) -> Entry:
        """Object `index` of the list called `key`; `index` has been checked."""
        return Entry(self.values(key)[index], f"{self._at(key)}[{index}]")

    def text(self, key: str, default: str = "") -> str:
        """The text called `key`."""
        value = self.value.get(key, default)
        if not isinstance(value, str):
            raise self.bad(f"found {_short(value)}; expected text", key)
        return value

    def integer(self, key: str, *, low: int = 0, high: int, default: int | None = None) -> int:
        """The whole number called `key`, from `low` to `high`."""
        value = self.value.get(key, default)
        if value is None:
            raise self.bad("the member is missing; expected a whole number", key)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise self.bad(f"found {_short(value)}; expected a whole number from {low} to {high}", key)
        return value

    def index(self, key: str, count: int, what: str) -> int:
        """The index called `key` into a list of `count` things."""
        return self._checked_index(self.value.get(key), key, count, what)

    def indices(self, key: str, count: int, what: str) -> list[int]:
        """The indices of the list called `key`."""
        return [self._checked_index(value, f"{key}[{at}]", count, what) for at, value in enumerate(self.values(key))]

    def _checked_index(self, value: Any, key: str, count: int, what: str) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < count:
            raise self.bad(f"found {_short(value)}; expected the index of one of {count} {what}", key)
        return value

    def numbers(self, key: str, default: Sequence[float]) -> Array:
        """The numbers called `key`, as many as `default` has, each finite and of believable size."""
        values = self.value.get(key, default)
        fits = isinstance(values, list | tuple) and len(values) == len(default)
        if not fits or not all(isinstance(v, int | float) and not isinstance(v, bool) for v in values):
            raise self.bad(f"found {_short(values)}; expected {len(default)} numbers", key)
        if not all(abs(value) <= LARGEST for value in values):
            raise self.bad(f"found {_short(values)}; expected finite numbers of at most {LARGEST:g} in size", key)
        return np.array(values, dtype=np.float64)
