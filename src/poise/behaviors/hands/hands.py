"""The two hands of a character: what they are about, where their palms are, and how arms bring them there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import NOTHING
from poise.anticipation.leading import Leading
from poise.behaviors.evasion import Shield
from poise.behaviors.hands.columns import GOAL, TRACK
from poise.behaviors.hands.felt import Felt
from poise.behaviors.hands.following import WAY, WAYS, WISH, fill_arms, follow_arms, start_ways
from poise.behaviors.hands.trunk import Trunk
from poise.body.coordinates import BodyFrames
from poise.body.layout import turn_at
from poise.body.plan import BodyPlan
from poise.ik import ElasticPoles, LimbSolver
from poise.math import quat
from poise.math.easing import smoothstep

__all__ = ["SIDES", "Arms", "ArmsState", "HandState", "Palm"]

Array = NDArray[np.float64]

SIDES = ("left", "right")


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
        work: How much of the arm's muscles it has put to work where they are relaxed, 0…1.
        pole: How much the elbow follows its pole, 0…1.
        touched: When the present contact began [s], NaN without one.
        settles: In what time its arm makes up for a jump of what is wished of it [s], 0 for at once.
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
    work: float = 0.0
    pole: float = 0.0
    touched: float = float("nan")
    settles: float = Leading.settles_slowly

    @property
    def busy(self) -> bool:
        """Whether it does anything but follow the clip."""
        return self.phase != "idle"

    @property
    def ease(self) -> float:
        """How much of the arm is the hand's and not the clip's, 0…1."""
        return smoothstep(self.pole)

    def put_to_work(self, step: float) -> float:
        """What its arm's muscles let go of all they could, a tick later, 0…1: a hand that does something uses them."""
        self.work = min(self.work + step, 1.0) if self.busy else max(self.work - step, 0.0)
        return 1.0 - smoothstep(self.work)

    def take_over(self, time: float, tick: float, step: float) -> None:
        """Let the elbow follow its pole more, or less where the hand is on its way back."""
        if self.phase in ("idle", "return"):
            left = (self.until - time - tick) / max(self.until - self.since, 1e-6)
            self.pole = min(self.pole, max(left, 0.0))
        else:
            self.pole = min(self.pole + step, 1.0)


class Palm(NamedTuple):
    """A hand in its body's frame, and three ways to touch.

    Each way is ten numbers: the middle of what touches [m], from there to either end of what may touch instead [m], how far all
    that is below the skin [m], and the fingertips [m].

    Args:
        out: Out of the palm, shape (3,).
        along: Along the fingers, shape (3,).
        joint: The hand that is led by its joint, shape (10,).
        round: The hand that touches with its middle, whichever way it is turned about its fingers, shape (10,).
        rolls: The hand that touches with whatever part is in front, shape (10,).
    """

    out: Array
    along: Array
    joint: Array
    round: Array
    rolls: Array

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
            np.concatenate([none, none, [0.0], tip]),
            np.concatenate([shape.position, none, [depth], tip]),
            np.concatenate([shape.position, length * along, [depth], tip]),
        )


@dataclass
class ArmsState:
    """What both arms remember.

    Args:
        turned: How far each arm's joints are turned from the clip's at the end of the last tick, shape (2, 3, 4).
        memory: What the limb solver remembers.
        poles: Positions and velocities of the elbows' poles.
        tracks: How either hand moves (`_kernels`), shape (2, TRACK).
        ways: How all of an arm goes (`following._kernels`), shape (2, WAYS, WAY).
    """

    turned: Array
    memory: Array
    poles: Array
    tracks: Array
    ways: Array


class Arms:
    """Brings the hands of one character to where they shall be.

    Args:
        plan: The character.
        tick: Length of a tick [s].
        leading: How they follow.
    """

    def __init__(self, plan: BodyPlan, tick: float, leading: Leading) -> None:
        self._tick = tick
        self.solver = LimbSolver(plan)
        self.poles = ElasticPoles(self.solver)
        self.memory = self.solver.memory(1)
        self.bodies = np.ascontiguousarray(self.solver.bodies[:2])
        self._columns = turn_at(self.bodies[..., None]) + np.arange(4)
        """Upper arm, forearm and hand of either side, shape (2, 3)."""
        self.palms = tuple(Palm.of(plan, int(hand), side) for hand, side in zip(self.bodies[:, 2], SIDES, strict=True))
        self.turned = np.tile(quat.IDENTITY, (2, 3, 1))
        """How far each arm's joints are turned from the clip's at the end of the last tick, shape (2, 3, 4)."""
        bones = np.linalg.norm(plan.offsets[self.bodies[:, 1:]], axis=-1)
        self.lengths: Array = bones.sum(axis=1)
        """Of either arm from shoulder to wrist [m], shape (2,)."""
        self.trunk = Trunk(plan, self.bodies, leading.clear)
        self.tracks = np.zeros((2, TRACK))
        """How either hand moves (`_kernels`), shape (2, TRACK)."""
        self.goals = np.zeros((2, GOAL))
        """Where either hand is at the end of the tick, and what it shall be like in the end (`_kernels`), shape (2, GOAL)."""
        self.ways = np.zeros((2, WAYS, WAY))
        """How all of an arm goes (`following._kernels`), shape (2, WAYS, WAY)."""
        self.state = ArmsState(self.turned, self.memory, self.poles.state, self.tracks, self.ways)
        self._remembered = (self.tracks, self.goals, self.memory[0], self.turned, self.ways)
        self._plan, self._bones = plan, bones
        self._joints = self.solver.compiled[3][1:4]
        """Neutral pose and least and greatest angles of all bodies."""
        self.adopt(leading)

    def adopt(self, leading: Leading) -> None:
        """Go by other parameters from now on."""
        self.leading, plan, tick = leading, self._plan, self._tick
        options, poles = self.solver.options, self.poles
        neutral = np.stack([plan.neutral[[plan.parents[arm[2]], arm[2]]] for arm in self.bodies])
        ranges = [
            [_turn_range(plan, arm, (options.wrist_twist, share, leading.spare)) for arm in self.bodies]
            for share in (leading.twists, leading.twists_ball, leading.twists_fixed)
        ]
        self._compiled = (
            (*self.solver.compiled, self.solver.settings(options.rate * tick)),
            (poles.state[0], poles.natural, poles.parameters.springs, poles.rests, poles.anchors),
            (self.trunk.starts, self.trunk.ends, self.trunk.wanted),
            (
                self.bodies,
                self._bones,
                neutral,
                np.array(ranges),
                options.wrist_twist,
                leading.lifts * tick,
                (leading.turning, leading.turning_fixed),
            ),
            leading.calming.numbers,
        )

    def start(self, row: Array) -> None:
        """Take note of where the clip has the arms to begin with, in generalized positions (nq,)."""
        start_ways(row, self.bodies, self.ways)

    @property
    def away(self) -> bool:
        """Whether any joint is off the clip."""
        return bool(np.count_nonzero(self.turned[..., 1:]))

    def wished(self, row: Array) -> Array:
        """A pose (nq,) with the arms where they were last wished to be: plans go on from plans, not from how far these got."""
        wished = row.copy()
        wished[self._columns] = self.ways[..., WISH : WISH + 4]
        return wished

    def follow(self, rows: Array, states: list[HandState], frames: BodyFrames, faces: Array, time: float) -> None:
        """Change the arms in the rows of one tick (n, nq) so that at its end the hands are at their goals.

        Between the last tick's end and this one's the difference from the clip grows evenly.

        Args:
            rows: The kinematic skeleton.
            states: Of both hands.
            frames: The bodies at the end of the tick, arms as in the clip.
            faces: Ahead at its end, shape (3,).
            time: Beginning of the tick [s].
        """
        left, right = states
        if not left.busy and not right.busy:
            acts = ((False, False), (left.settles, right.settles))
            memory, calm = (self.turned, self.ways), self.leading.calming.numbers
            fill_arms(rows, rows[-1], (self.bodies, *self._joints), acts, memory, calm, self._tick)
            return
        settle = self.leading.poles if left.pole == right.pole == 0.0 else self._tick
        for state in states:
            state.take_over(time, self._tick, self._tick / self.leading.elbows)
        follow_arms(
            rows,
            (frames.positions[0], frames.rotations[0]),
            faces,
            self._compiled,
            self._remembered,
            (_act(left, time), _act(right, time)),
            (time, self._tick, settle),
        )


def _act(state: HandState, time: float) -> tuple[bool, float, bool, bool, float]:
    """Whether a hand is led, how much of its arm is its own, whether it returns or begins, and `HandState.settles`."""
    return state.busy, state.ease, state.phase == "return", state.since == time, state.settles


def _turn_range(plan: BodyPlan, arm: NDArray[np.int64], spared: tuple[float, float, float]) -> Array:
    """Least and greatest swings of a hand and twist of hand and forearm together, short of their ends [rad], shape (2, 3).

    `spared` is the twist that a wrist has of its own, the share of twist that is used, and how far short [rad].
    """
    (forearm, hand), (wrist, share, spare) = (plan.limits[body] for body in arm[1:]), spared
    lower = np.array([*hand.lower[:2], share * (forearm.lower[2] - wrist)]) + spare
    upper = np.array([*hand.upper[:2], share * (forearm.upper[2] + wrist)]) - spare
    middle = 0.5 * (lower + upper)
    return np.array([np.minimum(lower, middle), np.maximum(upper, middle)])
