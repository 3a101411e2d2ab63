"""Somebody climbs onto somebody else's shoulders, with or without a rider on their own (Vaillant 2017, Acrobats)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from poise.groups import Group
from poise.math import quat
from poise.qp import CenterOfMassTask, Condition, Controller, FrameTask, Phase, Task, all_of, lasting, reached

__all__ = ["SHOULDER", "Standing", "climb", "foothold", "over_feet"]

SHOULDER = 0.87 - 0.6 - 0.015
"""Height of the top of the shoulders over the waist, as a share of stature."""
WEIGHTS = (8000.0, 4000.0, 1000.0)
"""Of balance, from the lowest up, the last for all above: postures would bend a tall pendulum held softer."""
CROUCH, LIFT = 0.3, 0.08
"""How far the one below goes down, and how far a foot is lifted over the shoulder that it goes to [m]."""
LEAN = 5.0
"""Weight of the climber's being upright."""
SHIFTING = 0.15
"""How fast weight is shifted [m/s]."""
SIDES = ("left", "right")

Making = Callable[[Controller], Task]
Wanted = Mapping[str, Task | Making]


class Standing(NamedTuple):
    """Who keeps whom over which contacts.

    Args:
        name: Who.
        riders: Whom they carry.
        contacts: What they stand on; None for both feet.
    """

    name: str
    riders: Sequence[str] = ()
    contacts: Sequence[str] | None = None

    def middle(self, group: Group) -> np.ndarray:
        """Of what they stand on, as it is now [m], shape (3,)."""
        return group.over(*(self.contacts or [f"{self.name}/{side}_foot" for side in SIDES]))


def foothold(group: Group, below: str, side: str) -> tuple[float, float, float]:
    """Where the middle of a sole goes on somebody's shoulders, in their spine's frame [m]."""
    stature, sign = group.people[below].stature, 1.0 if side == "left" else -1.0
    return (-0.01, sign * 0.088 * stature, SHOULDER * stature)


def over_feet(
    group: Group, standing: Sequence[Standing], balanced: bool = True, place: np.ndarray | None = None
) -> dict[str, CenterOfMassTask]:
    """Tasks that keep everybody, with those they carry, over the middle of what they stand on.

    Args:
        group: Whose.
        standing: From the lowest up.
        balanced: Whether anybody sees to it.
        place: Over which place in the place of that [m], shape (3,).
    """
    return {
        f"{one.name} balance": CenterOfMassTask(
            owners=[one.name, *one.riders],
            target=one.middle(group) if place is None else place,
            axes=(1.0, 1.0, 0.0),
            weight=WEIGHTS[min(number, len(WEIGHTS) - 1)] if balanced else 0.0,
            stiffness=10.0,
        )
        for number, one in enumerate(standing)
    }


class Weight(NamedTuple):
    """Where a climber's weight is.

    Args:
        sides: Over which of their feet.
        carried: Whether the one below bears it.
    """

    sides: Sequence[str]
    carried: bool


class _Climb(NamedTuple):
    """One climb: who, onto whom, with whom on their shoulders, and who else is there."""

    group: Group
    climber: str
    below: str
    riders: Sequence[str]
    balanced: bool

    def foot(self, side: str) -> str:
        """A foot of the climber's, and the contact of its sole."""
        return f"{self.climber}/{side}_foot"

    def standing(self, weight: Weight) -> list[Standing]:
        """Everybody from the lowest up, the climber over some feet, and carried by the one below or not."""
        own = (self.climber, *self.riders)
        special = {
            self.climber: Standing(self.climber, self.riders, [self.foot(side) for side in weight.sides]),
            self.below: Standing(self.below, own if weight.carried else ()),
        }
        return [special.get(name, Standing(name)) for name in self.group.people]

    def phase(self, name: str, weight: Weight, until: Condition, tasks: Wanted, **contacts: Any) -> Phase:
        """A phase in which everybody stays over what they stand on, wherever that goes.

        Args:
            name: What to call it.
            weight: Where the climber's is.
            until: When it is over.
            tasks: What else is wanted.
            contacts: What is made and let go, as a phase has it.
        """
        standing, made = self.standing(weight), dict[str, CenterOfMassTask]()

        def make(controller: Controller, label: str) -> Task:
            made[label] = over_feet(self.group, standing, self.balanced)[label]
            made[label].speed = SHIFTING
            return made[label]

        def follow(controller: Controller, time: float) -> None:
            for one in standing:
                made[f"{one.name} balance"].target = one.middle(self.group)

        wanted: dict[str, Task | Making] = {
            f"{one.name} balance": partial(make, label=f"{one.name} balance") for one in standing
        }
        # Who climbs may bend forward.
        wanted[f"{self.climber} upright"] = self.group.keep_turned(f"{self.climber}/spine", weight=LEAN, stiffness=15.0)
        label = f"{self.climber} onto {self.below}: {name}"
        return Phase(name=label, tasks={**wanted, **tasks}, each=follow, until=until, **contacts)

    def crouching(self, down: float) -> dict[str, Making]:
        """The pelvis of the one below so much lower than when this begins [m]."""

        def make(controller: Controller) -> Task:
            place = self.group.point(f"{self.below}/pelvis", (0.0, 0.0, -down))
            return FrameTask(
                body=f"{self.below}/pelvis",
                target=place,
                axes=(0.0, 0.0, 1.0, 0.0, 0.0, 0.0),
                weight=2000.0,
                stiffness=15.0,
                speed=0.3,
            )

        return {"crouch": make}

    def stepping(self, side: str, away: tuple[float, float, float], speed: float) -> dict[str, Making]:
        """A foot to its hold on the shoulders, or so far away from it [m]."""
        sole = self.group.sole(self.climber, side)
        place = np.array(foothold(self.group, self.below, side)) + away
        task = FrameTask(
            body=sole.second,
            point=sole.middle,
            target=place,
            rotation=quat.IDENTITY,
            against=f"{self.below}/spine",
            weight=1000.0,
            stiffness=40.0,
            speed=speed,
        )
        return {"swing": lambda controller: task}

    def step(self, side: str, second: bool) -> list[Phase]:
        """One foot up; the weight on the other, which stands behind or, for the second step, on the shoulders."""
        rest = Weight([one for one in SIDES if one != side], second)
        arrived = [f"{name} balance" for name in (self.climber, self.below)]
        shifted = all_of(*(reached(name, 0.015, 0.03, 6.0) for name in arrived))
        sole = self.group.sole(self.climber, side, f"{self.below}/spine")
        down = self.crouching(0.0)
        over, onto = self.stepping(side, (-0.05, 0.0, LIFT), 0.4), self.stepping(side, (0.0, 0.0, 0.0), 0.25)
        up, there = reached("swing", 0.04, 0.5, 4.0), reached("swing", 0.003, 0.03, 4.0)
        return [
            self.phase(f"weight off the {side} foot", rest, shifted, down),
            self.phase(f"{side} foot lifted", rest, lasting(0.16), down, release=[self.foot(side)]),
            self.phase(f"{side} foot up", rest, up, {**down, **over}),
            self.phase(f"{side} foot down", rest, there, {**down, **onto}),
            self.phase(f"{side} foot on", rest, lasting(0.1), down, touch=[sole]),
        ]


def climb(group: Group, climber: str, below: str, *, riders: Sequence[str] = (), balanced: bool = True) -> list[Phase]:
    """Phases in which somebody steps onto somebody's shoulders from behind, one foot after the other.

    The one below goes down first, and up again when both feet are on their shoulders.

    Args:
        group: Whose.
        climber: Who climbs, standing behind.
        below: Onto whom.
        riders: Who stands on the climber.
        balanced: Whether anybody sees to balance.
    """
    one, both = _Climb(group, climber, below, riders, balanced), Weight(SIDES, True)
    lowered, gathered = reached("crouch", 0.02, 0.05, 4.0), reached(f"{climber} balance", 0.015, 0.03, 5.0)
    return [
        one.phase("crouch", Weight(SIDES, False), lowered, one.crouching(CROUCH)),
        *one.step("right", second=False),
        *one.step("left", second=True),
        one.phase("gather", both, all_of(gathered, lasting(0.5)), one.crouching(0.0)),
        one.phase("rise", both, lasting(2.0), {}),
    ]
