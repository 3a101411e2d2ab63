"""The two hands of a character: what they are about, where their palms are, and how arms bring them there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import NOTHING, Glide
from poise.body.coordinates import BodyFrames
from poise.body.plan import BodyPlan
from poise.ik import ElasticPoles, LimbGoals, LimbSolver
from poise.math import quat

__all__ = ["SIDES", "Arms", "HandState", "Palm"]

Array = NDArray[np.float64]

SIDES = ("left", "right")
_POLE_TIME = 0.3
"""Time over which elbows are taken over by their poles and given back [s]."""


@dataclass(eq=False)
class HandState:
    """What one hand is about; remembered from tick to tick.

    Args:
        phase: "idle", "reach", "slide", "stick", "replant" or "return".
        obstacle: Which it is about, `NOTHING` for none.
        spot: The spot of the safety regions it protects.
        since: When this phase began [s].
        reaction: How long it takes to get there [s].
        glide: What is left of the way: place and rotation vector, shape (6,).
        normals: Of the surface where a hop leaves and lands, shape (2, 3).
        stuck: Where on the surface the hand stays [m], shape (3,).
        tension: What the rule says [Hz].
        frequency: What the muscles have, ramped [Hz].
        pole: How much the elbow follows its pole, 0…1.
        goal: Where the wrist shall be at the end of the tick [m], shape (3,).
        touched: When the present contact began [s], NaN without one.
    """

    frequency: float
    phase: str = "idle"
    obstacle: int = NOTHING
    spot: int = 0
    since: float = 0.0
    reaction: float = 0.0
    glide: Glide = field(default_factory=lambda: Glide(-1.0, 1.0, np.zeros(6), np.zeros(6)))
    normals: Array = field(default_factory=lambda: np.zeros((2, 3)))
    stuck: Array = field(default_factory=lambda: np.full(3, np.nan))
    tension: float = 0.0
    pole: float = 0.0
    goal: Array = field(default_factory=lambda: np.zeros(3))
    touched: float = float("nan")

    @property
    def busy(self) -> bool:
        """Whether it does anything but follow the clip."""
        return self.phase != "idle"


class Palm(NamedTuple):
    """The palm of a hand in its body's frame: the middle of its surface [m], out of it, along the fingers; each (3,)."""

    middle: Array
    out: Array
    along: Array

    @classmethod
    def of(cls, plan: BodyPlan, hand: int, side: str) -> Palm:
        """From the hand's first shape: arms hanging, palms face the thighs and fingers point down."""
        back = quat.conj(plan.neutral[hand])
        out = quat.rotate(back, [0.0, -1.0 if side == "left" else 1.0, 0.0])
        along = quat.rotate(back, [0.0, 0.0, -1.0])
        shape = plan.colliders[hand][0]
        axes = quat.to_matrix(shape.rotation)
        reach = np.abs(axes.T @ out)
        if shape.kind == "box":
            depth = float(reach @ shape.size)
        else:
            depth = float(shape.size[0] + (reach[2] * shape.size[1] if shape.kind == "capsule" else 0.0))
        return cls(shape.position + depth * out, out, along)

    def wrist(self, point: Array, turn: Array) -> Array:
        """Where the hand's joint is when the palm turned as `turn` (4,) is at `point` (3,) [m]."""
        return np.asarray(point - quat.rotate(turn, self.middle))


class Arms:
    """Brings the hands of one character to where they shall be.

    Args:
        plan: The character.
        tick: Length of a tick [s].
    """

    def __init__(self, plan: BodyPlan, tick: float) -> None:
        self.plan, self._tick = plan, tick
        self.solver = LimbSolver(plan)
        self.poles = ElasticPoles(self.solver)
        self.memory = self.solver.memory(1)
        self.bodies = self.solver.bodies[:2]
        """Upper arm, forearm and hand of either side, shape (2, 3)."""
        self.palms = tuple(Palm.of(plan, int(hand), side) for hand, side in zip(self.bodies[:, 2], SIDES, strict=True))
        self._columns = [np.concatenate([np.arange(3 + 4 * b, 7 + 4 * b) for b in arm]) for arm in self.bodies]
        self._goals = LimbGoals.none(1, len(self.solver.names))
        self.turned = np.tile(quat.IDENTITY, (2, 3, 1))
        """How far each arm's joints are turned from the clip's at the end of the last tick, shape (2, 3, 4)."""
        lengths = np.linalg.norm(plan.offsets[self.bodies[:, 1:]], axis=-1)
        self.lengths: Array = lengths.sum(axis=1)
        """Of either arm from shoulder to wrist [m], shape (2,)."""

    def forearm(self, frames: BodyFrames, hand: int) -> Array:
        """From elbow to wrist, unit, shape (3,)."""
        bone = frames.positions[0, self.bodies[hand, 2]] - frames.positions[0, self.bodies[hand, 1]]
        return np.asarray(bone / np.linalg.norm(bone))

    def follow(self, rows: Array, states: list[HandState], places: Array, turns: Array) -> None:
        """Change the arms in the rows of one tick (n, nq) so that at its end the wrists are at `places` (2, 3), `turns` (2, 4).

        Between the last tick's end and this one's the difference from the clip grows evenly.
        """
        end = rows[-1:].copy()
        self.poles.advance(end, self._tick)
        goals = self._goals
        goals.weights[:] = 0.0
        poles = self.poles.world(end)
        for hand, state in enumerate(states):
            wanted = 1.0 if state.phase not in ("idle", "return") else 0.0
            step = self._tick / _POLE_TIME
            state.pole += min(max(wanted - state.pole, -step), step)
            if state.busy:
                ease = state.pole**2 * (3.0 - 2.0 * state.pole)
                goals.positions[0, hand], goals.rotations[0, hand] = places[hand], turns[hand]
                goals.poles[0, hand], goals.weights[0, hand] = poles[0, hand], (1.0, 1.0, ease)
        self.solver.solve(end, goals, self.memory, self._tick)
        for hand, state in enumerate(states):
            self._fill(rows, end[0], hand, state.busy)

    def _fill(self, rows: Array, end: Array, hand: int, busy: bool) -> None:
        columns, last = self._columns[hand], self.turned[hand]
        clip = rows[:, columns].reshape(len(rows), 3, 4)
        now = quat.mul(quat.conj(clip[-1]), end[columns].reshape(3, 4)) if busy else np.tile(quat.IDENTITY, (3, 1))
        if not busy and np.array_equal(last, now):
            return
        now = np.where(np.sum(now * last, axis=-1, keepdims=True) < 0.0, -now, now)
        shares = np.arange(1, len(rows) + 1)[:, None, None] / len(rows)
        between = quat.slerp(np.broadcast_to(last, clip.shape), np.broadcast_to(now, clip.shape), shares[..., 0])
        rows[:, columns] = quat.mul(clip, between).reshape(len(rows), -1)
        self.turned[hand] = now
