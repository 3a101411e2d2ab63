"""Where the head turns: a glance at the most urgent thing that matters, and back."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import NOTHING
from poise.body.plan import BodyPlan
from poise.ik.trunk import Gaze
from poise.ik.trunk.gaze import ROUNDS
from poise.runtime.anticipation.evade import _kernels
from poise.runtime.anticipation.evade.settling import Settling
from poise.runtime.anticipation.senses import Percept

__all__ = ["Look"]

Array = NDArray[np.float64]

_SOON, _ENOUGH, _MOVES = 1.5, 1.0, 0.5
"""What is farther off [s] or has less momentum [kg m/s] is not looked at; what is slower stands still [m/s]."""
_LOW = 0.15
"""How far below the hips that is looked at begins, for a stature of 1.75 m [m]."""
_GLANCE, _LINGER, _PAUSE = 0.8, 0.3, 0.8
"""How long a look lasts, how long it stays where what it was at is gone, and how long the next one waits [s]."""
_KNOWN = 5.0
"""How long what stands still needs no second look [s]."""
_FREE, _MOST = float(np.radians(15.0)), float(np.radians(50.0))
"""Angle that the eyes turn alone, and the farthest turn of the head [rad]."""
_QUICKNESS, _FASTEST = 8.0, float(np.radians(120.0))
"""Of the head [rad/s]."""


class Look:
    """Turns neck and head of one character.

    Args:
        plan: Its body.
        masses: Of the obstacles, as they seem [kg], shape (P,).
        share: How much of the way the head turns.
        tick: Length of a tick [s].
    """

    def __init__(self, plan: BodyPlan, masses: Array, share: float, tick: float) -> None:
        head = plan.with_role("head")
        self._plan, self._masses, self._share, self._tick = plan, masses, share, tick
        self._gaze = Gaze(plan) if head and plan.parents[head[0]] >= 0 and share > 0.0 else None
        bodies = [body for body in plan.with_role("neck", "head") if body > 0] if self._gaze else []
        self._bodies, self._ones = np.array(bodies, dtype=np.int64), np.ones(len(bodies))
        self._turn, self._goal = Settling(len(bodies)), np.zeros((len(bodies), 3))
        self.at, self._since, self._there = NOTHING, -np.inf, -np.inf
        """What is looked at, since when, and when it last was worth it [s]."""
        self._known = np.full(len(masses), -np.inf)
        self._place, self._low = np.zeros(3), _LOW * plan.stature / 1.75

    @property
    def active(self) -> bool:
        """Whether the head is turned."""
        return not self._turn.at_rest

    def act(self, begin: float, rows: Array, percept: Percept, calm: float) -> int:
        """Turn neck and head of `rows` (n, nq), in place.

        Args:
            begin: Time at the beginning of the tick [s].
            rows: Generalized positions at the end of each substep.
            percept: What is perceived.
            calm: How much of the look is left by what else trunk and neck do, 0…1.

        Returns:
            What the head begins to turn to, `NOTHING` for none.
        """
        if self._gaze is None:
            return NOTHING
        before = self.at
        self._choose(begin, rows[-1, 2], percept)
        if self.at == NOTHING and self._turn.at_rest:
            return NOTHING
        self._goal[:] = 0.0
        if self.at != NOTHING and calm > 0.0:
            place, share = tuple(self._place.tolist()), calm * self._share
            _kernels.glance(self._gaze.compiled, rows[-1], place, ROUNDS, self._bodies, share, _FREE, _MOST, self._goal)
        turns = self._turn.follow(self._goal, _QUICKNESS, _FASTEST / len(self._bodies), self._tick, len(rows))
        _kernels.turn_joints(rows, self._plan.neutral, self._bodies, self._ones, self._ones, turns)
        return self.at if self.at != before else NOTHING

    def _choose(self, begin: float, hips: float, percept: Percept) -> None:
        least = (_SOON, _ENOUGH, hips - self._low, _MOVES)
        nearest = percept.nearest
        first, there = _kernels.most_urgent(
            tuple(percept.threats), nearest.point, nearest.velocity, self._masses, self._known, begin, self.at, least
        )
        if there:
            self._there = begin
            self._place[:] = nearest.point[percept.threats.spot[self.at], self.at]
        if self.at != NOTHING:
            over = begin - self._since > _GLANCE and first != self.at
            if not over and begin - self._there <= _LINGER:
                self._known[self.at] = begin + _KNOWN if begin - self._since > _GLANCE else self._known[self.at]
                return
            self._known[self.at] = begin + _KNOWN
            self.at, self._since = NOTHING, begin
        moving = first != NOTHING and self._speed(first, percept) > _MOVES
        if first != NOTHING and (moving or begin - self._since > _PAUSE):
            self.at, self._since, self._there = int(first), begin, begin
            self._place[:] = nearest.point[percept.threats.spot[first], first]

    def _speed(self, which: int, percept: Percept) -> float:
        return float(np.linalg.norm(percept.nearest.velocity[percept.threats.spot[which], which]))

    def save(self) -> Any:
        """See `Stage.save`."""
        return self._turn.save(), self.at, self._since, self._there, self._known.copy(), self._place.copy()

    def restore(self, saved: Any) -> None:
        """See `Stage.restore`."""
        turn, self.at, self._since, self._there, known, place = saved
        self._turn.restore(turn)
        self._known[:], self._place[:] = known, place
