"""What a session remembers: the state, torques and contacts of every tick, of the last so many, or in files."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.characters.blend import Blends
from poise.characters.result import Outcome, result_clip
from poise.errors import InputError, unknown_name
from poise.motion.clip import Clip
from poise.runtime.columns import Columns, Shapes
from poise.runtime.timings import Timings
from poise.signals import Contacts, Event, State
from poise.world.contact_log import NO_CONTACTS

__all__ = ["ContactTable", "Recorder", "Recording", "RecordingOptions"]

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


@dataclass(frozen=True, kw_only=True)
class RecordingOptions:
    """How much is remembered, and where.

    Args:
        keep: How many seconds of the end are kept; None for everything.
        folder: An empty or new folder in whose files everything lies instead of in memory; None for in memory.

    Raises:
        InputError: `keep` is not positive, both are asked for, or there is something in the folder already.
    """

    keep: float | None = None
    folder: Path | None = None

    def __post_init__(self) -> None:
        if self.keep is not None and not self.keep > 0.0:
            raise InputError(f"the seconds to keep must be positive; got {self.keep!r}")
        if self.keep is not None and self.folder is not None:
            raise InputError("a recording keeps the last seconds in memory or everything in files, not both")
        if self.folder is not None and self.folder.exists() and any(self.folder.iterdir()):
            raise InputError("a recording needs an empty or new folder", source=self.folder)


@dataclass(frozen=True, eq=False)
class Recording:
    """A finished session, or the last part of one.

    Args:
        tick: Length of a tick [s].
        times: Time of each state [s], shape (N+1,); the first is the start.
        positions: Generalized positions, shape (N+1, nq); the characters' part holds the responsive skeletons.
        velocities: Generalized velocities, shape (N+1, nv).
        source: The input skeletons, where the clips say the characters are, in the world's columns, shape (N+1, nq).
        kinematic: The kinematic skeletons, where they were meant to be, shape (N+1, nq).
        grips: How far the hands of each character are closed and round what (`poise.body.fingers.close_hands`), shape
            (N+1, characters, 2, 2).
        output: The skeletons as they come out, between the kinematic and the responsive ones (`poise.characters.blend`), shape
            (N+1, nq); with no weight other than 1 the positions themselves.
        torques: Muscle torques at the end of each tick [N m], shape (N, nv).
        stiffness: Of each muscle during each tick [N m/rad], shape (N, muscles); 0 where it is not at work.
        modes: Who moved each joint during each tick (`poise.signals.Mode`), shape (N, joints).
        contacts: What touched.
        events: What happened, in time.
        timings: Time spent per tick and room [s], shape (N, rooms).
        geom_names: Name of each geom, for the contact pairs.
        outcomes: What is needed to write each character's motion, by name.
        first: Number of the first tick that is kept.
    """

    tick: float
    times: Array
    positions: Array
    velocities: Array
    source: Array
    kinematic: Array
    grips: Array
    output: Array
    torques: Array
    stiffness: Array
    modes: NDArray[np.int8]
    contacts: ContactTable
    events: tuple[Event, ...]
    timings: Array
    geom_names: tuple[str, ...]
    outcomes: Mapping[str, Outcome]
    first: int

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
        grips = self.grips[:, list(self.outcomes).index(character)]
        skeletons = (self.output, self.kinematic, self.source)
        return result_clip(self.outcomes[character], skeletons, grips, self.touched(character), self.first)

    def touched(self, character: str) -> NDArray[np.bool_]:
        """Which of a character's physical bodies something touched in each tick, shape (N, B)."""
        outcome = self.outcomes[character]
        names = outcome.character.plan.names
        found = np.zeros((len(self), len(names)), dtype=np.bool_)
        bodies = {f"{character}/{name}": body for body, name in enumerate(names)}
        body_of = np.array([bodies.get(name, -1) for name in self.geom_names], dtype=np.int64)
        for side in range(2):
            touching = body_of[self.contacts.pairs[:, side]]
            found[self.contacts.tick[touching >= 0], touching[touching >= 0]] = True
        return found & outcome.physical


_STATES = ("times", "positions", "velocities", "source", "kinematic", "grips")
_TICKS = ("torques", "stiffness", "modes", "timings")


class Recorder:
    """Collects ticks.

    Args:
        start: The state before the first tick.
        source: The input skeletons then, shape (nq,).
        muscles: How many there are.
        joints: How many there are.
        characters: How many there are.
        keep: How many of the last ticks are kept; None for all.
        folder: Where everything lies in files; None for in memory.
    """

    def __init__(
        self,
        start: State,
        source: Array,
        muscles: int,
        joints: int,
        characters: int,
        keep: int | None = None,
        folder: Path | None = None,
    ) -> None:
        self.count = 0
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
        positions, velocities = len(start.positions), len(start.velocities)
        states: Shapes = {"times": (None, float), "positions": (positions, float), "velocities": (velocities, float)}
        states = {**states, "source": (positions, float), "kinematic": (positions, float)}
        states = {**states, "grips": (4 * characters, float)}
        self._characters = characters
        ticks: Shapes = {"torques": (velocities, float), "stiffness": (muscles, float), "modes": (joints, np.int8)}
        ticks = {**ticks, "timings": (len(Timings._fields), float)}
        self._states = Columns(states, None if keep is None else keep + 1, folder)
        self._ticks = Columns(ticks, keep, folder)
        self._contacts: deque[tuple[int, Contacts]] = deque()
        self._events: deque[tuple[int, Event]] = deque()
        self.start(start, source, source, np.zeros(4 * characters))

    @property
    def nbytes(self) -> int:
        """What states and torques take in memory or on disk."""
        return self._states.nbytes + self._ticks.nbytes

    def start(self, state: State, source: Array, kinematic: Array, grips: Array) -> None:
        """Take the state before the next tick."""
        self._states.put(
            self.count,
            times=state.time,
            positions=state.positions,
            velocities=state.velocities,
            source=source,
            kinematic=kinematic,
            grips=grips,
        )

    def add(
        self,
        state: State,
        skeletons: tuple[Array, Array, Array],
        torques: Array,
        stiffness: Array,
        modes: NDArray[np.int64],
        contacts: Contacts,
    ) -> None:
        """Take the end of a tick; the arrays are copied. See `Recording` for what they are.

        Args:
            state: The world.
            skeletons: The input and the kinematic ones, shape (nq,) each, and the grips of all hands, shape (characters * 4,).
            torques: Of the muscles.
            stiffness: Of the muscles.
            modes: Of the joints.
            contacts: What touched.
        """
        self._ticks.put(self.count, torques=torques, stiffness=stiffness, modes=modes)
        if len(contacts.pairs):
            self._contacts.append((self.count, contacts))
        self.count += 1
        self.start(state, *skeletons)

    def note(self, timings: Timings, events: tuple[Event, ...]) -> None:
        """Take the last tick's timings, and the events told in it, which may have begun before."""
        self._ticks.put(self.count - 1, timings=timings)
        self._events.extend((self.count - 1, event) for event in events)
        first = self._ticks.first(self.count)
        if not first:
            return
        for kept in (self._contacts, self._events):
            while kept and kept[0][0] < first:
                kept.popleft()

    def rewind(self, count: int) -> None:
        """Forget the ticks from number `count` on; give the state before the next one by `start`."""
        self.count = min(self.count, count)
        self._contacts = deque(entry for entry in self._contacts if entry[0] < count)
        self._events = deque(entry for entry in self._events if entry[0] < count)

    def finish(
        self,
        tick: float,
        geom_names: tuple[str, ...],
        blends: Blends | None = None,
        outcomes: Mapping[str, Outcome] | None = None,
    ) -> Recording:
        """Everything that is kept; without weights, what comes out is physical."""
        first = self._ticks.first(self.count)
        rows: dict[str, Any] = {name: self._states.rows(name, first, self.count + 1) for name in _STATES}
        rows |= {name: self._ticks.rows(name, first, self.count) for name in _TICKS}
        rows["grips"] = rows["grips"].reshape(len(rows["grips"]), self._characters, 2, 2)
        output = blends.output(rows["positions"], rows["kinematic"], first) if blends else rows["positions"]
        events = tuple(sorted((event for _, event in self._events), key=lambda event: event.time))
        return Recording(
            tick=tick,
            contacts=self._table(first),
            events=events,
            geom_names=geom_names,
            output=output,
            outcomes=outcomes or {},
            first=first,
            **rows,
        )

    def _table(self, first: int) -> ContactTable:
        rows = self._contacts
        ticks = [np.full(len(c.pairs), row - first) for row, c in rows]
        gathered = [c for _, c in rows] or [NO_CONTACTS]
        columns = [np.concatenate(column) for column in zip(*gathered, strict=True)]
        return ContactTable((np.concatenate(ticks) if ticks else np.zeros(0)).astype(np.int64), *columns)
