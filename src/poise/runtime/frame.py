"""What one tick produced."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from poise.signals import Contacts, State

__all__ = ["Event", "Frame", "Timings"]


class Timings(NamedTuple):
    """Time spent in each room during a tick [s]."""

    motion: float
    split: float
    control: float
    world: float
    record: float

    @property
    def total(self) -> float:
        """Of the whole tick [s]."""
        return sum(self)


class Event(NamedTuple):
    """Something worth telling: when [s], what kind, and about whom."""

    time: float
    kind: str
    subject: str


@dataclass(frozen=True, eq=False)
class Frame:
    """The end of a tick.

    Args:
        tick: Number of the tick, from 0.
        state: The world.
        contacts: What touched during the tick.
        events: What happened in it.
        timings: Time spent per room.
    """

    tick: int
    state: State
    contacts: Contacts
    events: tuple[Event, ...]
    timings: Timings
