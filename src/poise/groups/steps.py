"""Building blocks of locomotion (Vaillant 2017, Fig. 7): weight onto one foot, the other lifted, swung and put down."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.groups.group import Group
from poise.math import quat
from poise.qp import Contact, Controller, FrameTask, Phase, Task, all_of, lasting, reached

__all__ = ["Footstep", "heading_of", "settled", "walk"]

Array = NDArray[np.float64]


class Footstep(NamedTuple):
    """A foot that is put down somewhere else.

    Args:
        name: Whose.
        side: Which foot.
        place: Where the middle of its sole goes [m], shape (3,).
        heading: Which way it points [rad].
        via: Offset of the way-point in the middle of the swing, from half way [m], shape (3,).
    """

    name: str
    side: str
    place: Sequence[float]
    heading: float = 0.0
    via: Sequence[float] = (0.0, 0.0, 0.08)


def walk(
    group: Group,
    label: str,
    steps: Sequence[Footstep],
    balance: Callable[[Array], dict[str, Task]],
    *,
    on: str = "world",
    speed: float = 0.5,
) -> list[Phase]:
    """Phases that take one or several steps at the same time, such as those of two who carry something.

    Args:
        group: Whose.
        label: What to call the phases.
        steps: One for each foot that moves now.
        balance: Makes the tasks that bring the center of mass over a place [m].
        on: What is walked on.
        speed: Of the swing [m/s].
    """
    feet = [f"{step.name}/{step.side}_foot" for step in steps]
    others = [f"{step.name}/{'left' if step.side == 'right' else 'right'}_foot" for step in steps]
    soles = [group.sole(step.name, step.side, on) for step in steps]

    def held(controller: Controller) -> dict[str, Task]:
        return balance(group.over(*others))

    def shifting() -> dict[str, Callable[[Controller], Task]]:
        names = balance(np.zeros(3))
        return {name: lambda controller, name=name: held(controller)[name] for name in names}  # type: ignore[misc]

    def foot(number: int, share: float, lift: float) -> Callable[[Controller], Task]:
        step, sole = steps[number], soles[number]

        def make(controller: Controller) -> Task:
            now = group.point(feet[number], sole.middle)
            goal = np.asarray(step.place, dtype=float)
            place = now + share * (goal - now) + lift * np.asarray(step.via, dtype=float)
            turn = quat.exp(np.array([0.0, 0.0, step.heading]))
            return FrameTask(
                body=feet[number],
                point=sole.middle,
                target=place,
                rotation=turn,
                weight=1000.0,
                stiffness=60.0,
                speed=speed,
            )

        return make

    def feet_at(share: float, lift: float) -> dict[str, Callable[[Controller], Task]]:
        return {f"swing {name}": foot(number, share, lift) for number, name in enumerate(feet)}

    def landed(within: float, fast: float) -> list[Callable[[Controller, float], bool]]:
        return [reached(f"swing {name}", within, fast, 4.0) for name in feet]

    shifted = [reached(name, 0.012, 0.03, 5.0) for name in balance(np.zeros(3))]
    touching: list[Contact] = soles
    return [
        Phase(name=f"{label}: shift", tasks=shifting(), until=all_of(*shifted)),
        Phase(name=f"{label}: lift", tasks=shifting(), release=feet, until=lasting(0.16)),
        Phase(name=f"{label}: swing", tasks={**shifting(), **feet_at(0.5, 1.0)}, until=all_of(*landed(0.04, 2.0))),
        Phase(name=f"{label}: lower", tasks={**shifting(), **feet_at(1.0, 0.0)}, until=all_of(*landed(0.002, 0.02))),
        Phase(name=f"{label}: land", tasks=shifting(), touch=touching, until=lasting(0.1)),
    ]


def settled(
    group: Group, names: Sequence[str], carrying: Sequence[str] = ()
) -> dict[str, Callable[[Controller], Task]]:
    """Tasks of a phase after steps: where they stand now is where they want to stand from now on.

    Args:
        group: Whose.
        names: Who.
        carrying: What counts in their balance.
    """

    def stay(name: str) -> Callable[[Controller], Task]:
        def make(controller: Controller) -> Task:
            group.balance(name, *carrying)
            return controller.tasks[f"{name} balance"]

        return make

    return {f"{name} arrives": stay(name) for name in names}


def heading_of(group: Group, name: str) -> float:
    """Which way somebody faces [rad]; steps do not turn them."""
    forward = group.system.rotations[group.system.body(f"{name}/pelvis")][:, 0]
    return float(np.arctan2(forward[1], forward[0]))
