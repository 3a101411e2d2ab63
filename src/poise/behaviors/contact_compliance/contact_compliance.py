"""One part of a body that gives way: physical around a hit, and led back onto its motion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import exp

import numpy as np
from numpy.typing import NDArray

from poise.anticipation.startling import Startling
from poise.behaviors.behavior import Contribution
from poise.behaviors.contact_compliance import _kernels
from poise.behaviors.state import restore_state
from poise.body.layout import turn_columns
from poise.body.plan import BodyPlan
from poise.signals import Mode
from poise.world.view import WorldView

__all__ = ["ComplianceState", "ContactCompliance", "Phase"]

Array = NDArray[np.float64]
Indices = NDArray[np.int64]


class Phase(Enum):
    """What a part is about."""

    RESTS = "rests"
    YIELDS = "yields"
    RETURNS = "returns"


@dataclass
class ComplianceState:
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

    @classmethod
    def at_rest(cls, bodies: int) -> ComplianceState:
        """Of a part of a character with so many bodies that was never hit."""
        none, nothing = np.zeros(0, dtype=np.int64), np.zeros((0, 3))
        return cls(
            Phase.RESTS, none, none, -1, -np.inf, -np.inf, 0.0, 1.0, np.zeros((bodies, 3)), nothing, nothing.copy()
        )


class ContactCompliance:
    """A part of a body, from an anchor down.

    Args:
        plan: The body.
        bodies: Which they are, from its anchor down.
        softest: Its tension when it is hit unawares [Hz]; where it is physical anyway that alone happens.
        startling: How it gives way.
    """

    def __init__(self, plan: BodyPlan, bodies: Sequence[int], softest: float, startling: Startling) -> None:
        self._plan, self._softest, self._startling = plan, softest, startling
        self._bodies = np.array(bodies, dtype=np.int64)
        self.state = ComplianceState.at_rest(len(plan))

    def rest(self) -> None:
        """Forget everything."""
        restore_state(self.state, ComplianceState.at_rest(len(self._plan)))

    def hit(self, body: int, taken: NDArray[np.bool_], slackest: float, wanted: Contribution) -> bool:
        """Give way, or go on giving way.

        Args:
            body: Where.
            taken: Bodies that other parts have, shape (B,).
            slackest: How softened the part gets.
            wanted: What this tick shall be; who moves what is written into it.

        Returns:
            Whether it did not give way before.
        """
        state, begin = self.state, wanted.reference.time
        reached = np.array([b for b in self._bodies if not taken[b] and body in self._plan.subtree(b)], dtype=np.int64)
        soft = np.union1d(state.soft, reached)
        if state.phase is Phase.YIELDS:
            state.soft, state.since, state.slackest = soft, begin, max(slackest, state.slackest)
            return False
        freed = state.freed
        if state.phase is Phase.RESTS:
            own = self._bodies[~taken[self._bodies]]
            freed = own[wanted.wanted_modes[own] == Mode.MOTION]
            if not len(freed) and not (wanted.wanted_modes[own] == Mode.TORQUE).any():
                return False
        state.phase, state.freed, state.soft, state.since = Phase.YIELDS, freed, soft, begin
        state.body = body if body in soft or body in freed else int(self._bodies[0])
        state.slack, state.slackest = slackest if len(freed) else 0.0, slackest
        self._assign(wanted, Mode.TORQUE)
        return True

    @property
    def held(self) -> Indices:
        """Bodies that no other part may take now."""
        return np.union1d(self.state.freed, self.state.soft)

    def hurry(self) -> None:
        """Come back now."""
        self.state.since = -np.inf

    def act(self, torques: Array, view: WorldView, wanted: Contribution) -> bool:
        """Soften, carry and come back.

        Args:
            torques: Of the last tick's contacts about the joints, in their frames [N m], shape (B, 3).
            view: The world.
            wanted: What this tick shall be; written.

        Returns:
            Whether it has just come back.
        """
        state, reference = self.state, wanted.reference
        begin = reference.time
        if state.phase is Phase.YIELDS:
            self._soften(torques, wanted)
            if not len(state.freed):
                return begin - state.since > self._startling.limp and state.slack == 0.0
            if self._settled(view, wanted):
                self._take_back(view, wanted)
        if begin - state.back < self._startling.returns:
            self._lead(wanted)
        return state.phase is Phase.RETURNS and begin + reference.tick - state.back >= self._startling.returns

    def _soften(self, torques: Array, wanted: Contribution) -> None:
        state, reference, tick, own = self.state, wanted.reference, wanted.reference.tick, self._startling
        limp = reference.time - state.since <= own.limp
        step = tick / (own.slackens if limp else own.tenses)
        slack = state.slack + min(max((state.slackest if limp else 0.0) - state.slack, -step), step)
        _kernels.brace(
            torques,
            state.soft,
            1.0 + slack * (min(1.0, self._softest / reference.tension.frequency) - 1.0),
            slack,
            (own.carried, 1.0 - exp(-tick / own.felt), 1.0 - exp(-tick / own.forgotten)),
            state.load,
            wanted.edit_gains(),
            wanted.edit_load(),
        )
        state.slack = slack

    def _settled(self, view: WorldView, wanted: Contribution) -> bool:
        """Whether the part is back, or has had its time."""
        waited, own = wanted.reference.time - self.state.since, self._startling
        if not own.least < waited <= own.most:
            return waited > own.most
        away, speed = self._apart(view, wanted)
        return bool(np.abs(away).max() < own.near and np.abs(speed).max() < own.slow)

    def _apart(self, view: WorldView, wanted: Contribution) -> tuple[Array, Array]:
        """How far freed joints are from their motion [rad], and how fast that changes [rad/s], shape (n, 3) each."""
        name = wanted.reference.name
        away, speed = np.zeros((len(self.state.freed), 3)), np.zeros((len(self.state.freed), 3))
        _kernels.apart(
            view.positions(name),
            wanted.starts,
            wanted.rows[0],
            view.velocities(name),
            self.state.freed,
            view.substep,
            away,
            speed,
        )
        return away, speed

    def _take_back(self, view: WorldView, wanted: Contribution) -> None:
        """The part follows its motion again, from where it is and as fast as it is."""
        state = self.state
        state.away, state.speed = self._apart(view, wanted)
        state.phase, state.back, state.slack = Phase.RETURNS, wanted.reference.time, 0.0
        state.load[:] = 0.0
        self._assign(wanted, Mode.MOTION)
        # What hangs on the part is moved by it: its velocity over this tick counts from where it is.
        columns = turn_columns(state.freed)
        wanted.edit_before()[columns] = view.positions(wanted.reference.name)[columns]

    def _lead(self, wanted: Contribution) -> None:
        """What is left between the part and its motion shrinks to nothing, without a jump in velocity."""
        state, times, returns = self.state, wanted.reference.times, self._startling.returns
        _kernels.lead(wanted.edit_pose(), state.freed, state.away, state.speed, state.back, times, returns)

    def _assign(self, wanted: Contribution, mode: Mode) -> None:
        wanted.edit_modes()[self.state.freed] = int(mode)
