"""A group in a session: its bodies are driven by the program, and feel what hits them from outside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.runtime.actor import Actor
from poise.runtime.frame import Event
from poise.runtime.group.group import Group
from poise.runtime.session import Session
from poise.signals import Mode

__all__ = ["GroupStage"]

Array = NDArray[np.float64]

_SPREAD = 0.05
"""Over what time the impulse of a hit is handed on [s]: flesh gives way."""


class GroupStage:
    """Moves all characters and things of a group; one stage for all of them.

    Inside the group contacts are the program's own. What others do to it, such as a ball that hits, comes back as a force.

    Args:
        make: Makes the group at its start, always the same.
    """

    def __init__(self, make: Callable[[], Group]) -> None:
        self.group = make()

    def begin(self, session: Session, actor: Actor) -> None:
        """See `Stage.begin`."""
        self._session, group = session, self.group
        self._actors = {name: session.actors[list(session.characters).index(name)] for name in group.people}
        world, model = session.world, session.world.model
        self._columns: list[tuple[slice, slice]] = []
        links = [f"{thing.name}/{link.name}" for thing in group.things for link in thing.links]
        for name in links:
            here, there = model.joint(name).qposadr[0], group.system.model.joint(name).qposadr[0]
            width = len(model.joint(name).qpos0)
            self._columns.append((slice(here, here + width), slice(there, there + width)))
        if links:
            world.cut.set(links, Mode.MOTION)
        for one in self._actors.values():
            # What comes out is the group's motion throughout, not the clip's, which only stands.
            one.released[:] = True
        self._before = self._after = self._row()
        self._reached = 0.0
        self._pushed: list[tuple[float, str, Array, Array]] = []

    def _row(self) -> Array:
        """The group in the world's coordinates, shape (nq,)."""
        row: Array = np.array(self._session.drive.positions[0])
        for name, actor in self._actors.items():
            row[actor.layout.positions] = self.group.system.row(name)
        for here, there in self._columns:
            row[here] = self.group.system.data.qpos[there]
        return row

    def act(self, begin: float) -> tuple[Event, ...]:
        """See `Stage.act`."""
        session, group = self._session, self.group
        events: list[Event] = []
        self._feel(begin)
        drive = session.drive.positions
        for number, time in enumerate(begin + session.substep_times):
            while group.controller.time < time - 1e-9:
                self._push()
                _, told = group.advance()
                events += [Event(group.controller.time - group.controller.step, "phase", what) for what in told]
                self._before, self._after = self._after, self._near(self._row())
            share = 1.0 - (group.controller.time - time) / group.controller.step
            self._write(number, self._before + share * (self._after - self._before), drive)
        for actor in self._actors.values():
            actor.changed = True
            actor.source[:] = actor.rows[-1]
        return tuple(events)

    def _near(self, row: Array) -> Array:
        """The row with quaternions of the sign they had."""
        for actor in self._actors.values():
            turns = row[actor.layout.positions][3:].reshape(-1, 4)
            before = self._after[actor.layout.positions][3:].reshape(-1, 4)
            turns[(turns * before).sum(axis=1) < 0.0] *= -1.0
        for here, _ in self._columns:
            if here.stop - here.start == 7 and row[here][3:] @ self._after[here][3:] < 0.0:
                row[here][3:] *= -1.0
        return row

    def _write(self, number: int, row: Array, drive: Array) -> None:
        for actor in self._actors.values():
            mine = actor.rows[number]
            mine[:] = row[actor.layout.positions]
            turns = mine[3:].reshape(-1, 4)
            turns /= np.linalg.norm(turns, axis=1, keepdims=True)
        for here, _ in self._columns:
            drive[number, here] = row[here]
            if here.stop - here.start == 7:
                drive[number, here][3:] /= np.linalg.norm(row[here][3:])

    def _feel(self, begin: float) -> None:
        """Take note of what touched the group from outside during the last tick."""
        contacts, names = self._session.contacts, self._session.world.geom_names
        for pair, impulse, point, normal in zip(
            contacts.pairs, contacts.impulse, contacts.point, contacts.normal, strict=True
        ):
            for side, sign in ((0, -1.0), (1, 1.0)):
                body = "/".join(names[int(pair[side])].split("/")[:2])
                if body.split("/")[0] in self.group.people or any(
                    body.startswith(f"{t.name}/") for t in self.group.things
                ):
                    self._pushed.append((begin + _SPREAD, body, point, sign * impulse / _SPREAD * normal))
        self._pushed = [push for push in self._pushed if push[0] > begin + 1e-9]

    def _push(self) -> None:
        for _, body, point, force in self._pushed:
            self.group.controller.push(body, point, force)

    def save(self) -> Any:
        """See `Stage.save`."""
        return self.group.save(), self._before.copy(), self._after.copy(), list(self._pushed)

    def restore(self, saved: Any) -> None:
        """See `Stage.restore`."""
        group, self._before, self._after, self._pushed = saved[0], saved[1].copy(), saved[2].copy(), list(saved[3])
        self.group.restore(group)
