"""Hands of a wader: over the surface where the clip has them in it, as long as shoulders are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise import parameters
from poise.body.coordinates import BodyFrames, body_frames
from poise.body.plan import BodyPlan
from poise.ik.limbs import LimbGoals, LimbOptions, LimbSolver
from poise.math import quat
from poise.math.easing import smoothstep
from poise.wading.skin import BodySkin

__all__ = ["HandsOptions", "LiftedHands"]

Array = NDArray[np.float64]

_UP = np.array([0.0, 0.0, 1.0])
_SOFTNESS = 0.002
"""Arms reach exactly up to this share less than their length."""


@dataclass(frozen=True, kw_only=True)
class HandsOptions:
    """How hands are lifted out of a fluid."""

    over: float = parameters.number(
        0.22, 0.0, 1.0, "m", says="how high over the surface a wrist is kept", source="a hand hangs below its wrist"
    )
    soft: float = parameters.number(
        0.1,
        0.001,
        1.0,
        "m",
        says="how near to that a wrist begins to be lifted",
        source="it would jump where it begins",
    )
    highest: float = parameters.number(
        0.1,
        0.001,
        1.0,
        "m",
        says="how far over a shoulder the surface is where lifting the hand is given up, by and by from the shoulder on",
        source="at once, hands would be thrown down and up as it bobs",
    )
    aside: float = parameters.number(
        0.22, 0.0, 2.0, says="how far aside a hand is carried, for every meter it is lifted", source="chosen by eye"
    )
    ahead: float = parameters.number(0.32, 0.0, 2.0, says="and how far ahead", source="chosen by eye")
    wide: float = parameters.number(
        0.42,
        0.0,
        1.0,
        says="how far beside the shoulder a hand is held that is lifted far, in lengths of the arm",
        source="wide, for balance",
    )
    before: float = parameters.number(0.42, 0.0, 1.0, says="and how far before it", source="chosen by eye")
    still: float = parameters.number(
        0.6, 0.0, 1.0, says="share by which a hand that is lifted far swings less with the walk", source="chosen by eye"
    )
    far: float = parameters.number(
        0.4, 0.01, 2.0, "m", says="what is far there, and to be held beside and before the shoulder"
    )
    hangs: float = parameters.number(
        0.25,
        0.01,
        2.0,
        "m",
        says="how far below a height at which a wrist is level with the shoulder the surface is where an elbow may hang down",
        source="an upper arm that hangs is as long",
    )
    farthest: float = parameters.number(
        0.8, 0.1, 1.0, says="share of its arm's length within which a lifted hand stays", source="elbows keep bent"
    )
    folded: float = parameters.number(
        0.62, 0.1, 1.0, says="the same where elbows may not hang", source="forearms point up there"
    )
    forearms: float = parameters.number(
        0.04, 0.0, 0.5, "m", says="how much higher a hand is lifted where elbows may not hang", source="chosen by eye"
    )
    begins: float = parameters.number(
        0.15,
        0.001,
        1.0,
        "m",
        says="a hand lifted less is not yet held as lifted ones are",
        source="it would jump there",
    )
    own: float = parameters.number(
        0.4,
        0.0,
        10.0,
        says="how much of an elbow's own direction is in the one wanted",
        source="an elbow that minded a direction along its arm alone would be thrown round it",
    )
    takes: float = parameters.number(
        0.3,
        0.01,
        5.0,
        "s",
        says="in what time a surface that comes nearer to a shoulder, or goes, is taken in",
        source="about a reaction and half a step",
    )

    def __post_init__(self) -> None:
        parameters.check(self, "hands")


class _Lift(NamedTuple):
    """A hand that is to be lifted.

    Args:
        number: 0 for the left one, 1 for the right one.
        limb: Which of the solver's.
        arm: Where shoulder, elbow and wrist are [m], shape (3, 3).
        of_use: How much lifting is of use, 0…1.
        drop: How low its elbow may hang, 0…1.
        high: How high its wrist is to be at least [m].
        short: How far below that it is [m].
    """

    number: int
    limb: int
    arm: Array
    of_use: float
    drop: float
    high: float
    short: float


class LiftedHands:
    """Lifts the hands of one character.

    Args:
        plan: The character.
        options: How.
        skin: It says what hands hold that hangs lower than hands do, such as a shield; nothing where None.
    """

    def __init__(self, plan: BodyPlan, options: HandsOptions, skin: BodySkin | None = None) -> None:
        self._plan, self.options = plan, options
        self._solver = LimbSolver(plan, LimbOptions(softness=_SOFTNESS, limits=False))
        self._arms = [self._solver.names.index(name) for name in ("left_hand", "right_hand")]
        self._held = [self._holds(skin, int(self._solver.bodies[limb][2])) for limb in self._arms]
        # Hands hang clear of a surface that is farther below the shoulder than that.
        clear = options.over + options.forearms + options.soft
        self._clear = [
            self._solver.lengths[limb] + clear + max((_length(point) - options.over for point in held), default=0.0)
            for limb, held in zip(self._arms, self._held, strict=True)
        ]

    def _holds(self, skin: BodySkin | None, hand: int) -> Array:
        """What of a hand and of what it holds is farther from the wrist than a hand is long, in its frame [m], shape (n, 3)."""
        if skin is None or hand < 0:
            return np.zeros((0, 3))
        points = skin.carried(hand)
        return np.asarray(points[np.linalg.norm(points, axis=1) > self.options.over])

    def _hangs(self, number: int, frames: BodyFrames, hand: int) -> float:
        """How much lower than a hand what it holds hangs from its wrist [m]."""
        held = self._held[number]
        if not len(held):
            return 0.0
        return max(-float(quat.rotate(frames.rotations[0, hand], held)[:, 2].min()) - self.options.over, 0.0)

    def lift(self, row: Array, level: float, ahead: Array, felt: Array | None, step: float) -> tuple[Array, BodyFrames]:
        """Bring both hands over the surface, smoothly, where they are lower; in place.

        Where the surface is to a shoulder is taken in by and by: hands that followed every nod of the trunk at once would throw
        it to and fro by the drag they make.

        Args:
            row: Generalized positions (1, nq).
            level: Height of the surface [m]; very low where there is none.
            ahead: Direction of the way, shape (2,).
            felt: How far each shoulder is over the surface as it was felt last [m], and how fast that changes [m/s], (2, 2).
            step: Since then [s].

        Returns:
            `felt` now, and body frames of the pose.
        """
        frames, options, solver = body_frames(self._plan, row), self.options, self._solver
        over = [
            min(max(float(frames.positions[0, solver.bodies[limb, 0], 2]) - level, -options.highest), clear)
            for limb, clear in zip(self._arms, self._clear, strict=True)
        ]
        felt = np.array([over, [0.0, 0.0]]) if felt is None else _followed(felt, over, options.takes, step)
        lifts = [
            lift
            for number, (limb, clear, above) in enumerate(zip(self._arms, self._clear, felt[0].tolist(), strict=True))
            if above < clear and (lift := self._short(number, limb, frames, above)) is not None
        ]
        if lifts:
            goals, (x, y) = LimbGoals.none(1, len(solver.names)), ahead.tolist()
            for lift in lifts:
                side = 1.0 if lift.number == 0 else -1.0
                self._lift(lift, (np.array([x, y, 0.0]), side * np.array([-y, x, 0.0])), goals)
            solver.solve(row, goals)
            frames = body_frames(self._plan, row)
        return felt, frames

    def _short(self, number: int, limb: int, frames: BodyFrames, above: float) -> _Lift | None:
        """How a hand is to be lifted whose shoulder is felt to be so far over the surface [m]; None where it need not be."""
        options, bodies = self.options, self._solver.bodies[limb]
        of_use = 1.0 - smoothstep(min(max(-above / options.highest, 0.0), 1.0))
        if bodies[2] < 0 or of_use <= 0.0:
            return None
        # The elbow hangs as low as the surface lets it.
        drop = min(max((above - options.over) / options.hangs, 0.0), 1.0)
        places = frames.positions[0]
        high = float(places[bodies[0], 2]) - above + options.over + (1.0 - drop) * options.forearms
        high += self._hangs(number, frames, int(bodies[2]))
        short = high - float(places[bodies[2], 2])
        return None if short <= -options.soft else _Lift(number, limb, places[bodies], of_use, drop, high, short)

    def _lift(self, asked: _Lift, ways: tuple[Array, Array], goals: LimbGoals) -> None:
        """Ask for one hand to be lifted.

        Args:
            asked: Which, and by how much.
            ways: Ahead and out to its side, shape (3,) each.
            goals: Written.
        """
        _, limb, (shoulder, elbow, hand), of_use, drop, high, short = asked
        options, length, (ahead, out) = self.options, self._solver.lengths[limb], ways
        lift = short if short >= options.soft else (short + options.soft) ** 2 / (4.0 * options.soft)
        goal = hand + lift * (_UP + options.aside * out + options.ahead * ahead)
        held = shoulder + length * (options.wide * out + options.before * ahead)
        held[2] = high
        goal += options.still * min(1.0, lift / options.far) * (held - goal)
        way = goal - shoulder
        far, own = _length(way), _length(hand - shoulder)
        # A hand that is hardly lifted is as far out as in the clip: it would jump where its lift begins.
        begun = min(1.0, lift / options.begins)
        farthest = (options.folded + drop * (options.farthest - options.folded)) * length
        farthest += (1.0 - smoothstep(begun)) * max(own - farthest, 0.0)
        goal = shoulder + way * min(1.0, farthest / max(far, 1e-9))
        goal[2] = max(goal[2], min(high, shoulder[2] + 0.5 * farthest))
        goals.positions[0, limb] = hand + of_use * (goal - hand)
        low = (0.6 - 0.3 * drop) * out - drop * _UP - 0.5 * ahead
        there = goals.positions[0, limb] - shoulder
        goals.poles[0, limb] = shoulder + _elbow_way(low, there, elbow - shoulder, hand - shoulder, options.own)
        goals.weights[0, limb] = (1.0, 0.0, of_use * begun)


def _elbow_way(wanted: Array, way: Array, elbow: Array, hand: Array, own: float) -> Array:
    """Where an elbow points to from the shoulder: as wanted, less so the nearer that is to the way to the hand.

    There the way it was bent before, turned along with the hand, has the say.

    Args:
        wanted: Shape (3,).
        way: From the shoulder to where the hand goes [m], shape (3,).
        elbow: From the shoulder to where it was [m], shape (3,).
        hand: From there to where the hand was [m], shape (3,).
        own: How much of the way it was bent is in it.
    """
    axis = way / max(_length(way), 1e-9)
    bent = quat.rotate(quat.between(hand, way), elbow)
    bent -= (bent @ axis) * axis
    return np.asarray(wanted - (wanted @ axis) * axis + own * bent / max(_length(bent), 1e-9))


def _followed(felt: Array, target: Sequence[float], time: float, step: float) -> Array:
    """Values and their rates (2, n) a step later, on their way to others (n,), critically damped, stable at any step."""
    fast, (values, rates) = 1.0 / time, felt.tolist()
    # Number by number: arrays of two take several times as long.
    rates = [
        (rate + step * fast**2 * (there - value)) / (1.0 + fast * step) ** 2
        for value, rate, there in zip(values, rates, target, strict=True)
    ]
    return np.array([[value + step * rate for value, rate in zip(values, rates, strict=True)], rates])


def _length(vector: Array) -> float:
    """As `np.linalg.norm` has it, in a third of the time."""
    return float(np.sqrt(vector @ vector))
