"""Plays that several rows read are played once, and kept as long as those rows are measured."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from inspect import signature
from typing import Any, ParamSpec, TypeVar

__all__ = ["forget", "once"]

P = ParamSpec("P")
T = TypeVar("T")

_KEPT: list[dict[Hashable, Any]] = []


def once(play: Callable[P, T]) -> Callable[P, T]:
    """A play that is not repeated when it is asked for again until `forget`.

    Unlike with `functools.cache` it is the same play whether an argument is given by its place, by its name, or left at its
    default: rows credit different methods and say the same run in different words.

    Args:
        play: What plays; the same arguments have to mean the same bits.
    """
    kept: dict[Hashable, T] = {}
    _KEPT.append(kept)
    told = signature(play)

    @wraps(play)
    def played(*args: P.args, **kwargs: P.kwargs) -> T:
        bound = told.bind(*args, **kwargs)
        bound.apply_defaults()
        key = (bound.args, tuple(sorted(bound.kwargs.items())))
        if key not in kept:
            kept[key] = play(*args, **kwargs)
        return kept[key]

    return played


def forget() -> None:
    """Let go of all plays: what is measured next is measured on others."""
    for kept in _KEPT:
        kept.clear()
