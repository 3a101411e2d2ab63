"""What a session remembers: the state, torques and contacts of every tick, in growing arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.errors import unknown_name
from poise.motion.clip import Clip
from poise.runtime.blend import Blends
from poise.runtime.result import Outcome, result_clip
from poise.runtime.timings import Timings
from poise.signals import Contacts, Event, State

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
        positions: Generalized positions, shape (N+1, nq); the characters' part holds the responsive skeletons.
        velocities: Generalized velocities, shape (N+1, nv).
        source: The input skeletons, where the clips say the characters are, in the world's columns, shape (N+1, nq).
        kinematic: The kinematic skeletons, where they were meant to be, shape (N+1, nq).
        output: The skeletons as they come out, between the kinematic and the responsive ones (`poise.runtime.blend`), shape
            (N+1, nq); with no weight other than 1 the positions themselves.
        torques: Muscle torques at the end of each tick [N m], shape (N, nv).
        stiffness: Of each muscle during each tick [N m/rad], shape (N, muscles); 0 where it is not at work.
        modes: Who moved each joint during each tick (`poise.signals.Mode`), shape (N, joints).
        contacts: What touched.
        events: What happened, in time.
        timings: Time spent per tick and room [s], shape (N, rooms).
        geom_names: Name of each geom, for the contact pairs.
        outcomes: What is needed to write each character's motion, by name.
    """

    tick: float
    times: Array
    positions: Array
    velocities: Array
    source: Array
    kinematic: Array
    output: Array
    torques: Array
    stiffness: Array
    modes: NDArray[np.int8]
    contacts: ContactTable
    events: tuple[Event, ...]
    timings: Array
    geom_names: tuple[str, ...]
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.torques)

    def __repr__(self) -> str:
        who = ", ".join(self.outcomes) or "nobody"
        return f"<Recording of {who}: {len(self)} ticks, {self.tick * len(self):.2f} s, {len(self.events)} events>"

    def clip(self, character: str) -> Clip:
        """A character's motion as it came out, on its own skeleton and at its own rate; see `Session.result`.

        Raises:
            InputError: There is no such character.
        """
        if character not in self.outcomes:
            raise unknown_name("character", character, self.outcomes)
        return result_clip(self.outcomes[character], self.output, self.kinematic, self.source)


_STATES = ("times", "positions", "velocities", "source", "kinematic")
_TICKS = ("torques", "stiffness", "modes", "timings")


class Recorder:
    """Collects ticks; arrays double when full.

    Args:
        start: The state before the first tick.
        source: The input skeletons then, shape (nq,).
        muscles: How many there are.
        joints: How many there are.
        capacity: Ticks to make room for at first.
    """

    def __init__(self, start: State, source: Array, muscles: int, joints: int, capacity: int = 256) -> None:
        self.capacity, self.count = capacity, 0
        self._contacts: list[tuple[int, Contacts]] = []
        self._events: list[tuple[int, Event]] = []
        widths = {"positions": len(start.positions), "velocities": len(start.velocities)}
        widths |= {"source": len(source), "kinematic": len(source)}
        self._columns: dict[str, NDArray[Any]] = {name: np.zeros((capacity + 1, widths[name])) for name in _STATES[1:]}
        self._columns["times"] = np.zeros(capacity + 1)
        self._columns["torques"] = np.zeros((capacity, len(start.velocities)))
        self._columns["stiffness"] = np.zeros((capacity, muscles))
        self._columns["modes"] = np.zeros((capacity, joints), dtype=np.int8)
        self._columns["timings"] = np.zeros((capacity, len(Timings._fields)))
        self._put(0, (start.time, start.positions, start.velocities, source, source))

    def _put(self, row: int, state: tuple[float | Array, ...]) -> None:
        for name, value in zip(_STATES, state, strict=True):
            self._columns[name][row] = value

    def add(
        self,
        state: State,
        source: Array,
        kinematic: Array,
        torques: Array,
        stiffness: Array,
        modes: NDArray[np.int64],
        contacts: Contacts,
    ) -> None:
        """Take the end of a tick; the arrays are copied. See `Recording` for what they are."""
        if self.count == self.capacity:
            self._grow()
        row = self.count
        self._put(row + 1, (state.time, state.positions, state.velocities, source, kinematic))
        self._columns["torques"][row] = torques
        self._columns["stiffness"][row] = stiffness
        self._columns["modes"][row] = modes
        if len(contacts.pairs):
            self._contacts.append((row, contacts))
        self.count = row + 1

    def note(self, timings: Timings, events: tuple[Event, ...]) -> None:
        """Take the last tick's timings, and the events told in it, which may have begun before."""
        self._columns["timings"][self.count - 1] = timings
        self._events.extend((self.count - 1, event) for event in events)

    def rewind(self, count: int) -> None:
        """Forget the ticks from number `count` on."""
        if count >= self.count:
            return
        self.count = count
        self._contacts = [entry for entry in self._contacts if entry[0] < count]
        self._events = [entry for entry in self._events if entry[0] < count]

    def _grow(self) -> None:
        self.capacity *= 2
        for name, old in self._columns.items():
            grown = np.zeros((self.capacity + (name in _STATES), *old.shape[1:]), dtype=old.dtype)
            grown[: len(old)] = old
            self._columns[name] = grown

    def finish(
        self,
        tick: float,
        geom_names: tuple[str, ...],
        blends: Blends | None = None,
        outcomes: Mapping[str, Outcome] | None = None,
    ) -> Recording:
        """Everything so far; without weights, what comes out is physical."""
        rows: dict[str, Any] = {name: self._columns[name][: self.count + 1].copy() for name in _STATES}
        rows |= {name: self._columns[name][: self.count].copy() for name in _TICKS}
        output = blends.output(rows["positions"], rows["kinematic"]) if blends else rows["positions"]
        events = tuple(sorted((event for _, event in self._events), key=lambda event: event.time))
        return Recording(
            tick=tick,
            contacts=self._table(),
            events=events,
            geom_names=geom_names,
            output=output,
            outcomes=outcomes or {},
            **rows,
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
