"""What a body does that is pushed unawares: nothing for a moment, then arms come out, the trunk bends and knees give."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.behavior import Contribution
from poise.behaviors.hanging_arms import HangingArms
from poise.body.coordinates import turn_joint
from poise.body.plan import BodyPlan
from poise.control.root import Recovering
from poise.math.easing import minimum_jerk

__all__ = ["Recovery", "RecoveryState", "thrown_off"]

Array = NDArray[np.float64]

_STILL = 1e-3
"""An answer smaller than this, as a share of a whole one, is none."""


@dataclass
class RecoveryState:
    """What is remembered of a push.

    Args:
        since: When the body was taken unawares last [s].
        last: When it was last as fast as that [s].
        meant: When it went beside its motion on purpose last [s].
        push: Which way it was pushed and how fast it went, forward and left [m/s], shape (2,); fades.
        answer: How far the answer to that is, as a share of a whole one, shape (2,).
        rate: How fast that changes [1/s], shape (2,).
    """

    since: float = -np.inf
    last: float = -np.inf
    meant: float = -np.inf
    push: Array = field(default_factory=lambda: np.zeros(2))
    answer: Array = field(default_factory=lambda: np.zeros(2))
    rate: Array = field(default_factory=lambda: np.zeros(2))

    @property
    def is_still(self) -> bool:
        """Whether nothing of a push is left."""
        return not (self.push.any() or self.answer.any())


class Recovery:
    """Works it out for one body.

    Args:
        plan: The body.
        recovering: The numbers.
        tick: [s].
    """

    def __init__(self, plan: BodyPlan, recovering: Recovering, tick: float) -> None:
        self._plan, self._own, self._tick = plan, recovering, tick
        self._spine, self._neck = plan.with_role("spine"), plan.with_role("neck")
        self._arms = HangingArms(plan)

    def act(
        self, state: RecoveryState, wanted: Contribution, thrown: Array, heading: Array, feet: Array, *, meant: bool
    ) -> None:
        """Take note of a tick, as `notice` does, and bend what answers in the pose, with feet (n, 2, 3) [m]."""
        before = state.answer.copy()
        self.notice(state, wanted.reference.time, thrown, heading, meant=meant)
        if before.any() or state.answer.any():
            self.pose(wanted.edit_pose(), before, state.answer, (feet[:, 0, :2] - feet[:, 1, :2]) @ heading)

    def notice(self, state: RecoveryState, time: float, beside: Array, heading: Array, *, meant: bool = False) -> None:
        """Take note of how the body goes, and bring the answer on by a tick.

        Args:
            state: What is remembered; written.
            time: [s].
            beside: How fast the pelvis goes beside its intended motion, level [m/s], shape (2,).
            heading: Where it faces, shape (2,).
            meant: Whether it goes beside its motion on purpose: who ends a walk does, and who leans or fends off with a hand.
        """
        own, tick, speed = self._own, self._tick, math.hypot(beside[0], beside[1])
        if meant:
            state.meant = time
        if time - state.meant <= own.forgets:
            speed = 0.0
        if speed > own.unawares:
            if time - state.last > own.forgets:
                state.since = time
            state.last = time
        if state.last == -np.inf or (state.is_still and speed <= own.unawares):
            return
        state.push *= math.exp(-tick / own.lasts) if math.hypot(*state.push) > 0.5 * own.unawares else 0.0
        if speed > max(math.hypot(*state.push), own.unawares):
            state.push[:] = heading @ beside, heading[0] * beside[1] - heading[1] * beside[0]
        goal = np.zeros(2)
        size = math.hypot(*state.push)
        if time - state.since >= own.latency and size > 0.0:
            share = (size - 0.5 * own.unawares) / (own.wholly - 0.5 * own.unawares)
            goal = state.push / size * min(max(share, 0.0), 1.0)
        omega = 2.0 * math.pi * own.quick
        # Critically damped and implicit.
        state.rate[:] = (state.rate + tick * omega**2 * (goal - state.answer)) / (1.0 + omega * tick) ** 2
        state.answer += tick * state.rate
        if not goal.any() and max(np.abs(state.answer).max(), np.abs(state.rate).max()) < _STILL:
            state.push[:], state.answer[:], state.rate[:] = 0.0, 0.0, 0.0

    def hold(self, state: RecoveryState, time: float) -> tuple[float, float]:
        """Shares of its hold that the root has at a time [s], level and against tilt."""
        own, since = self._own, time - state.since
        if since >= own.latency + own.tenses:
            return 1.0, 1.0
        tense = float(minimum_jerk((since - own.latency) / own.tenses))
        return own.slack + (1.0 - own.slack) * tense, own.tilts + (1.0 - own.tilts) * tense

    def sinks(self, state: RecoveryState) -> float:
        """How far the pelvis is let down [m]."""
        return self._own.crouch * math.hypot(*state.answer)

    def pose(self, rows: Array, before: Array, answer: Array, strides: Array) -> None:
        """Bend arms and trunk in a tick's poses.

        Args:
            rows: Generalized positions at the end of each substep, shape (n, nq); written.
            before: The answer at the tick's beginning, shape (2,).
            answer: At its end, shape (2,).
            strides: How far the left foot is before the right one [m], shape (n,).
        """
        own, count = self._own, len(rows)
        answers = before + (np.arange(1, count + 1) / count)[:, None] * (answer - before)
        along, across, size = answers[:, 0], answers[:, 1], np.hypot(answers[:, 0], answers[:, 1])
        hangs = self._arms.shares(rows[-1])
        # Nobody arches who is pushed back: hips give then.
        bends = own.trunk * np.stack([-across, np.maximum(along, 0.0), 0.0 * size], axis=1)
        for bodies, part in ((self._spine, 1.0), (self._neck, -own.level)):
            for body in bodies:
                turn_joint(self._plan, rows, body, part / len(bodies) * bends)
        out = [own.beside * (size + own.far * np.maximum(-side * across, 0.0)) for side in self._arms.sides]
        swing = own.opposite * np.clip(strides / (own.stride * self._plan.stature), -1.0, 1.0)
        ahead = [own.ahead * np.abs(along) * (1.0 - side * swing) for side in self._arms.sides]
        self._arms.bring(rows, hangs, out, ahead, own.elbow * size, own.palms * size)


def thrown_off(beside: Array, unmeant: Array, away: Array) -> Array:
    """How fast a pelvis is thrown off its motion, level [m/s], shape (2,).

    Args:
        beside: How fast it goes beside its motion [m/s], shape (2,).
        unmeant: And beside what is meant: feet may lead it elsewhere.
        away: How far it is from where it is meant to be [m], shape (2,); on the way back there nobody is thrown.
    """
    if unmeant @ away < 0.0:
        return np.zeros(2)
    return beside if beside @ beside <= unmeant @ unmeant else unmeant
