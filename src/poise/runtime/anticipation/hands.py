"""The two hands of a character: what they are about, where their palms are, and how arms bring them there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import NOTHING
from poise.body.coordinates import BodyFrames, body_frames
from poise.body.plan import BodyPlan
from poise.ik import ElasticPoles, LimbGoals, LimbSolver
from poise.math import quat
from poise.runtime.anticipation import _kernels
from poise.runtime.anticipation.evade import Shield
from poise.runtime.anticipation.felt import Felt
from poise.runtime.anticipation.trunk import Trunk, lift_elbow
from poise.runtime.anticipation.turning import fill_arms, turn_hand

__all__ = ["FIXED", "FLIES", "SIDES", "YIELDS", "Arms", "HandGoals", "HandState", "Palm", "Touch"]

Array = NDArray[np.float64]

SIDES = ("left", "right")
_POLE_TIME = 0.3
"""Time over which elbows are taken over by their poles [s]; they are given back while the hand returns."""
_SETTLE = 2.0
"""Time the poles get where no elbow follows one yet [s]."""
_SPARE = 0.06
"""So far from the ends of their ranges hands are meant to stay: the stops there are stiff [rad]."""
YIELDS, FLIES, FIXED = range(3)
"""What a hand is about, or whether it is on its way back (as `YIELDS`)."""
_SHARES = (0.65, 0.75, 1.0)
"""Share of their twist that hands use on each."""
_LIFT = 3.0
"""How fast an elbow is turned up off its pole [rad/s]."""


@dataclass(eq=False)
class HandState:
    """What one hand is about; remembered from tick to tick.

    Args:
        phase: "idle", "reach", "slide", "stick", "replant", "shield" or "return".
        obstacle: Which it is about, `NOTHING` for none.
        spot: The spot of the safety regions it protects.
        since: When this phase began [s].
        reaction: How long it takes to get there [s].
        until: When its way is done [s].
        begins: Duration of the way that begins now [s], 0 for none.
        normals: Of the surface where a hop leaves and lands, shape (2, 3).
        stuck: Where on the surface the hand stays [m], shape (3,).
        held: How the hand is turned there, NaN until it is, shape (4,).
        shield: Where it guards the face, while it does.
        felt: What it feels of what it touches.
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
    shield: Shield | None = None
    felt: Felt = field(default_factory=Felt)
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


class Touch(NamedTuple):
    """A hand as it touches, in its body's frame.

    Args:
        middle: What touches [m], shape (3,).
        axis: From there to either end of what may touch instead [m], shape (3,).
        depth: How far all that is below the skin [m].
        tip: Fingertips [m], shape (3,).
    """

    middle: Array
    axis: Array
    depth: float
    tip: Array


class Palm(NamedTuple):
    """A hand in its body's frame.

    Args:
        out: Out of the palm, shape (3,).
        along: Along the fingers, shape (3,).
        joint: The hand that is led by its joint.
        round: The hand that touches with its middle, whichever way it is turned about its fingers.
        rolls: The hand that touches with whatever part is in front.
    """

    out: Array
    along: Array
    joint: Touch
    round: Touch
    rolls: Touch

    @classmethod
    def of(cls, plan: BodyPlan, hand: int, side: str) -> Palm:
        """From the hand's first shape: arms hanging, palms face the thighs and fingers point down."""
        back = quat.conj(plan.neutral[hand])
        out = quat.rotate(back, [0.0, -1.0 if side == "left" else 1.0, 0.0])
        along = quat.rotate(back, [0.0, 0.0, -1.0])
        shape = plan.colliders[hand][0]
        axes = quat.to_matrix(shape.rotation)
        reach, half = np.abs(axes.T @ out), np.abs(axes.T @ along)
        if shape.kind == "box":
            depth, length = float(reach @ shape.size), float(half @ shape.size)
            length = max(length - depth, 0.0)
        else:
            middle = shape.size[1] if shape.kind == "capsule" else 0.0
            depth, length = float(shape.size[0] + reach[2] * middle), float(half[2] * middle)
        tip, none = shape.position + length * along, np.zeros(3)
        return cls(
            out,
            along,
            Touch(none, none, 0.0, tip),
            Touch(shape.position, none, depth, tip),
            Touch(shape.position, length * along, depth, tip),
        )


class HandGoals(NamedTuple):
    """Where both hands are at the end of a tick, and what they shall be like in the end; of a hand that is not busy, anything.

    Args:
        led: Place of the joint, and how the hand is taken to be turned then, shape (2, 7).
        turns: How the hand shall be turned in the end, shape (2, 4).
        normals: Of what it touches, shape (2, 3).
        touches: What of either hand touches.
        kinds: `YIELDS`, `FLIES` or `FIXED`.
    """

    led: Array
    turns: Array
    normals: Array
    touches: list[Touch]
    kinds: list[int]


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
        self.trunk = Trunk(plan, self.bodies)
        self._neutral = [plan.neutral[[plan.parents[arm[2]], arm[2]]] for arm in self.bodies]
        wrist = self.solver.options.wrist_twist
        self._ranges = [[_turn_range(plan, arm, wrist, share) for arm in self.bodies] for share in _SHARES]
        self.tracks = np.zeros((2, _kernels.TRACK))
        """How either hand moves (`_kernels`), shape (2, TRACK)."""

    def follow(
        self,
        rows: Array,
        states: list[HandState],
        goals: HandGoals,
        frames: BodyFrames,
        meant: BodyFrames,
        faces: Array,
        time: float,
    ) -> None:
        """Change the arms in the rows of one tick (n, nq) so that at its end the hands are at their goals.

        Between the last tick's end and this one's the difference from the clip grows evenly.

        Args:
            rows: The kinematic skeleton.
            states: Of both hands.
            goals: Where the hands are.
            frames: The bodies at the end of the tick, arms as in the clip.
            meant: The kinematic skeleton at its beginning.
            faces: Ahead at its end, shape (3,).
            time: Beginning of the tick [s].
        """
        busy = np.array([state.busy for state in states])
        if not busy.any():
            fill_arms(rows, rows[-1], self.bodies, busy, self.turned)
            return
        end, wanted = rows[-1:].copy(), self._goals
        wanted.weights[:] = 0.0
        rested = all(state.pole == 0.0 for state in states)
        self.poles.advance(end, _SETTLE if rested else self._tick)
        poles = self.poles.world(end)
        for hand, state in enumerate(states):
            if state.phase in ("idle", "return"):
                left = (state.until - time - self._tick) / max(state.until - state.since, 1e-6)
                state.pole = min(state.pole, max(left, 0.0))
            else:
                state.pole = min(state.pole + self._tick / _POLE_TIME, 1.0)
            if state.busy:
                self.trunk.place_other(hand, meant)
                self._lift(hand, goals.led[hand], poles[0, hand], frames)
                wanted.positions[0, hand] = goals.led[hand, :3]
                wanted.poles[0, hand], wanted.weights[0, hand] = poles[0, hand], (1.0, 0.0, state.ease)
        reaching = end.copy()
        self.solver.solve(reaching, wanted, self.memory.copy(), self._tick)
        self._turn(reaching[0], states, goals, faces, time)
        self.solver.solve(end, wanted, self.memory, self._tick)
        fill_arms(rows, end[0], self.bodies, busy, self.turned)

    def _turn(self, reaching: Array, states: list[HandState], goals: HandGoals, faces: Array, time: float) -> None:
        """How hands are turned at the end of the tick, with the arms there; what is not led, as in the clip."""
        plan, wanted, reached = self.plan, self._goals, body_frames(self.plan, reaching)
        for hand, (state, body) in enumerate(zip(states, self.bodies[:, 2], strict=True)):
            own, above = reaching[3 + 4 * body : 7 + 4 * body], int(plan.parents[body])
            if not state.busy:
                continue
            turn_hand(
                self.tracks[hand],
                goals.turns[hand],
                own,
                reaching[3 + 4 * above : 7 + 4 * above],
                reached.rotations[0, above],
                plan.bind_rotations[body],
                self._neutral[hand],
                self._ranges[goals.kinds[hand]][hand],
                self.solver.options.wrist_twist,
                tuple(goals.touches[hand]),
                goals.normals[hand],
                goals.led[hand],
                faces,
                time + self._tick,
                self._tick,
                state.phase == "return",
                state.since == time,
                goals.kinds[hand] != YIELDS,
                wanted.rotations[0, hand],
                wanted.positions[0, hand],
            )
            wanted.weights[0, hand, 1] = 1.0

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


def _turn_range(plan: BodyPlan, arm: NDArray[np.int64], wrist: float, share: float) -> Array:
    """Least and greatest swings of a hand and twist of hand and forearm together, short of their ends [rad], shape (2, 3)."""
    forearm, hand = plan.limits[arm[1]], plan.limits[arm[2]]
    lower = np.array([*hand.lower[:2], share * (forearm.lower[2] - wrist)]) + _SPARE
    upper = np.array([*hand.upper[:2], share * (forearm.upper[2] + wrist)]) - _SPARE
    middle = 0.5 * (lower + upper)
    return np.array([np.minimum(lower, middle), np.maximum(upper, middle)])
