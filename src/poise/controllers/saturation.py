"""When muscles are at their limit, told once at the beginning and once at the end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.body.plan import BodyPlan
from poise.signals import Event

__all__ = ["Saturation", "SaturationState"]

Array = NDArray[np.float64]

_LASTS, _FREE = 0.05, 0.25
"""A muscle is told to be at its limit after it was so for this long on end, and to be free after this long below it [s]."""


@dataclass
class SaturationState:
    """What is remembered of each joint below the pelvis: since when at its limit, since when free, whether told; (B-1,).

    `idle` tells that there is nothing to look after.
    """

    since: Array
    free: Array
    reported: NDArray[np.bool_]
    idle: bool


class Saturation:
    """Tells "saturated" and "eased" of one character's muscles; both with the time at which it really began or ended.

    Args:
        name: The character.
        plan: Its body.
        flags: What is watched, such as whether its muscles are at their limit, shape (B-1,).
        kinds: What the beginning and the end are called.
    """

    def __init__(
        self, name: str, plan: BodyPlan, flags: NDArray[np.bool_], kinds: tuple[str, str] = ("saturated", "eased")
    ) -> None:
        self._name, self._plan, self._flags, self._kinds, count = name, plan, flags, kinds, len(plan) - 1
        self.state = SaturationState(np.full(count, np.inf), np.full(count, np.inf), np.zeros(count, dtype=bool), True)

    def notice(self, time: float) -> tuple[Event, ...]:
        """What is to be told at the end of a tick, at `time` [s]."""
        now = self._flags
        if self.state.idle and not np.count_nonzero(now):
            return ()
        state = self.state
        since, free, reported = state.since, state.free, state.reported
        since = np.where(now | reported, np.minimum(since, time), np.inf)
        free = np.where(now, np.inf, np.minimum(free, time))
        new = now & ~reported & (time - since >= _LASTS - 1e-9)
        over = reported & (time - free >= _FREE - 1e-9)
        events = self._events(self._kinds[0], new, since) + self._events(self._kinds[1], over, free)
        state.since[:], state.free[:], state.reported[:] = np.where(over, np.inf, since), free, (reported | new) & ~over
        state.idle = not np.isfinite(state.since).any()
        return events

    def _events(self, kind: str, which: NDArray[np.bool_], times: Array) -> tuple[Event, ...]:
        owner, names = self._name, self._plan.names
        return tuple(Event(float(times[j]), kind, f"{owner}/{names[j + 1]}") for j in np.flatnonzero(which))
