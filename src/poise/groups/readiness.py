"""What is refused before time begins: things to hold that are out of reach, and bodies that begin inside one another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from poise import parameters
from poise.errors import InputError
from poise.qp import CenterOfMassTask, Contact, FrameTask, Pair, Phase, Task
from poise.qp.machine import AT_HAND

if TYPE_CHECKING:
    from poise.groups.group import Group

__all__ = ["ReadinessOptions", "check_apart", "check_ready"]

_SIDES = ("left", "right")


@dataclass(frozen=True, kw_only=True)
class ReadinessOptions:
    """What is refused before time begins.

    Raises:
        InputError: A number is out of range.
    """

    overlap: float = parameters.number(
        0.001,
        0.0,
        0.1,
        "m",
        says="how far those who keep apart may begin inside one another",
        source="what distances are kept to",
    )
    seconds: float = parameters.number(
        1.5,
        0.1,
        10.0,
        "s",
        says="how long a reach is tried",
        source="a second longer brings a hand less than a millimetre nearer",
    )
    leaning: float = parameters.number(
        0.1, 0.0, 0.5, "m", says="how far somebody leans who has to reach", source="to the front of their feet"
    )

    def __post_init__(self) -> None:
        parameters.check(self, "readiness")


def check_ready(group: Group, phases: Sequence[Phase], options: ReadinessOptions | None = None) -> None:
    """Refuse what cannot go well from where everybody is now.

    Args:
        group: As it begins.
        phases: What is to happen.
        options: What is still acceptable.

    Raises:
        InputError: Two that keep apart begin inside one another, or somebody is to hold what they cannot reach.
    """
    options = options or ReadinessOptions()
    check_apart(group, group.controller.pairs, options)
    for phase, contact, task in _grasps(phases, [f"{name}/{side}_foot" for name in group.people for side in _SIDES]):
        missing = _missing(group, contact, task, options)
        if missing > AT_HAND:
            raise InputError(
                f"phase {phase!r} would have {contact.second} hold {contact.first}, which is out of reach from where "
                f"{contact.second.split('/')[0]} stands: {100.0 * missing:.0f} cm are missing; it needs steps or another place"
            )


def check_apart(group: Group, pairs: Sequence[Pair], options: ReadinessOptions | None = None) -> None:
    """Refuse pairs of which the two begin inside one another.

    Args:
        group: As it begins.
        pairs: Shapes that keep apart.
        options: How far they may.

    Raises:
        InputError: Two do; the message names them and how far they may.
    """
    system, most = group.system, (options or ReadinessOptions()).overlap
    for pair in pairs:
        distance = system.nearest(system.shape(pair.first), system.shape(pair.second), 1.0).distance
        if distance < min(pair.security, 0.0) - most:
            raise InputError(
                f"{pair.first} and {pair.second} keep apart but begin {100.0 * -distance:.1f} cm inside one another; "
                f"allowed is {100.0 * most:g} cm"
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


def _missing(group: Group, contact: Contact, task: FrameTask, options: ReadinessOptions) -> float:
    """How far a hand stays from where it is to hold something [m], by inverse kinematics with both feet on the ground."""
    system, who = group.system, contact.second.split("/")[0]
    # Where that is now: a thing that gives way is not nearer for it.
    place = group.point(task.against, np.asarray(task.target, dtype=float))
    tasks: dict[str, Task] = {
        f"{side} foot": group.keep(f"{who}/{side}_foot", weight=1000.0, stiffness=20.0) for side in _SIDES
    }
    center = group.center_of_mass(who)
    away = (place - center) * [1.0, 1.0, 0.0]
    center += away * min(1.0, options.leaning / max(float(np.linalg.norm(away)), 1e-9))
    tasks["center"] = CenterOfMassTask(owners=[who], target=center, axes=(1.0, 1.0, 0.0), weight=1000.0, stiffness=20.0)
    hand = tasks["hand"] = FrameTask(body=task.body, point=task.point, target=place, weight=1000.0, stiffness=25.0)
    saved = system.save()
    group.arrange(tasks, options.seconds)
    missing = float(np.linalg.norm(hand.feature(system).error[:3]))
    system.restore(saved)
    return missing
