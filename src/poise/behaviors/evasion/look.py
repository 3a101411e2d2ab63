"""Where the head turns: a glance at the most urgent thing that matters, and back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import NOTHING
from poise.anticipation.evasion import Evasion
from poise.behaviors.evasion import _kernels
from poise.behaviors.evasion.settling import Settling, SettlingState
from poise.behaviors.perception.senses import Percept
from poise.body.plan import BodyPlan
from poise.ik.trunk import Gaze
from poise.ik.trunk.gaze import ROUNDS

__all__ = ["Look", "LookState"]

Array = NDArray[np.float64]


@dataclass
class LookState:
    """What a head remembers of its looks.

    Args:
        turn: How far neck and head are turned.
        at: What is looked at, `NOTHING` for none.
        since: Since when [s].
        there: When it last was worth it [s].
        known: Until when each obstacle needs no other look [s], shape (P,).
        place: Where it was last [m], shape (3,).
    """

    turn: SettlingState
    at: int
    since: float
    there: float
    known: Array
    place: Array


class Look:
    """Turns neck and head of one character.

    Args:
        plan: Its body.
        masses: Of the obstacles, as they seem [kg], shape (P,).
        evasion: How it looks.
        tick: Length of a tick [s].
    """

    def __init__(self, plan: BodyPlan, masses: Array, evasion: Evasion, tick: float) -> None:
        head = plan.with_role("head")
        self._plan, self._masses, self._counts, self._tick = plan, masses, masses.copy(), tick
        self._share, self._looking, self._still = evasion.look, evasion.looking, evasion.still
        self._gaze = Gaze(plan) if head and plan.parents[head[0]] >= 0 and self._share > 0.0 else None
        bodies = [body for body in plan.with_role("neck", "head") if body > 0] if self._gaze else []
        self._bodies, self._ones = np.array(bodies, dtype=np.int64), np.ones(len(bodies))
        self._turn, self._goal = Settling(len(bodies)), np.zeros((len(bodies), 3))
        self._low = self._looking.low * plan.size
        never = np.full(len(masses), -np.inf)
        self.state = LookState(self._turn.state, NOTHING, -np.inf, -np.inf, never, np.zeros(3))

    @property
    def active(self) -> bool:
        """Whether the head is turned."""
        return not self._turn.at_rest

    def act(self, begin: float, rows: Array, percept: Percept, calm: float, busy: tuple[int, int]) -> int:
        """Turn neck and head of `rows` (n, nq), in place.

        Args:
            begin: Time at the beginning of the tick [s].
            rows: Generalized positions at the end of each substep.
            percept: What is perceived.
            calm: How much of the look is left by what else trunk and neck do, 0…1.
            busy: What either hand is about, `NOTHING` for none: while it comes, eyes go along, however light it is.

        Returns:
            What the head begins to turn to, `NOTHING` for none.
        """
        if self._gaze is None:
            return NOTHING
        before = self.state.at
        self._counts[:] = self._masses
        if self._looking.handled:
            closing = percept.threats.closing
            self._counts[[which for which in busy if which != NOTHING and closing[which] > self._still]] = np.inf
        self._choose(begin, rows[-1, 2], percept)
        if self.state.at == NOTHING and self._turn.at_rest:
            return NOTHING
        self._goal[:] = 0.0
        if self.state.at != NOTHING and calm > 0.0:
            place, looking = tuple(self.state.place.tolist()), self._looking
            shares = (calm * self._share, looking.eyes, looking.most)
            _kernels.glance(self._gaze.compiled, rows[-1], place, ROUNDS, self._bodies, shares, self._goal)
        quickness, fastest = self._looking.quickness, self._looking.fastest / len(self._bodies)
        turns = self._turn.follow(self._goal, quickness, fastest, self._tick, len(rows))
        _kernels.turn_joints(rows, self._plan.neutral, self._bodies, self._ones, self._ones, turns)
        return self.state.at if self.state.at != before else NOTHING

    def _choose(self, begin: float, hips: float, percept: Percept) -> None:
        state, nearest, spots, looking = self.state, percept.nearest, percept.threats.spot, self._looking
        least = (looking.soon, looking.momentum, hips - self._low, self._still)
        first, there = _kernels.most_urgent(
            tuple(percept.threats),
            nearest.point,
            nearest.velocity,
            self._counts,
            state.known,
            begin,
            state.at,
            least,
        )
        if there:
            state.there = begin
            state.place[:] = nearest.point[spots[state.at], state.at]
        if state.at != NOTHING:
            long = begin - state.since > looking.glance
            if not (long and first != state.at) and begin - state.there <= looking.linger:
                if long:
                    state.known[state.at] = begin + looking.known
                return
            state.known[state.at] = begin + looking.known
            state.at, state.since = NOTHING, begin
        moving = first != NOTHING and self._speed(first, percept) > self._still
        if first != NOTHING and (moving or begin - state.since > looking.pause):
            state.at, state.since, state.there = int(first), begin, begin
            state.place[:] = nearest.point[spots[first], first]

    def _speed(self, which: int, percept: Percept) -> float:
        return float(np.linalg.norm(percept.nearest.velocity[percept.threats.spot[which], which]))
