"""Keeping and bringing back what a behavior remembers: one pair of functions for every `State` dataclass.

A field may hold an object that cannot be copied field by field, such as one that works on MuJoCo's own memory. It is a
`Keeper`: it gives a keepsake and takes it back.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Protocol, TypeVar, runtime_checkable

import numpy as np

__all__ = ["Keeper", "restore_state", "saved_state"]

T = TypeVar("T")


@runtime_checkable
class Keeper(Protocol):
    """Keeps what it remembers by itself."""

    def keepsake(self) -> Any:
        """Everything remembered; a copy."""
        ...

    def take_back(self, saved: Any) -> None:
        """Go back to what `keepsake` gave, which stays as it is."""
        ...


@dataclass(frozen=True)
class _Kept:
    """Stands for a `Keeper` in a saved state."""

    keepsake: Any


def saved_state(state: T) -> T:
    """A copy of a state that goes its own way."""
    memo: dict[int, Any] = dict(_keepers(state))
    return copy.deepcopy(state, memo)


def _keepers(value: Any) -> dict[int, _Kept]:
    """Keepsakes of all keepers in a list or dataclass, by their identity."""
    if isinstance(value, Keeper):
        return {id(value): _Kept(value.keepsake())}
    parts = value if isinstance(value, list) else []
    if _opens(value):
        parts = [getattr(value, each.name) for each in fields(value)]
    return {key: kept for part in parts for key, kept in _keepers(part).items()}


def restore_state(state: Any, saved: Any) -> None:
    """Bring a state (a dataclass that is not frozen) back to what `saved_state` gave.

    Arrays are written in place where their shape is the same, and dataclasses and lists of them are gone into, since compiled
    passes hold on to them; everything else is replaced by a copy. `saved` stays as it is.

    Raises:
        TypeError: The two are of different kinds.
    """
    if type(state) is not type(saved) or not is_dataclass(state):
        raise TypeError(f"cannot restore a {type(state).__name__} from a {type(saved).__name__}")
    for each in fields(state):
        now, then = getattr(state, each.name), getattr(saved, each.name)
        if not _in_place(now, then):
            setattr(state, each.name, copy.deepcopy(then))


def _in_place(now: Any, then: Any) -> bool:
    """Write `then` into `now` where that can be done."""
    if isinstance(then, _Kept):
        now.take_back(then.keepsake)
        return True
    if isinstance(now, np.ndarray) and isinstance(then, np.ndarray):
        if now.shape != then.shape or now.dtype != then.dtype:
            return False
        now[...] = then
        return True
    if _opens(now) and type(now) is type(then):
        restore_state(now, then)
        return True
    if isinstance(now, list) and isinstance(then, list) and len(now) == len(then):
        for index, (own, other) in enumerate(zip(now, then, strict=True)):
            if not _in_place(own, other):
                now[index] = copy.deepcopy(other)
        return True
    return False


def _opens(value: Any) -> bool:
    return is_dataclass(value) and not isinstance(value, type) and not value.__dataclass_params__.frozen  # type: ignore[attr-defined]
