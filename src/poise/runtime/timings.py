"""Time spent in each room during a tick."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Timings"]


class Timings(NamedTuple):
    """Time spent in each room during a tick [s]."""

    motion: float
    behaviors: float
    split: float
    control: float
    world: float
    record: float

    @property
    def total(self) -> float:
        """Of the whole tick [s]."""
        return sum(self)
