"""When muscles are at their limit, told once at the beginning and once at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.runtime.frame import Event

if TYPE_CHECKING:
    from poise.runtime.actor import Actor

__all__ = ["Saturation", "SaturationState"]

Array = NDArray[np.float64]

_LASTS, _FREE = 0.05, 0.25
"""A muscle is told to be at its limit after it was so for this long on end, and to be free after this long below it [s]."""


class SaturationState(NamedTuple):
    """What is remembered of each joint below the pelvis: since when at its limit, since when free, whether told; (B-1,)."""

    since: Array
    free: Array
    told: NDArray[np.bool_]


class Saturation:
    """Tells "saturated" and "eased" of one character's muscles; both with the time at which it really began or ended.

    Args:
        actor: Whose muscles.
    """

    def __init__(self, actor: Actor) -> None:
        self._actor, count = actor, len(actor.character.plan) - 1
        self._state = SaturationState(np.full(count, np.inf), np.full(count, np.inf), np.zeros(count, dtype=bool))
        self._idle = True

    def notice(self, time: float) -> tuple[Event, ...]:
        """What is to be told at the end of a tick, at `time` [s]."""
        now = self._actor.muscles.saturated
        if self._idle and not np.count_nonzero(now):
            return ()
        since, free, told = self._state
        since = np.where(now | told, np.minimum(since, time), np.inf)
        free = np.where(now, np.inf, np.minimum(free, time))
        new = now & ~told & (time - since >= _LASTS - 1e-9)
        over = told & (time - free >= _FREE - 1e-9)
        events = self._events("saturated", new, since) + self._events("eased", over, free)
        self._state = SaturationState(np.where(over, np.inf, since), free, (told | new) & ~over)
        self._idle = not np.isfinite(self._state.since).any()
        return events

    def _events(self, kind: str, which: NDArray[np.bool_], times: Array) -> tuple[Event, ...]:
        owner, names = self._actor.layout.name, self._actor.character.plan.names
        return tuple(Event(float(times[j]), kind, f"{owner}/{names[j + 1]}") for j in np.flatnonzero(which))

    def save(self) -> SaturationState:
        """What is remembered."""
        return self._state

    def restore(self, saved: SaturationState) -> None:
        """Go back to what was remembered."""
        self._state, self._idle = saved, not np.isfinite(saved.since).any()
