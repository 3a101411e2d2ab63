"""The step controller: plan, step, plant (Bermudez 2018, Sec. 4.1), with lengths and times of the clip's own steps.

A foot stands where it was planted. When the clip lifts it, a foothold is planned as far from the body, in the direction of its
velocity, and as far aside as the clip's next one lies (Eq. 3), and is planned anew while the foot is on its way until it is
nearly there. A step is done when the body has gone as far as the clip's does in that step (Eq. 5 with the body's own speed in
place of the intended one: the slower the body, the slower the step), so that the foot is down before the body reaches it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import cos, hypot, sin
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise import parameters
from poise.locomotion.abstract_body import AbstractBody
from poise.locomotion.contacts import ContactPhases, runs
from poise.locomotion.curve import Curve
from poise.locomotion.swing import SwingProfile, swing_progress, swung
from poise.math.cubic import monotone_cubic

__all__ = ["FootGoal", "FootSteps", "FootholdOptions", "Placement", "StepController", "StepPlan"]

Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class FootholdOptions:
    """Where a wader's feet are planted."""

    frozen: float = parameters.number(
        0.8,
        0.05,
        1.0,
        says="after this share of a step its foothold stays",
        source="a foot that comes down goes nowhere else",
    )
    aside: float = parameters.number(
        0.45, 0.0, 2.0, "m", says="how far aside a foothold is moved at most", source="half a leg's length"
    )
    apart: float = parameters.number(
        0.07,
        0.0,
        0.5,
        "m",
        says="how far on its own side of the other foot one is planted at least, or as far as in the clip where that is less",
        source="legs would cross",
    )
    beside: float = parameters.number(
        0.9,
        0.0,
        5.0,
        "m",
        says="footholds farther than this behind one another do not get in one another's way",
        source="longer than a step",
    )
    settles: float = parameters.number(
        0.12,
        0.001,
        2.0,
        "s",
        says="in what time a planned foothold follows what is asked for",
        source="a foot that followed at once would be thrown to and fro by the drag it makes",
    )
    slow: float = parameters.number(
        0.5,
        0.01,
        5.0,
        "m/s",
        says="below this speed a body has less and less of a direction of its own",
        source="chosen",
    )

    def __post_init__(self) -> None:
        parameters.check(self, "footholds")


class Placement(NamedTuple):
    """A clip's ground laid onto the world's: turned by a yaw [rad], then shifted [m], shape (2,)."""

    yaw: float
    shift: Array

    def turned(self, way: Array) -> Array:
        """A way on the clip's ground, in the world, shape (2,)."""
        return np.array(self.way(*way.tolist()))

    def laid(self, place: Array) -> Array:
        """A place of the clip's ground in the world [m], shape (2,)."""
        return np.array(self.spot(*place.tolist()))

    def spot(self, x: float, y: float) -> tuple[float, float]:
        """The same of a place in two numbers, for who has many of them to lay."""
        (ahead, left), (east, north) = self.way(x, y), self.shift.tolist()
        return ahead + east, left + north

    def way(self, x: float, y: float) -> tuple[float, float]:
        """A way of two numbers likewise."""
        c, s = cos(self.yaw), sin(self.yaw)
        return c * x - s * y, s * x + c * y


class Swing(NamedTuple):
    """One step of a clip's foot: when it leaves and lands [s], where its ball does so [m] and how fast it goes then [m/s]."""

    leaves: float
    lands: float
    start: tuple[float, float]
    end: tuple[float, float]
    off: tuple[float, float]
    on: tuple[float, float]


@dataclass(frozen=True, eq=False)
class FootSteps:
    """One foot of a clip.

    Args:
        lands: When it lands [s], shape (n,); the first may be the clip's beginning.
        leaves: When it leaves, shape (n,); the last may be the clip's end.
        way: Where its ball is at a time, shape (3,).
        slope: How fast that changes, shape (3,).
        duration: Of the clip [s].
    """

    lands: Array
    leaves: Array
    way: Callable[[float], Array]
    slope: Callable[[float], Array]
    duration: float

    @classmethod
    def of(cls, phases: ContactPhases, foot: int, balls: Array) -> FootSteps:
        """From contact phases, the foot's number (0 left, 1 right) and its ball at every frame (T, 3)."""
        mask = phases.mask[:, 2 * foot] | phases.mask[:, 2 * foot + 1]
        spans = runs(mask)
        way = monotone_cubic(np.arange(len(balls)) / phases.rate, balls)
        first, last = (np.array([span[k] for span in spans]) / phases.rate for k in (0, 1))
        return cls(first, last, Curve(way), Curve(way.derivative()), (len(balls) - 1) / phases.rate)

    # Worked out once, since a step controller asks in every tick.

    @cached_property
    def swings(self) -> list[Swing]:
        """The step before each landing and the one after the last stance; a clip may begin or end on the way."""
        leaves, lands = [0.0, *self.leaves.tolist()], [*self.lands.tolist(), self.duration]
        return [
            Swing(*span, *(_level(curve(time)) for curve in (self.way, self.slope) for time in span))
            for span in zip(leaves, lands, strict=True)
        ]

    @cached_property
    def stands(self) -> list[tuple[float, float]]:
        """Where its ball is at the clip's beginning and as it lands in each stance [m]."""
        return [_level(self.way(time)) for time in (0.0, *self.lands.tolist())]

    @cached_property
    def _begins(self) -> list[float]:
        return list(self.lands.tolist())

    @cached_property
    def _ends(self) -> list[float]:
        return list(self.leaves.tolist())

    def stance(self, time: float) -> int:
        """The last stance that has begun by a time; -1 before the first."""
        return bisect_right(self._begins, time) - 1

    def swings_at(self, time: float, stance: int) -> bool:
        """Whether it is off the ground at a time, after a stance."""
        return stance < 0 or time > self._ends[stance]


class FootGoal(NamedTuple):
    """Where one foot shall be.

    Args:
        place: Of its ball on the ground [m], shape (2,).
        yaw: By how much it is turned against the clip [rad].
        share: How much of its step is done, 0…1; 1 while it stands.
        period: How long its step takes in the clip [s]; 0 while it stands.
    """

    place: Array
    yaw: float
    share: float
    period: float = 0.0


class StepPlan(NamedTuple):
    """One foot's memory: the stance it is in or last was in, how that lies, how the next one is planned, how far aside [m]."""

    stance: int
    stood: Placement
    planned: Placement
    aside: float = 0.0


class StepController:
    """Moves the feet of one character.

    Args:
        feet: Left and right foot of its clip.
        profile: How a foot swings.
        start: How the clip's ground lies at the beginning.
        step: Time between two calls [s].
        options: Where feet are planted.
    """

    def __init__(
        self,
        feet: Sequence[FootSteps],
        profile: SwingProfile,
        start: Placement,
        step: float,
        options: FootholdOptions | None = None,
    ) -> None:
        self.feet, self.profile, self.step = tuple(feet), profile, step
        self.options = options or FootholdOptions()
        self.plans = [StepPlan(foot.stance(0.0), start, start) for foot in self.feet]
        self.goals = [FootGoal(start.laid(foot.way(0.0)[:2]), start.yaw, 1.0) for foot in self.feet]

    def enter(self, time: float, start: Placement) -> None:
        """Begin anew in the midst of a clip, at a time of it [s] and with its ground laid by `start`."""
        self.plans = [StepPlan(foot.stance(time), start, start) for foot in self.feet]

    def advance(self, time: float, body: AbstractBody, carried: Placement, ahead: Array) -> tuple[FootGoal, FootGoal]:
        """Where both feet shall be.

        Args:
            time: Of the clip [s], not less than at the last call.
            body: The abstract body.
            carried: How the clip's ground lies when it is carried along with the body.
            ahead: Unit vector of the direction intended, shape (2,).
        """
        for number, foot in enumerate(self.feet):
            plan = self.plans[number]
            at = foot.stance(time)
            if at != plan.stance:
                plan = StepPlan(at, plan.planned, plan.planned)
            if foot.swings_at(time, at):
                swing = foot.swings[at + 1]
                share = (time - swing.leaves) / max(swing.lands - swing.leaves, 1e-6)
                if share < self.options.frozen or at + 1 == len(foot.lands):
                    plan = self._planned(number, swing.end, plan, body, carried, ahead)
                self.goals[number] = self._on_its_way(foot, plan, time, share, swing)
            else:
                stood = plan.stood.spot(*_level(foot.way(time)))
                self.goals[number] = FootGoal(np.array(stood), plan.stood.yaw, 1.0)
            self.plans[number] = plan
        return self.goals[0], self.goals[1]

    def _planned(
        self,
        number: int,
        lands: tuple[float, float],
        plan: StepPlan,
        body: AbstractBody,
        carried: Placement,
        ahead: Array,
    ) -> StepPlan:
        """A foothold in the direction of the velocity (Eq. 3), as far ahead as in the clip, feet uncrossed."""
        # Two numbers at a time: arrays of two take several times as long.
        options, (fore, side), (vx, vy) = self.options, ahead.tolist(), body.velocity.tolist()
        here, there = body.position.tolist(), carried.spot(*lands)
        length = max((there[0] - here[0]) * fore + (there[1] - here[1]) * side, 0.0)
        speed, most = max(hypot(vx, vy), options.slow), options.aside
        asked = min(max(length * (vy * fore - vx * side) / speed, -most), most)
        aside = plan.aside + (asked - plan.aside) * min(self.step / options.settles, 1.0)
        shift, hand = aside, 1.0 if number == 0 else -1.0
        other, its = self.feet[1 - number], self.plans[1 - number]
        stood = other.stands[its.stance + 1]
        planted = its.stood.spot(*stood)
        x, y = there[0] - planted[0], there[1] - planted[1]
        if abs(x * fore + y * side) < options.beside:
            own = carried.way(lands[0] - stood[0], lands[1] - stood[1])
            least = min(options.apart, hand * (own[1] * fore - own[0] * side))
            shift += hand * max(least - hand * (y * fore - x * side + shift), 0.0)
        east, north = carried.shift.tolist()
        return plan._replace(
            planned=Placement(carried.yaw, np.array([east - shift * side, north + shift * fore])), aside=aside
        )

    def _on_its_way(self, foot: FootSteps, plan: StepPlan, time: float, share: float, swing: Swing) -> FootGoal:
        old, new = plan.stood, plan.planned
        done, period = swing_progress(self.profile, share), swing.lands - swing.leaves
        yaw = old.yaw + done * (new.yaw - old.yaw)
        if self.profile is SwingProfile.CLIP:
            now = _level(foot.way(time))
            start, end = old.spot(*now), new.spot(*now)
        else:
            start, end = old.spot(*swing.start), new.spot(*swing.end)
        if self.profile is SwingProfile.MINIMUM_JERK:
            ways = zip(start, end, old.way(*swing.off), new.way(*swing.on), strict=True)
            place = [swung(share, a, b, period * off, period * on) for a, b, off, on in ways]
        else:
            place = [a + done * (b - a) for a, b in zip(start, end, strict=True)]
        return FootGoal(np.array(place), yaw, min(share, 1.0 - 1e-9), period)


def _level(place: Array) -> tuple[float, float]:
    """The first two of some numbers."""
    return float(place[0]), float(place[1])
