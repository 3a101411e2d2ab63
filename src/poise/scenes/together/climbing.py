"""Somebody climbs onto somebody else's shoulders, with or without a rider on their own (Vaillant 2017, Acrobats)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from poise import parameters
from poise.groups import Group
from poise.groups.grips import hold
from poise.math import quat
from poise.qp import (
    CenterOfMassTask,
    Condition,
    Controller,
    FrameTask,
    JointTask,
    Phase,
    Task,
    all_of,
    lasting,
    reached,
)

__all__ = ["SHOULDER", "ClimbOptions", "Standing", "climb", "foothold", "over_feet", "steadied"]

SHOULDER = 0.87 - 0.6 - 0.015
"""Height of the top of the shoulders over the waist, as a share of stature."""
SHANK, ANKLE = 0.246, 0.024
"""Length of a shank, and radius of it where it is held, as shares of stature."""
SIDES = ("left", "right")
RAISED = {"upper_arm/y": -1.95, "upper_arm/x": 0.0, "upper_arm/z": 0.0, "forearm/y": -2.2}
"""An arm on its way to somebody's leg beside the head [rad]: straight up from the hip its shoulder is in the way."""


@dataclass(frozen=True, kw_only=True)
class ClimbOptions:
    """How people climb onto one another's shoulders. Weights are those of tasks (`poise.qp.tasks`).

    Raises:
        InputError: A number is out of range.
    """

    crouch: float = parameters.number(
        0.3,
        0.0,
        0.5,
        "m",
        says="how far the one below goes down",
        source="with less the climber's knee would have to do the rest, with more that of the one below",
    )
    lift: float = parameters.number(
        0.08,
        0.0,
        0.3,
        "m",
        says="how far a foot is lifted over the shoulder that it goes to",
        source="clears the shoulder",
    )
    shifting: float = parameters.number(0.15, 0.02, 1.0, "m/s", says="how fast weight is shifted")
    upright: float = parameters.number(
        5.0,
        0.0,
        1e4,
        "s⁴/rad²",
        says="weight of the climber's being upright",
        source="a tenth of what it is else: may bend",
    )
    lowest: float = parameters.number(
        8000.0,
        1.0,
        1e6,
        "s⁴/m²",
        says="weight of the balance of the lowest",
        source="postures would bend a tall pendulum held softer",
    )
    next: float = parameters.number(4000.0, 1.0, 1e6, "s⁴/m²", says="weight of the balance of the one above the lowest")
    upper: float = parameters.number(1000.0, 1.0, 1e6, "s⁴/m²", says="weight of the balance of all above those")
    shin: float = parameters.number(
        0.65,
        0.3,
        0.9,
        "",
        says="how far down the shank hands hold who stands on the shoulders, as a share of it",
        source="lower the elbow would have to bend beyond its range",
    )

    def __post_init__(self) -> None:
        parameters.check(self, "climb")


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


def steadied(
    group: Group, below: str, above: str, sides: Sequence[str], options: ClimbOptions | None = None
) -> dict[str, Task]:
    """Tasks of the hands of somebody who steadies the legs of who stands on their shoulders.

    Args:
        group: Whose.
        below: Whose hands.
        above: Whose legs.
        sides: Which.
        options: Where.
    """
    stature, shin = group.people[above].stature, (options or ClimbOptions()).shin
    tasks: dict[str, Task] = {}
    for side in sides:
        limb = f"{above}/{side}_shank"
        tasks |= hold(group, below, side, limb, along=shin * SHANK * stature, radius=ANKLE * stature)
    return tasks


def _raised(group: Group, name: str, sides: Sequence[str]) -> dict[str, Task]:
    """Tasks that bring arms up in front of the shoulders."""
    return {
        f"{name} {side} arm": JointTask(
            joints=[f"{name}/{side}_{joint}" for joint in RAISED],
            target=list(RAISED.values()),
            weight=100.0,
            stiffness=10.0,
            speed=2.0,
        )
        for side in sides
    }


def over_feet(
    group: Group,
    standing: Sequence[Standing],
    balanced: bool = True,
    place: np.ndarray | None = None,
    options: ClimbOptions | None = None,
) -> dict[str, CenterOfMassTask]:
    """Tasks that keep everybody, with those they carry, over the middle of what they stand on.

    Args:
        group: Whose.
        standing: From the lowest up.
        balanced: Whether anybody sees to it.
        place: Over which place in the place of that [m], shape (3,).
        options: How much it counts.
    """
    options = options or ClimbOptions()
    weights = (options.lowest, options.next, options.upper)
    return {
        f"{one.name} balance": CenterOfMassTask(
            owners=[one.name, *one.riders],
            target=one.middle(group) if place is None else place,
            axes=(1.0, 1.0, 0.0),
            weight=weights[min(number, 2)] if balanced else 0.0,
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
    options: ClimbOptions

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
            made[label] = over_feet(self.group, standing, self.balanced, options=self.options)[label]
            made[label].speed = self.options.shifting
            return made[label]

        def follow(controller: Controller, time: float) -> None:
            for one in standing:
                made[f"{one.name} balance"].target = one.middle(self.group)

        wanted: dict[str, Task | Making] = {
            f"{one.name} balance": partial(make, label=f"{one.name} balance") for one in standing
        }
        # Who climbs may bend forward.
        spine = f"{self.climber}/spine"
        wanted[f"{self.climber} upright"] = self.group.keep_turned(spine, weight=self.options.upright, stiffness=15.0)
        label = f"{self.climber} onto {self.below}: {name}"
        return Phase(name=label, tasks={**wanted, **tasks}, each=follow, until=until, **contacts)

    def hands(self, on: Sequence[str] = (), coming: Sequence[str] = ()) -> dict[str, Task]:
        """Those of the one below, on the climber's legs and on their way there, and the climber's on the rider's legs."""
        group, below = self.group, self.below
        tasks = steadied(group, below, self.climber, on, self.options) | _raised(group, below, coming)
        return tasks | (steadied(group, self.climber, self.riders[0], SIDES, self.options) if self.riders else {})

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
        others = [one for one in SIDES if one != side]
        rest = Weight(others, second)
        arrived = [f"{name} balance" for name in (self.climber, self.below)]
        shifted = all_of(*(reached(name, 0.015, 0.03, 6.0) for name in arrived))
        sole = self.group.sole(self.climber, side, f"{self.below}/spine")
        # Hands come up while a foot comes down, and take hold of its leg when it stands.
        down = self.crouching(0.0)
        on = others if second else ()
        raising, holding, coming = self.hands(coming=on), self.hands(on), self.hands(on, [side])
        lift = self.options.lift
        over, onto = self.stepping(side, (-0.05, 0.0, lift), 0.4), self.stepping(side, (0.0, 0.0, 0.0), 0.25)
        up, there = reached("swing", 0.04, 0.5, 4.0), reached("swing", 0.003, 0.03, 4.0)
        return [
            self.phase(f"weight off the {side} foot", rest, shifted, {**down, **raising}),
            self.phase(f"{side} foot lifted", rest, lasting(0.16), {**down, **holding}, release=[self.foot(side)]),
            self.phase(f"{side} foot up", rest, up, {**down, **over, **holding}),
            self.phase(f"{side} foot down", rest, there, {**down, **onto, **coming}),
            self.phase(f"{side} foot on", rest, lasting(0.1), {**down, **coming}, touch=[sole]),
        ]


def climb(
    group: Group,
    climber: str,
    below: str,
    *,
    riders: Sequence[str] = (),
    balanced: bool = True,
    options: ClimbOptions | None = None,
) -> list[Phase]:
    """Phases in which somebody steps onto somebody's shoulders from behind, one foot after the other.

    The one below goes down first, and up again when both feet are on their shoulders.

    Args:
        group: Whose.
        climber: Who climbs, standing behind.
        below: Onto whom.
        riders: Who stands on the climber.
        balanced: Whether anybody sees to balance.
        options: How.
    """
    options = options or ClimbOptions()
    one, both = _Climb(group, climber, below, riders, balanced, options), Weight(SIDES, True)
    lowered, gathered = reached("crouch", 0.02, 0.05, 4.0), reached(f"{climber} balance", 0.015, 0.03, 5.0)
    coming = one.hands(["right"], ["left"])
    return [
        one.phase("crouch", Weight(SIDES, False), lowered, {**one.crouching(options.crouch), **one.hands()}),
        *one.step("right", second=False),
        *one.step("left", second=True),
        one.phase("gather", both, all_of(gathered, lasting(0.5)), {**one.crouching(0.0), **coming}),
        one.phase("rise", both, lasting(2.0), one.hands(SIDES)),
    ]
