"""Events that last: what is told at its beginning and at its end is one thing to a reader."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from poise.signals import Event

__all__ = ["EventInterval", "event_intervals"]

_ENDS = {"eased": "saturated", "loosened": "stiffened", "waded": "wades"}
"""Kinds that end another."""


class EventInterval(NamedTuple):
    """An event, and when it ended [s]; None where it has no end, or none in the run."""

    event: Event
    end: float | None


def event_intervals(events: Iterable[Event]) -> list[EventInterval]:
    """Events in time, each with its end taken in."""
    found: list[EventInterval] = []
    for event in events:
        begun = _ENDS.get(event.kind)
        open_ = (
            row
            for row, (other, end) in enumerate(found)
            if other.kind == begun and other.subject == event.subject and end is None
        )
        row = next(open_, None)
        if row is None:
            found.append(EventInterval(event, None))
        else:
            found[row] = EventInterval(found[row].event, event.time)
    return found
