"""Three acrobats climb onto one another's shoulders, walk and are shaken (Vaillant 2017, Acrobats)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from poise.groups import Footstep, Group, Input, Person, walk
from poise.qp import CenterOfMassTask, Controller, Pair, Phase, Task, lasting
from poise.scenes.scene import Scene
from poise.scenes.together.climbing import SHOULDER, SIDES, ClimbOptions, Standing, climb, over_feet, steadied
from poise.scenes.together.together import together
from poise.scenes.together.variation import PLACE, Variation
from poise.world.props import Wall

__all__ = ["SHAKES", "acrobats", "acrobats_group"]

Array = NDArray[np.float64]

STEP, STRIDE = 0.01, 0.2
TOWER = ("bottom", "middle", "top")
STATURES = {"bottom": 1.85, "middle": 1.65, "top": 1.5}
MASSES = {"bottom": 95.0, "middle": 58.0, "top": 42.0}
STRENGTHS = {"bottom": 1.0, "middle": 2.3, "top": 1.0}
"""Torque limits as multiples of a person's; the bottom's have none, as the paper has it, and who climbs with a rider on one
leg needs up to 350 N m at the knee."""
RISE, BEHIND = 0.16, 0.3
"""How high each steps, from a block behind the one who crouches, and how far behind that is [m]."""
SHAKES = tuple(
    Input(1.0 + 1.5 * number, "top", offset)
    for number, offset in enumerate(
        ((0.0, 0.1, 0.0), (0.0, -0.1, 0.0), (0.05, 0.0, 0.0), (-0.05, 0.0, 0.0), (0.0, 0.0, 0.0))
    )
)
"""The recorded inputs, from when the tower stands: where the top's center of mass goes, from where it was [m]."""


def _heights() -> dict[str, float]:
    """Of what each stands on at first [m]."""
    result, height = {}, 0.0
    for name in TOWER:
        result[name] = height
        height += (0.6 + SHOULDER) * STATURES[name] - 0.03 - ClimbOptions.crouch - RISE
    return result


HEIGHTS = _heights()
BLOCKS = tuple(
    Wall(
        name=f"{name}'s block",
        position=(-BEHIND * number - 0.05, 0.0, 0.5 * HEIGHTS[name]),
        size=(0.5 * BEHIND, 0.3, 0.5 * HEIGHTS[name]),
    )
    for number, name in enumerate(TOWER)
    if number
)
"""What the upper two stand on at first, like stairs."""


def acrobats_group(*, balanced: bool = True, start: int | None = None) -> Group:
    """The three and what happens.

    Args:
        balanced: Whether anybody sees to the tower's balance once time has begun.
        start: Which of the scene's different starts (`Variation`); None for the scene as it is.
    """
    varied = Variation(start)
    straight = {"thigh/y": -0.2, "shank/y": 0.4, "foot/y": -0.2, "upper_arm/x": 0.3}
    people = {}
    for number, name in enumerate(TOWER):
        wide = {} if name == "bottom" else {"thigh/x": 0.12, "foot/x": -0.12}
        who = Person(
            stature=STATURES[name],
            mass=MASSES[name],
            place=(-BEHIND * number, 0.0, HEIGHTS[name]),
            pose={**straight, **wide},
            strong=name == "bottom",
            strength=STRENGTHS[name],
        )
        people[name] = varied.person(who, stature=0.0)
    kept = [(f"{name}/left_{part}/0", f"{name}/right_{part}/0") for name in TOWER for part in ("foot", "shank")]
    group = Group(people, step=STEP, pairs=[Pair(first=a, second=b, influence=0.05, security=0.002) for a, b in kept])
    _begin(group)
    phases = [
        Phase(name="stand", until=lasting(0.5)),
        *climb(group, "top", "middle", balanced=balanced),
        *climb(group, "middle", "bottom", riders=["top"], balanced=balanced),
    ]
    standing = [*_step(group, "left", 0, balanced, varied), *_step(group, "right", 1, balanced, varied)]
    standing.append(Phase(name="shaken", tasks=_shaken(group, balanced), until=lasting(1e9)))
    hands = steadied(group, "bottom", "middle", SIDES) | steadied(group, "middle", "top", SIDES)
    for phase in standing:
        phase.tasks = {**phase.tasks, **hands}
    phases += standing
    group.perform(phases)
    return group


def _begin(group: Group) -> None:
    """Everybody on the ground or on a block, and upright."""
    for name in TOWER:
        group.stand(name, weight=2.0, stiffness=15.0)
        group.controller.want(f"{name} upright", group.keep_turned(f"{name}/spine", weight=50.0, stiffness=15.0))
        group.controller.want(f"{name} gaze", group.look(name))
    for name, task in over_feet(group, [Standing(name) for name in TOWER]).items():
        group.controller.want(name, task)


def _tower(group: Group) -> list[Standing]:
    """Everybody on one another's shoulders, all over the bottom's feet."""
    feet = [f"bottom/{side}_foot" for side in ("left", "right")]
    return [Standing(name, TOWER[number + 1 :], feet) for number, name in enumerate(TOWER)]


def _step(group: Group, side: str, number: int, balanced: bool, varied: Variation) -> list[Phase]:
    """The bottom steps, with the others."""
    now = group.point(f"bottom/{side}_foot", group.sole("bottom", side).middle)
    goal = varied.place(now + np.array([STRIDE * (1 + (number > 0)), 0.0, 0.0]), (PLACE, 0.0, 0.0))

    def balance(place: Array) -> dict[str, Task]:
        return dict(over_feet(group, _tower(group), balanced, place))

    return walk(group, f"step {number + 1}", [Footstep("bottom", side, goal, via=(0.0, 0.0, 0.06))], balance, speed=0.3)


def _shaken(group: Group, balanced: bool) -> dict[str, Task | Callable[[Controller], Task]]:
    """The top's center of mass goes where the user says; below, the tower sees to it that all stay up."""
    top = CenterOfMassTask(owners=["top"], target=np.zeros(3), weight=500.0, stiffness=10.0, speed=0.2)
    start: list[Array] = []
    feet = ("bottom/left_foot", "bottom/right_foot")

    def begin(controller: object) -> Task:
        start[:] = [np.array([*group.over(*feet)[:2], group.center_of_mass("top")[2]])]
        top.target = start[0]
        group.play([one._replace(time=group.controller.time + one.time) for one in SHAKES])
        return top

    def move(offset: Sequence[float]) -> None:
        top.target = start[0] + np.asarray(offset, dtype=float)

    group.controls["top"] = move
    return {
        "top balance": begin,
        # The middle stays where it is, and the bottom, who is the heaviest, makes up for the top.
        "middle balance": lambda c: CenterOfMassTask(
            owners=["middle"],
            target=group.over(*feet),
            axes=(1.0, 1.0, 0.0),
            weight=1000.0 if balanced else 0.0,
            stiffness=10.0,
        ),
        "bottom balance": lambda c: over_feet(group, _tower(group), balanced)["bottom balance"],
    }


def acrobats() -> Scene:
    """The three as a scene."""
    return together("acrobats", acrobats_group, 46.0, props=BLOCKS)
