"""One part of a body that gives way: physical around a hit, and led back onto its motion."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from math import exp
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.runtime.actor import Actor
from poise.runtime.anticipation.startle import _kernels
from poise.runtime.session import Session
from poise.signals import Mode

__all__ = ["ContactCompliance", "Phase", "YieldingState"]

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

_LIMP, _SLACKENS, _TENSES = 0.25, 0.05, 0.5
"""How long it stays so after a hit, how fast it gets so, and how fast tension comes back [s]."""
_LEAST, _MOST = 0.4, 1.2
"""A part that followed its motion is physical for at least and at most this long after a hit [s]."""
_RETURNS = 0.4
"""Over what time it is taken back, no more than the least [s]."""
_NEAR, _SLOW = 0.01, 0.15
"""What is this near to its motion [rad] and moves this little against it [rad/s] is taken back."""
_CARRIED = 0.6
"""Share of the contact's torque that muscles carry. All of it would build up without end against what cannot give way."""
_FELT, _FORGOTTEN = 0.15, 0.04
"""How long it takes them to, and to let go of it [s]: they brace against what leans on them, not against a blow."""


class Phase(Enum):
    """What a part is about."""

    RESTS = "rests"
    YIELDS = "yields"
    RETURNS = "returns"


class YieldingState(NamedTuple):
    """What a part remembers from tick to tick.

    Args:
        phase: What it is about.
        freed: Bodies that follow their motion otherwise, shape (n,).
        soft: Bodies whose tension is softened: from the anchor to what was hit, shape (m,).
        body: Which body of the part was hit, its uppermost one where it was none, to tell of it.
        since: When it was hit last [s].
        back: When its return began last [s].
        slack: How softened they are, 0 to 1.
        slackest: How softened they get.
        load: Torque of contacts that muscles carry, in body frames [N m], shape (B, 3).
        away: How far each freed body's joint was from its motion when its return began [rad], shape (n, 3).
        speed: How fast that changed [rad/s], shape (n, 3).
    """

    phase: Phase
    freed: Indices
    soft: Indices
    body: int
    since: float
    back: float
    slack: float
    slackest: float
    load: Array
    away: Array
    speed: Array

    def copy(self) -> YieldingState:
        """The same, for keeps: torques change in place."""
        return self._replace(load=self.load.copy())


class ContactCompliance:
    """A part of a body, from an anchor down.

    Args:
        session: The session.
        actor: Whose part it is.
        bodies: Which they are, from its anchor down.
        softest: Its tension when it is hit unawares [Hz].
        arm: Whether it belongs to an arm, whose tension is softened even where it is physical anyway.
    """

    def __init__(self, session: Session, actor: Actor, bodies: Sequence[int], softest: float, *, arm: bool) -> None:
        self._session, self._actor, self._softest, self._arm = session, actor, softest, arm
        self._bodies = np.array(bodies, dtype=np.int64)
        self.rest()

    def rest(self) -> None:
        """Forget everything."""
        none, nothing = np.zeros(0, dtype=np.int64), np.zeros((0, 3))
        load = np.zeros((len(self._actor.modes), 3))
        self.state = YieldingState(Phase.RESTS, none, none, -1, -np.inf, -np.inf, 0.0, 1.0, load, nothing, nothing)

    def hit(self, begin: float, body: int, taken: NDArray[np.bool_], slackest: float) -> bool:
        """Give way, or go on giving way.

        Args:
            begin: When [s].
            body: Where.
            taken: Bodies that other parts have, shape (B,).
            slackest: How softened the part gets.

        Returns:
            Whether it did not give way before.
        """
        state, plan = self.state, self._actor.character.plan
        reached = np.array([b for b in self._bodies if not taken[b] and body in plan.subtree(b)], dtype=np.int64)
        soft = np.union1d(state.soft, reached)
        if state.phase is Phase.YIELDS:
            self.state = state._replace(soft=soft, since=begin, slackest=max(slackest, state.slackest))
            return False
        freed = state.freed
        if state.phase is Phase.RESTS:
            own = self._bodies[~taken[self._bodies]]
            freed = own[self._actor.modes[own] == Mode.MOTION]
            if not len(freed) and not (self._actor.modes[own] == Mode.TORQUE).any():
                return False
        slack = slackest if len(freed) else 0.0
        body = body if body in soft or body in freed else int(self._bodies[0])
        self.state = state._replace(
            phase=Phase.YIELDS, freed=freed, soft=soft, body=body, since=begin, slack=slack, slackest=slackest
        )
        self._assign(Mode.TORQUE)
        return True

    @property
    def held(self) -> Indices:
        """Bodies that no other part may take now."""
        return np.union1d(self.state.freed, self.state.soft)

    def hurry(self) -> None:
        """Come back now."""
        self.state = self.state._replace(since=-np.inf)

    def act(self, begin: float, torques: Array) -> bool:
        """Soften, carry and come back.

        Args:
            begin: When [s].
            torques: Of the last tick's contacts about the joints, in their frames [N m], shape (B, 3).

        Returns:
            Whether it has just come back.
        """
        if self.state.phase is Phase.YIELDS:
            self._soften(begin, torques)
            if not len(self.state.freed):
                return begin - self.state.since > _LIMP and self.state.slack == 0.0
            if self._settled(begin):
                self._take_back(begin)
        if begin - self.state.back < _RETURNS:
            self._lead(begin)
        return self.state.phase is Phase.RETURNS and begin + self._session.clock.tick - self.state.back >= _RETURNS

    def _soften(self, begin: float, torques: Array) -> None:
        state, actor, tick = self.state, self._actor, self._session.clock.tick
        limp = begin - state.since <= _LIMP
        step = tick / (_SLACKENS if limp else _TENSES)
        slack = state.slack + min(max((state.slackest if limp else 0.0) - state.slack, -step), step)
        _kernels.brace(
            torques,
            state.soft,
            1.0 + slack * (min(1.0, self._softest / actor.tension.frequency) - 1.0),
            slack,
            _CARRIED,
            1.0 - exp(-tick / _FELT),
            1.0 - exp(-tick / _FORGOTTEN),
            state.load,
            actor.stiffness,
            actor.damping,
            actor.load,
        )
        self.state = state._replace(slack=slack)

    def _settled(self, begin: float) -> bool:
        """Whether the part is back, or has had its time."""
        waited = begin - self.state.since
        if not _LEAST < waited <= _MOST:
            return waited > _MOST
        away, speed = self._apart()
        return bool(np.abs(away).max() < _NEAR and np.abs(speed).max() < _SLOW)

    def _apart(self) -> tuple[Array, Array]:
        """How far freed joints are from their motion [rad], and how fast that changes [rad/s], shape (n, 3) each."""
        actor, data, layout = self._actor, self._session.world.data, self._actor.layout
        away, speed = np.zeros((len(self.state.freed), 3)), np.zeros((len(self.state.freed), 3))
        _kernels.apart(
            data.qpos[layout.positions],
            actor.before,
            actor.rows[0],
            data.qvel[layout.velocities],
            self.state.freed,
            self._session.clock.substep,
            away,
            speed,
        )
        return away, speed

    def _take_back(self, begin: float) -> None:
        """The part follows its motion again, from where it is and as fast as it is."""
        away, speed = self._apart()
        self.state = self.state._replace(phase=Phase.RETURNS, back=begin, slack=0.0, away=away, speed=speed)
        self.state.load[:] = 0.0
        self._assign(Mode.MOTION)
        # What hangs on the part is moved by it: its velocity over this tick counts from where it is.
        columns, actor = (3 + 4 * self.state.freed[:, None] + np.arange(4)).ravel(), self._actor
        actor.before[columns] = self._session.world.data.qpos[actor.layout.positions][columns]

    def _lead(self, begin: float) -> None:
        """What is left between the part and its motion shrinks to nothing, without a jump in velocity."""
        state, times = self.state, begin + self._session.substep_times
        _kernels.lead(self._actor.rows, state.freed, state.away, state.speed, state.back, times, _RETURNS)
        self._actor.changed = True

    def _assign(self, mode: Mode) -> None:
        modes = self._actor.modes.copy()
        modes[self.state.freed] = int(mode)
        self._session.assign_modes(self._actor, modes)
