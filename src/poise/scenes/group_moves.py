"""Steps and recorded inputs of scene files of people who do something together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError, unknown_name
from poise.groups import Follower, Footstep, Group, Input, walk
from poise.groups.steps import heading_of, settled
from poise.qp import CenterOfMassTask, Controller, FrameTask, GazeTask, JointTask, Phase, Task, lasting
from poise.scenes.group_schema import PhaseEntry, StepEntry, TaskEntry

__all__ = ["inputs_of", "standing", "stepping"]

Array = NDArray[np.float64]

Wanted = Mapping[str, Task | Callable[[Controller], Task]]

_STEPPING, _STIFFNESS = 1000.0, 10.0
"""Weight [s⁴/m²] and stiffness [1/s²] of the center of mass over the foot that stands."""
_SETTLING = 0.4
"""How long weight takes to come to rest between the feet [s]."""


def stepping(group: Group, entry: PhaseEntry, tasks: Wanted) -> list[Phase]:
    """The phases of a phase that takes steps, all of them at the same time; other tasks are wanted throughout.

    Args:
        group: Whose.
        entry: The phase.
        tasks: What else is wanted, by what the controller calls it.

    Raises:
        InputError: A foot does not exist, somebody steps with both at once, or what is carried does not exist.
    """
    if entry.lasts is not None or entry.reached is not None or entry.touch or entry.release:
        raise InputError("a phase with steps is over when they are; it takes no lasts, reached, touch or release")
    feet = [_foot(group, step) for step in entry.steps]
    names = [name for name, _ in feet]
    if len(set(names)) < len(names):
        raise InputError("nobody steps with both feet at once")
    for owner in entry.carrying:
        group.system.bodies_of(owner)
    if entry.carrying and len(names) > 1:
        raise InputError("what is carried counts in the balance of one; of several who step, say it nowhere")
    steps = [
        Footstep(name, side, (*step.to, 0.0), heading=heading_of(group, name))
        for (name, side), step in zip(feet, entry.steps, strict=True)
    ]

    def balance(place: Array) -> dict[str, Task]:
        # Of several who step each stands on their own foot: `place`, the middle of all, is nobody's.
        over = [place] if len(names) == 1 or not place.any() else [group.over(_other(*one)) for one in feet]
        return {
            f"{name} balance": CenterOfMassTask(
                owners=[name, *entry.carrying],
                target=spot,
                axes=(1.0, 1.0, 0.0),
                weight=_STEPPING,
                stiffness=_STIFFNESS,
            )
            for name, spot in zip(names, over * (len(names) if len(over) == 1 else 1), strict=True)
        }

    phases = walk(group, entry.phase, steps, balance)
    phases.append(Phase(name=entry.phase, tasks=settled(group, names, entry.carrying), until=lasting(_SETTLING)))
    for phase in phases:
        phase.tasks = {**tasks, **phase.tasks}
    return phases


def _foot(group: Group, step: StepEntry) -> tuple[str, str]:
    name, _, side = step.foot.rpartition(" ")
    if side not in ("left", "right"):
        raise InputError(f"a foot is somebody's left or right, such as 'anna left'; got {step.foot!r}")
    return standing(group, name), side


def standing(group: Group, name: str) -> str:
    """The name of somebody who is told what to do; refuses those who follow a clip, or do not exist."""
    if name not in group.people:
        raise unknown_name("person", name, group.people)
    if isinstance(group.people[name], Follower):
        raise InputError(f"{name} follows a clip, which says what hands, feet and head do")
    return name


def _other(name: str, side: str) -> str:
    return f"{name}/{'left' if side == 'right' else 'right'}_foot"


def inputs_of(
    group: Group,
    inputs: tuple[Any, ...],
    said: Mapping[str, TaskEntry],
    tasks: Mapping[str, Task],
    unit: Mapping[str, float],
) -> list[Input]:
    """Recorded inputs; makes a control of the group for every task, by its name in the file.

    Args:
        group: Whose.
        inputs: As the file has them.
        said: The tasks as the file has them.
        tasks: The tasks.
        unit: What a number of a task in the file is of one in the system.

    Raises:
        InputError: A task does not exist, or is not brought to such a target.
    """
    for label, task in tasks.items():
        group.controls[label] = _control(task, unit[label])
    for one in inputs:
        if one.task not in said:
            raise unknown_name("task", one.task, said)
        needed = 1 if isinstance(tasks[one.task], JointTask) else 3
        if np.size(one.to) != needed:
            raise InputError(
                f"{one.task} goes to {'one number' if needed == 1 else 'three numbers'}; got {np.size(one.to)}"
            )
    return [Input(one.at, one.task, one.to) for one in inputs]


def _control(task: Task, unit: float) -> Callable[[Any], None]:
    """What changes where a task goes, or how fast a joint turns, to a value as the file has it."""

    def change(value: Any) -> None:
        if isinstance(task, JointTask):
            numbers = unit * np.atleast_1d(np.asarray(value, dtype=float))
            if task.stiffness > 0.0:
                task.target = numbers
            else:
                task.velocity = numbers
        elif isinstance(task, GazeTask):
            task.place = np.asarray(value, dtype=float)
        elif isinstance(task, FrameTask):
            task.target = np.asarray(value, dtype=float)

    return change
