"""What a session remembers: the state, torques and contacts of every tick, in growing arrays."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.runtime.frame import Event, Timings
from poise.signals import Contacts

__all__ = ["ContactTable", "Recorder", "Recording"]

Array = NDArray[np.float64]


class ContactTable(NamedTuple):
    """All contacts of a recording, one row per tick and pair of geoms; see `poise.signals.Contacts` for the columns."""

    tick: NDArray[np.int64]
    pairs: NDArray[np.int64]
    impulse: Array
    peak: Array
    start: Array
    point: Array
    normal: Array


@dataclass(frozen=True, eq=False)
class Recording:
    """A finished session.

    Args:
        tick: Length of a tick [s].
        times: Time of each state [s], shape (N+1,); the first is the start.
        positions: Generalized positions, shape (N+1, nq).
        velocities: Generalized velocities, shape (N+1, nv).
        torques: Muscle torques at the end of each tick [N m], shape (N, nv).
        contacts: What touched.
        events: What happened.
        timings: Time spent per tick and room [s], shape (N, rooms).
        geom_names: Name of each geom, for the contact pairs.
    """

    tick: float
    times: Array
    positions: Array
    velocities: Array
    torques: Array
    contacts: ContactTable
    events: tuple[Event, ...]
    timings: Array
    geom_names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.torques)


@dataclass(eq=False)
class Recorder:
    """Collects ticks; arrays double when full."""

    position_count: int
    velocity_count: int
    capacity: int = 256
    count: int = 0
    _contacts: list[tuple[int, Contacts]] = field(default_factory=list)
    _events: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._times = np.zeros(self.capacity + 1)
        self._positions = np.zeros((self.capacity + 1, self.position_count))
        self._velocities = np.zeros((self.capacity + 1, self.velocity_count))
        self._torques = np.zeros((self.capacity, self.velocity_count))
        self._timings = np.zeros((self.capacity, len(Timings._fields)))

    def start(self, time: float, positions: Array, velocities: Array) -> None:
        """Take the state before the first tick."""
        self._times[0], self._positions[0], self._velocities[0] = time, positions, velocities

    def add(self, time: float, positions: Array, velocities: Array, torques: Array, contacts: Contacts) -> None:
        """Take the end of a tick; the arrays are copied."""
        if self.count == self.capacity:
            self._grow()
        row = self.count
        self._times[row + 1] = time
        self._positions[row + 1] = positions
        self._velocities[row + 1] = velocities
        self._torques[row] = torques
        if len(contacts.pairs):
            self._contacts.append((row, contacts))
        self.count = row + 1

    def note(self, timings: Timings, events: tuple[Event, ...]) -> None:
        """Take the last tick's timings and events."""
        self._timings[self.count - 1] = timings
        self._events.extend(events)

    def state(self, row: int) -> tuple[Array, float]:
        """Generalized positions and time [s] after `row` ticks; a view that later ticks do not change."""
        return self._positions[row], float(self._times[row])

    def rewind(self, count: int) -> None:
        """Forget the ticks from number `count` on."""
        if count >= self.count:
            return
        self.count = count
        self._contacts = [entry for entry in self._contacts if entry[0] < count]
        self._events = [event for event in self._events if event.time <= self._times[count] + 1e-9]

    def _grow(self) -> None:
        self.capacity *= 2
        for name in ("_times", "_positions", "_velocities", "_torques", "_timings"):
            old = getattr(self, name)
            extra = np.zeros((self.capacity + (name in ("_times", "_positions", "_velocities")), *old.shape[1:]))
            extra[: len(old)] = old
            setattr(self, name, extra)

    def finish(self, tick: float, geom_names: tuple[str, ...]) -> Recording:
        """Everything so far."""
        n = self.count
        return Recording(
            tick=tick,
            times=self._times[: n + 1].copy(),
            positions=self._positions[: n + 1].copy(),
            velocities=self._velocities[: n + 1].copy(),
            torques=self._torques[:n].copy(),
            contacts=self._table(),
            events=tuple(self._events),
            timings=self._timings[:n].copy(),
            geom_names=geom_names,
        )

    def _table(self) -> ContactTable:
        rows = self._contacts
        ticks = np.concatenate([np.full(len(c.pairs), row) for row, c in rows]) if rows else np.zeros(0, np.int64)
        empty = Contacts(
            np.zeros((0, 2), np.int64), np.zeros(0), np.zeros(0), np.zeros(0), np.zeros((0, 3)), np.zeros((0, 3))
        )
        columns = (
            [np.concatenate(column) for column in zip(*(c for _, c in rows), strict=True)] if rows else list(empty)
        )
        return ContactTable(ticks.astype(np.int64), *columns)
