"""The two hands of a character: what they are about, where their palms are, and how arms bring them there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import NOTHING
from poise.body.coordinates import BodyFrames
from poise.body.plan import BodyPlan
from poise.ik import ElasticPoles, LimbGoals, LimbSolver
from poise.math import quat
from poise.runtime.anticipation import _kernels
from poise.runtime.anticipation.trunk import Trunk, lift_elbow

__all__ = ["SIDES", "Arms", "HandState", "Palm"]

Array = NDArray[np.float64]

SIDES = ("left", "right")
_POLE_TIME = 0.3
"""Time over which elbows are taken over by their poles and given back [s]."""
_SETTLE = 2.0
"""Time the poles get where no elbow follows one yet [s]."""
_LIFT = 3.0
"""How fast an elbow is turned up off its pole [rad/s]."""


@dataclass(eq=False)
class HandState:
    """What one hand is about; remembered from tick to tick.

    Args:
        phase: "idle", "reach", "slide", "stick", "replant" or "return".
        obstacle: Which it is about, `NOTHING` for none.
        spot: The spot of the safety regions it protects.
        since: When this phase began [s].
        reaction: How long it takes to get there [s].
        until: When its glide is done [s].
        begins: Duration of the glide that begins now [s], 0 for none.
        normals: Of the surface where a hop leaves and lands, shape (2, 3).
        stuck: Where on the surface the hand stays [m], shape (3,).
        held: How the hand is turned there, NaN until it is, shape (4,).
        tension: What the rule says [Hz].
        frequency: What the muscles have, ramped [Hz].
        pole: How much the elbow follows its pole, 0…1.
        touched: When the present contact began [s], NaN without one.
    """

    frequency: float
    phase: str = "idle"
    obstacle: int = NOTHING
    spot: int = 0
    since: float = 0.0
    reaction: float = 0.0
    until: float = 0.0
    begins: float = 0.0
    normals: Array = field(default_factory=lambda: np.zeros((2, 3)))
    stuck: Array = field(default_factory=lambda: np.full(3, np.nan))
    held: Array = field(default_factory=lambda: np.full(4, np.nan))
    tension: float = 0.0
    pole: float = 0.0
    touched: float = float("nan")

    @property
    def busy(self) -> bool:
        """Whether it does anything but follow the clip."""
        return self.phase != "idle"

    @property
    def ease(self) -> float:
        """How much of the arm is the hand's and not the clip's, 0…1."""
        return self.pole**2 * (3.0 - 2.0 * self.pole)


class Palm(NamedTuple):
    """The palm in its hand's frame: its surface's middle [m], out of it, along the fingers, fingertips [m]; each (3,)."""

    middle: Array
    out: Array
    along: Array
    tip: Array

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
        return cls(shape.position + depth * out, out, along, shape.position + (shape.position @ along) * along)


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
        self._goals = LimbGoals.none(1, len(self.solver.names))
        self.turned = np.tile(quat.IDENTITY, (2, 3, 1))
        """How far each arm's joints are turned from the clip's at the end of the last tick, shape (2, 3, 4)."""
        self._bones = np.linalg.norm(plan.offsets[self.bodies[:, 1:]], axis=-1)
        self.lengths: Array = self._bones.sum(axis=1)
        """Of either arm from shoulder to wrist [m], shape (2,)."""
        self.trunk = Trunk(plan, self.bodies[0])
        self.tracks = np.zeros((2, _kernels.TRACK))
        """How either hand moves (`_kernels`), shape (2, TRACK)."""

    def follow(self, rows: Array, states: list[HandState], goals: Array, frames: BodyFrames) -> None:
        """Change the arms in the rows of one tick (n, nq) so that at its end the hands are at their goals.

        Between the last tick's end and this one's the difference from the clip grows evenly.

        Args:
            rows: The kinematic skeleton.
            states: Of both hands.
            goals: Place and turn of either hand's joint, shape (2, 7).
            frames: The bodies at the end of the tick, arms as in the clip.
        """
        busy = np.array([state.busy for state in states])
        if not busy.any():
            _kernels.fill_arms(rows, rows[-1], self.bodies, busy, self.turned)
            return
        end, wanted = rows[-1:].copy(), self._goals
        wanted.weights[:] = 0.0
        rested = all(state.pole == 0.0 for state in states)
        self.poles.advance(end, _SETTLE if rested else self._tick)
        poles = self.poles.world(end)
        for hand, state in enumerate(states):
            target = 1.0 if state.phase not in ("idle", "return") else 0.0
            step = self._tick / _POLE_TIME
            state.pole += min(max(target - state.pole, -step), step)
            if state.busy:
                self._lift(hand, goals[hand], poles[0, hand], frames)
                wanted.positions[0, hand], wanted.rotations[0, hand] = goals[hand, :3], goals[hand, 3:]
                wanted.poles[0, hand], wanted.weights[0, hand] = poles[0, hand], (1.0, 1.0, state.ease)
        self.solver.solve(end, wanted, self.memory, self._tick)
        _kernels.fill_arms(rows, end[0], self.bodies, busy, self.turned)

    def _lift(self, hand: int, goal: Array, pole: Array, frames: BodyFrames) -> None:
        track, bones = self.tracks[hand], self._bones[hand]
        track[_kernels.LIFT] = lift_elbow(
            track[_kernels.LIFT],
            frames.positions[0, self.bodies[hand, 0]],
            goal[:3],
            bones[0],
            bones[1],
            pole,
            self.trunk.starts,
            self.trunk.ends,
            self.trunk.wanted,
            _LIFT * self._tick,
        )
