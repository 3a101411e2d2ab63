"""What is refused before time begins: things to hold that are out of reach, and bodies that begin inside one another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from poise.errors import InputError
from poise.qp import CenterOfMassTask, Contact, FrameTask, Phase, Task
from poise.qp.machine import AT_HAND

if TYPE_CHECKING:
    from poise.groups.group import Group

__all__ = ["check_ready"]

_OVERLAP = 0.001
"""How far those who keep apart may begin inside one another [m]: what distances are kept to."""
_SECONDS = 1.5
"""How long a reach is tried [s]."""
_SIDES = ("left", "right")
_LEANING = 0.1
"""How far somebody leans who has to reach [m]: to the front of their feet."""


def check_ready(group: Group, phases: Sequence[Phase]) -> None:
    """Refuse what cannot go well from where everybody is now.

    Args:
        group: As it begins.
        phases: What is to happen.

    Raises:
        InputError: Two that keep apart begin inside one another, or somebody is to hold what they cannot reach.
    """
    _check_apart(group)
    for phase, contact, task in _grasps(phases, [f"{name}/{side}_foot" for name in group.people for side in _SIDES]):
        missing = _missing(group, contact, task)
        if missing > AT_HAND:
            raise InputError(
                f"phase {phase!r} would have {contact.second} hold {contact.first}, which is out of reach from where "
                f"{contact.second.split('/')[0]} stands: {100.0 * missing:.0f} cm are missing; it needs steps or another place"
            )


def _check_apart(group: Group) -> None:
    system = group.system
    for pair in group.controller.pairs:
        distance = system.nearest(system.shape(pair.first), system.shape(pair.second), 1.0).distance
        if distance < -_OVERLAP:
            raise InputError(
                f"{pair.first} and {pair.second} keep apart but begin {100.0 * -distance:.1f} cm inside one another"
            )


def _grasps(phases: Sequence[Phase], feet: Sequence[str]) -> Iterator[tuple[str, Contact, FrameTask]]:
    """Grasps that are known beforehand, with the task that brings the hand there, up to where something else moves first.

    After a step, or once something is held, hands and things are elsewhere.
    """
    brought: dict[tuple[str, str], FrameTask] = {}
    for phase in phases:
        if set(phase.release) & set(feet):
            return
        held = [one for one in phase.touch if isinstance(one, Contact)]
        for contact in held:
            task = brought.get((contact.second, contact.first))
            if task is not None:
                yield phase.name, contact, task
        if phase.touch:
            return
        for wanted in phase.tasks.values():
            if isinstance(wanted, FrameTask) and wanted.target is not None:
                brought[wanted.body, wanted.against] = wanted


def _missing(group: Group, contact: Contact, task: FrameTask) -> float:
    """How far a hand stays from where it is to hold something [m], by inverse kinematics with both feet on the ground."""
    system, who = group.system, contact.second.split("/")[0]
    # Where that is now: a thing that gives way is not nearer for it.
    place = group.point(task.against, np.asarray(task.target, dtype=float))
    tasks: dict[str, Task] = {
        f"{side} foot": group.keep(f"{who}/{side}_foot", weight=1000.0, stiffness=20.0) for side in _SIDES
    }
    center = group.center_of_mass(who)
    away = (place - center) * [1.0, 1.0, 0.0]
    center += away * min(1.0, _LEANING / max(float(np.linalg.norm(away)), 1e-9))
    tasks["center"] = CenterOfMassTask(owners=[who], target=center, axes=(1.0, 1.0, 0.0), weight=1000.0, stiffness=20.0)
    hand = tasks["hand"] = FrameTask(body=task.body, point=task.point, target=place, weight=1000.0, stiffness=25.0)
    saved = system.save()
    group.arrange(tasks, _SECONDS)
    missing = float(np.linalg.norm(hand.feature(system).error[:3]))
    system.restore(saved)
    return missing
