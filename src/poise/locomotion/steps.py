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
from math import cos, hypot, sin
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.locomotion.abstract_body import AbstractBody
from poise.locomotion.contacts import ContactPhases, runs
from poise.locomotion.curve import Curve
from poise.locomotion.swing import SwingProfile, swing_progress, swung
from poise.math.cubic import monotone_cubic

__all__ = ["FootGoal", "FootSteps", "Placement", "StepController", "StepPlan"]

Array = NDArray[np.float64]

_FROZEN = 0.8
"""After this share of a step its foothold stays."""
_ASIDE = 0.45
"""A foothold is moved aside by at most this [m]."""
_APART = 0.07
"""A foot is planted at least this far on its own side of the other one [m], or as far as in the clip where that is less."""
_BESIDE = 0.9
"""Footholds farther than this behind one another do not get in one another's way [m]."""
_SETTLES = 0.12
"""Time in which a planned foothold follows what is asked for [s]: a foot that followed at once would be thrown to and fro by
the drag it makes."""
_SLOW = 0.5
"""Below this speed a body has no direction of its own [m/s]."""


class Placement(NamedTuple):
    """A clip's ground laid onto the world's: turned by a yaw [rad], then shifted [m], shape (2,)."""

    yaw: float
    shift: Array

    def turned(self, way: Array) -> Array:
        """A way on the clip's ground, in the world, shape (2,)."""
        x, y = self._turned(*way.tolist())
        return np.array([x, y])

    def laid(self, place: Array) -> Array:
        """A place of the clip's ground in the world [m], shape (2,)."""
        return np.array(self.spot(*place.tolist()))

    def spot(self, x: float, y: float) -> tuple[float, float]:
        """The same of a place in two numbers, for who has many of them to lay."""
        own = self._turned(x, y)
        return own[0] + float(self.shift[0]), own[1] + float(self.shift[1])

    def _turned(self, x: float, y: float) -> tuple[float, float]:
        c, s = cos(self.yaw), sin(self.yaw)
        return c * x - s * y, s * x + c * y


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
    """

    def __init__(self, feet: Sequence[FootSteps], profile: SwingProfile, start: Placement, step: float) -> None:
        self.feet, self.profile, self.step = tuple(feet), profile, step
        self.plans = [StepPlan(_stance(foot, 0.0), start, start) for foot in self.feet]
        self.goals = [FootGoal(start.laid(foot.way(0.0)[:2]), start.yaw, 1.0) for foot in self.feet]

    def enter(self, time: float, start: Placement) -> None:
        """Begin anew in the midst of a clip, at a time of it [s] and with its ground laid by `start`."""
        self.plans = [StepPlan(_stance(foot, time), start, start) for foot in self.feet]

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
            at = _stance(foot, time)
            if at != plan.stance:
                plan = StepPlan(at, plan.planned, plan.planned)
            if at < 0 or time > foot.leaves[at]:
                leaves, lands = _swing(foot, at)
                share = (time - leaves) / max(lands - leaves, 1e-6)
                if share < _FROZEN or at + 1 == len(foot.lands):
                    plan = self._planned(number, foot.way(lands)[:2], plan, body, carried, ahead)
                self.goals[number] = self._on_its_way(foot, plan, time, leaves, lands)
            else:
                self.goals[number] = FootGoal(plan.stood.laid(foot.way(time)[:2]), plan.stood.yaw, 1.0)
            self.plans[number] = plan
        return self.goals[0], self.goals[1]

    def _planned(
        self, number: int, lands: Array, plan: StepPlan, body: AbstractBody, carried: Placement, ahead: Array
    ) -> StepPlan:
        """A foothold in the direction of the velocity (Eq. 3), as far ahead as in the clip, feet uncrossed."""
        # Two numbers at a time: arrays of two take several times as long.
        (fore, side), (vx, vy) = ahead.tolist(), body.velocity.tolist()
        here, there = body.position.tolist(), carried.spot(*lands.tolist())
        length = max((there[0] - here[0]) * fore + (there[1] - here[1]) * side, 0.0)
        speed = max(hypot(vx, vy), _SLOW)
        asked = min(max(length * (vy * fore - vx * side) / speed, -_ASIDE), _ASIDE)
        aside = plan.aside + (asked - plan.aside) * min(self.step / _SETTLES, 1.0)
        shift, hand = aside, 1.0 if number == 0 else -1.0
        other, its = self.feet[1 - number], self.plans[1 - number]
        stood = other.way(other.lands[its.stance] if its.stance >= 0 else 0.0)[:2]
        planted = its.stood.spot(*stood.tolist())
        x, y = there[0] - planted[0], there[1] - planted[1]
        if abs(x * fore + y * side) < _BESIDE:
            own = carried.turned(lands - stood).tolist()
            least = min(_APART, hand * (own[1] * fore - own[0] * side))
            shift += hand * max(least - hand * (y * fore - x * side + shift), 0.0)
        placed = np.array([carried.shift[0] - shift * side, carried.shift[1] + shift * fore])
        return plan._replace(planned=Placement(carried.yaw, placed), aside=aside)

    def _on_its_way(self, foot: FootSteps, plan: StepPlan, time: float, leaves: float, lands: float) -> FootGoal:
        share = (time - leaves) / max(lands - leaves, 1e-6)
        old, new = plan.stood, plan.planned
        done = swing_progress(self.profile, share)
        yaw = old.yaw + done * (new.yaw - old.yaw)
        if self.profile is SwingProfile.CLIP:
            now = foot.way(time)[:2]
            start, end = old.laid(now), new.laid(now)
            place = start + done * (end - start)
        else:
            start, end = old.laid(foot.way(leaves)[:2]), new.laid(foot.way(lands)[:2])
            if self.profile is SwingProfile.MINIMUM_JERK:
                period = lands - leaves
                off, on = old.turned(foot.slope(leaves)[:2]), new.turned(foot.slope(lands)[:2])
                place = swung(share, start, end, period * off, period * on)
            else:
                place = start + done * (end - start)
        return FootGoal(place, yaw, min(share, 1.0 - 1e-9), lands - leaves)


def _stance(foot: FootSteps, time: float) -> int:
    """The last stance that has begun by a time; -1 before the first."""
    return bisect_right(foot.lands, time) - 1


def _swing(foot: FootSteps, stance: int) -> tuple[float, float]:
    """When the foot leaves a stance and lands in the next; a clip may begin or end on the way."""
    leaves = float(foot.leaves[stance]) if stance >= 0 else 0.0
    lands = float(foot.lands[stance + 1]) if stance + 1 < len(foot.lands) else foot.duration
    return leaves, lands
