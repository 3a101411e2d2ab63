"""Three acrobats on one another's shoulders walk and are shaken (Vaillant 2017, Acrobats)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from poise.groups import Footstep, Group, Input, Person, walk
from poise.qp import CenterOfMassTask, Controller, FrameTask, Pair, Phase, Task, lasting
from poise.scenes.scene import Scene
from poise.scenes.together.together import together

__all__ = ["SHAKES", "acrobats", "acrobats_group"]

Array = NDArray[np.float64]

STEP, STRIDE = 0.01, 0.2
SHOULDER = 0.87 - 0.6 - 0.015
"""Height of the top of the shoulders over the waist, as a share of stature."""
TOWER = ("bottom", "middle", "top")
WEIGHTS = (8000.0, 4000.0, 1000.0)
"""Of the balance of the whole tower, of the upper two, of the top alone: postures would bend a tall pendulum held softer."""
STATURES = {"bottom": 1.85, "middle": 1.65, "top": 1.5}
SHAKES = tuple(
    Input(16.0 + 1.5 * number, "top", offset)
    for number, offset in enumerate(
        ((0.0, 0.1, 0.0), (0.0, -0.1, 0.0), (0.08, 0.0, 0.0), (-0.06, 0.0, 0.0), (0.0, 0.0, 0.0))
    )
)
"""The recorded inputs: where the top's center of mass goes, from where it was [m]."""


def acrobats_group(*, balanced: bool = True) -> Group:
    """The tower and what happens.

    Args:
        balanced: Whether anybody sees to the tower's balance once time has begun.
    """
    straight = {"thigh/y": -0.2, "shank/y": 0.4, "foot/y": -0.2}
    people, height = {}, 0.0
    for name in TOWER:
        wide = {} if name == "bottom" else {"thigh/x": 0.12, "foot/x": -0.12}
        people[name] = Person(
            stature=STATURES[name],
            mass={"bottom": 95.0, "middle": 58.0, "top": 42.0}[name],
            place=(0.0, 0.0, height),
            pose={**straight, **wide, "upper_arm/x": 0.3},
            strong=name == "bottom",
        )
        height += STATURES[name] * 0.84 - 0.01
    kept = [(f"{name}/left_{part}/0", f"{name}/right_{part}/0") for name in TOWER for part in ("foot", "shank")]
    group = Group(people, step=STEP, pairs=[Pair(first=a, second=b, influence=0.05, security=0.002) for a, b in kept])
    _stack(group)
    phases = [Phase(name="stand", until=lasting(1.0))]
    for number, side in enumerate(("left", "right")):
        phases += _step(group, side, number, balanced)
    phases.append(Phase(name="shaken", tasks=_shaken(group, balanced), until=lasting(1e9)))
    group.perform(phases)
    group.play(SHAKES)
    return group


def _stack(group: Group) -> None:
    """Everybody's soles on the shoulders below, one center of mass over the other."""
    tasks: dict[str, Task] = {}
    for name, below in (("middle", "bottom"), ("top", "middle")):
        for side, sign in (("left", 1.0), ("right", -1.0)):
            sole = group.sole(name, side)
            tasks[f"{name} {side} foot"] = FrameTask(
                body=sole.second,
                point=sole.middle,
                target=(-0.01, sign * 0.088 * STATURES[below], SHOULDER * STATURES[below]),
                rotation=(1.0, 0.0, 0.0, 0.0),
                against=f"{below}/spine",
                weight=1000.0,
                stiffness=20.0,
            )
    for side in ("left", "right"):
        tasks[f"bottom {side} foot"] = group.keep(f"bottom/{side}_foot", weight=1000.0)
    for name in TOWER:
        tasks[f"{name} upright"] = group.keep_turned(f"{name}/spine", weight=50.0)
        tasks[f"{name} over the feet"] = CenterOfMassTask(
            owners=[name], target=(0.0, 0.0, 0.0), axes=(1.0, 1.0, 0.0), weight=200.0
        )
    group.arrange(tasks, 5.0)
    for name, on in zip(TOWER, ("world", "bottom/spine", "middle/spine"), strict=True):
        group.stand(name, on=on, weight=2.0, stiffness=15.0)
        group.controller.want(f"{name} upright", group.keep_turned(f"{name}/spine", weight=50.0, stiffness=15.0))
        group.controller.want(f"{name} gaze", group.look(name))
    for task in _balances(group, group.over("bottom/left_foot", "bottom/right_foot")).items():
        group.controller.want(*task)


def _balances(group: Group, place: Array, balanced: bool = True) -> dict[str, Task]:
    """The whole tower, those from the middle up, and the top alone over one place."""
    result: dict[str, Task] = {}
    for number, name in enumerate(TOWER):
        result[f"{name} balance"] = CenterOfMassTask(
            owners=TOWER[number:],
            target=place,
            axes=(1.0, 1.0, 0.0),
            weight=WEIGHTS[number] if balanced else 0.0,
            stiffness=10.0,
        )
    return result


def _step(group: Group, side: str, number: int, balanced: bool) -> list[Phase]:
    now = group.point(f"bottom/{side}_foot", group.sole("bottom", side).middle)
    goal = now + np.array([STRIDE * (1 + (number > 0)), 0.0, 0.0])
    return walk(
        group,
        f"step {number + 1}",
        [Footstep("bottom", side, goal.tolist(), via=(0.0, 0.0, 0.06))],
        lambda place: _balances(group, place, balanced),
        speed=0.3,
    )


def _shaken(group: Group, balanced: bool) -> dict[str, Task | Callable[[Controller], Task]]:
    """The top's center of mass goes where the user says; below, the tower sees to it that all stay up."""
    top = CenterOfMassTask(owners=["top"], target=np.zeros(3), weight=500.0, stiffness=10.0, speed=0.2)
    start: list[Array] = []
    feet = ("bottom/left_foot", "bottom/right_foot")

    def begin(controller: object) -> Task:
        start[:] = [np.array([*group.over(*feet)[:2], group.center_of_mass("top")[2]])]
        top.target = start[0]
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
        "bottom balance": lambda c: _balances(group, group.over(*feet), balanced)["bottom balance"],
    }


def acrobats() -> Scene:
    """The tower as a scene."""
    return together("acrobats", acrobats_group, 26.0)
