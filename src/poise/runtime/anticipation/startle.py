"""What is hit unawares gives way for a moment, and comes back (Alvarado 2022, section 5.4)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import body_frames
from poise.math import quat
from poise.math.easing import minimum_jerk
from poise.runtime.actor import Actor
from poise.runtime.frame import Event
from poise.runtime.session import Session
from poise.signals import Mode, Surroundings

__all__ = ["Startle"]

Array = NDArray[np.float64]

_LEAST = 0.3
"""Momentum that nothing gives way to [kg m/s]."""
_TICKS = 2.0
"""A hit is caught this many ticks before it happens: the part has to be physical by then."""
_YIELDS, _RETURNS = 1.2, 0.4
"""How long the part is physical, and over what time it is taken back to its motion [s]."""


class Startle:
    """Makes neck and head physical around a hit: the nearest anchor that is admissible for them.

    Args:
        session: The session.
        actor: Whose head it is.
        obstacles: What may hit it.
    """

    def __init__(self, session: Session, actor: Actor, obstacles: Surroundings) -> None:
        self._session, self._actor, self._obstacles = session, actor, obstacles
        plan = actor.character.plan
        roots = plan.with_role("neck") or plan.with_role("head")
        self._bodies = np.array([b for b in plan.subtree(roots[0]) if b] if roots else [], dtype=np.int64)
        head = plan.with_role("head")
        self._head = head[0] if head else -1
        shape = plan.colliders[self._head][0] if head and plan.colliders[self._head] else None
        self._centre = np.zeros(3) if shape is None else shape.position
        self._radius = 0.0 if shape is None else float(shape.size.max())
        self._since, self._taken = -np.inf, False
        self._rest = np.tile(quat.IDENTITY, (len(self._bodies), 1))
        """How far the part was from its motion when it was taken back, shape (n, 4)."""
        self._back = -np.inf

    def act(self, begin: float, minded: NDArray[np.bool_]) -> tuple[Event, ...]:
        """Release the part when something is about to hit it; take it back when it is over."""
        if not len(self._bodies) or not (self._taken or (self._actor.modes[self._bodies] == Mode.MOTION).all()):
            return ()
        events: tuple[Event, ...] = ()
        what = self._coming()
        if what >= 0:
            if not self._taken:
                events = (Event(begin, "startled", f"{self._actor.layout.name}/head {self._obstacles.names[what]}"),)
                self._assign(Mode.TORQUE)
                self._taken = True
            self._since = begin
        elif self._taken and begin - self._since > _YIELDS:
            self._take_back(begin)
        self._ease(begin)
        return events

    def _coming(self) -> int:
        """The obstacle that is about to hit the head hard, -1 for none."""
        frames = body_frames(self._actor.character.plan, self._session.world.data.qpos[self._actor.layout.positions])
        centre = frames.positions[0, self._head] + quat.rotate(frames.rotations[0, self._head], self._centre)
        nearest = self._obstacles.nearest(centre[None], np.array([self._radius + 1.0]))
        away = nearest.point[0] - centre
        with np.errstate(invalid="ignore"):
            ways = np.maximum(np.linalg.norm(away, axis=-1), 1e-9)
            closing = -np.einsum("pi,pi->p", nearest.velocity[0], away) / ways
            gap = nearest.distance[0] - self._radius
            hard = closing * np.minimum(self._obstacles.masses, 100.0) > _LEAST
            soon = gap < _TICKS * self._session.clock.tick * np.maximum(closing, 0.0)
        hits = np.flatnonzero(np.isfinite(nearest.distance[0]) & hard & soon)
        return int(hits[0]) if len(hits) else -1

    def _assign(self, mode: Mode) -> None:
        modes = self._actor.modes.copy()
        modes[self._bodies] = int(mode)
        self._session.assign_modes(self._actor, modes)

    def _take_back(self, begin: float) -> None:
        """The part follows its motion again, from where it is."""
        own = self._session.world.data.qpos[self._actor.layout.positions]
        real, meant = self._turns(own), self._turns(self._actor.before)
        self._rest = quat.mul(quat.conj(meant), real)
        self._back, self._taken = begin, False
        self._assign(Mode.MOTION)

    def _ease(self, begin: float) -> None:
        """What is left between the part and its motion shrinks to nothing."""
        tick, rows = self._session.clock.tick, self._actor.rows
        if self._taken or begin - self._back >= _RETURNS:
            return
        times = begin - self._back + tick * np.arange(1, len(rows) + 1) / len(rows)
        left = 1.0 - minimum_jerk(times / _RETURNS)
        rest = quat.exp(left[:, None, None] * quat.log(self._rest))
        for number, body in enumerate(self._bodies):
            at = slice(3 + 4 * body, 7 + 4 * body)
            rows[:, at] = quat.mul(rows[:, at], rest[:, number])
        self._actor.changed = True

    def _turns(self, row: Array) -> Array:
        return np.asarray(row[7:].reshape(-1, 4)[self._bodies - 1])

    def save(self) -> Any:
        """See `Stage.save`."""
        return self._since, self._taken, self._rest.copy(), self._back

    def restore(self, saved: Any) -> None:
        """See `Stage.restore`."""
        self._since, self._taken, rest, self._back = saved
        self._rest = rest.copy()
