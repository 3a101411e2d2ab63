"""A flinch: who is hit hunches a moment later, head down, shoulders up and forearms before the body, and straightens again."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.anticipation.flinching import Flinching
from poise.behaviors.behavior import Contribution
from poise.behaviors.hanging_arms import HangingArms
from poise.body.coordinates import turn_joint
from poise.body.plan import BodyPlan

__all__ = ["Flinch", "FlinchState"]

Array = NDArray[np.float64]

_NONE = 1e-4
"""What is left of a flinch that is over, as a share of a whole one."""


@dataclass
class FlinchState:
    """What is remembered of a hit.

    Args:
        since: When it was [s].
        size: How far one flinches, as a share of a whole flinch.
        answer: How far one does now.
        rate: How fast that changes [1/s].
    """

    since: float = -np.inf
    size: float = 0.0
    answer: float = 0.0
    rate: float = 0.0


class Flinch:
    """Hunches one body.

    Args:
        plan: The body.
        flinching: The numbers.
        tick: [s].
    """

    def __init__(self, plan: BodyPlan, flinching: Flinching, tick: float) -> None:
        self._plan, self._own, self._tick = plan, flinching, tick
        self._spine = [body for body in plan.with_role("spine") if body > 0]
        self._neck = [body for body in plan.with_role("neck", "head") if body > 0]
        self._arms = HangingArms(plan)
        self._shoulders = [
            (body, hand, sign * turn)
            for hand, (side, sign) in enumerate((("left", 1.0), ("right", -1.0)))
            for part, turn in (("clavicle", 1.0), ("upper_arm", -1.0))
            if plan.with_role(f"{side}_clavicle")
            for body in plan.with_role(f"{side}_{part}")
        ]
        """Whose joints turn about the way ahead, of which side, and which way: arms keep their own way down."""
        self.state = FlinchState()

    def act(self, wanted: Contribution, struck: float, free: tuple[float, float]) -> None:
        """Bring a flinch on by a tick, and hunch in its poses.

        Args:
            wanted: What this tick shall be; written.
            struck: Momentum of what hit unawares in this tick [kg m/s], 0 for nothing.
            free: How much of the left and the right arm no hand has to itself, 0 to 1.
        """
        state, own, time = self.state, self._own, wanted.reference.time
        if struck > 0.0:
            fresh = time - state.since > own.latency + own.lasts
            state.size = max(0.0 if fresh else state.size, min(struck / own.wholly, 1.0))
            state.since = time if fresh else state.since
        if state.size == 0.0:
            return
        since, before = time - state.since, state.answer
        hunches = since < own.latency + own.lasts
        goal = state.size if hunches and since >= own.latency else 0.0
        omega = 2.0 * math.pi * (own.quick if hunches else own.returns)
        # Critically damped and implicit.
        state.rate = (state.rate + self._tick * omega**2 * (goal - state.answer)) / (1.0 + omega * self._tick) ** 2
        state.answer += self._tick * state.rate
        if not hunches and max(abs(state.answer), abs(state.rate)) < _NONE:
            state.size, state.answer, state.rate = 0.0, 0.0, 0.0
        if before != 0.0 or state.answer != 0.0:
            self._hunch(wanted.edit_pose(), before, state.answer, free)

    def _hunch(self, rows: Array, before: float, after: float, free: tuple[float, float]) -> None:
        """Bend head, trunk, shoulders and arms in a tick's poses (n, nq), in place."""
        own, part = self._own, np.arange(1, len(rows) + 1) / len(rows)
        answer = before + part * (after - before)
        none, shares = 0.0 * answer, self._arms.shares(rows[-1])
        # Who has a hand at work stands braced: bent over, what it pushes against would push one over.
        for bodies, angle in ((self._spine, min(free) * own.trunk), (self._neck, own.head)):
            for body in bodies:
                turn_joint(self._plan, rows, body, np.stack([none, angle / len(bodies) * answer, none], axis=1))
        for body, hand, way in self._shoulders:
            lifts = way * free[hand] * own.shoulders * answer
            turn_joint(self._plan, rows, body, np.stack([lifts, none, none], axis=1))
        hangs = [share * free[side < 0.0] for share, side in zip(shares, self._arms.sides, strict=True)]
        out, ahead = [none for _ in hangs], [own.ahead * answer for _ in hangs]
        self._arms.bring(rows, hangs, out, ahead, own.elbows * answer, own.palms * answer)
