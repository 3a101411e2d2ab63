"""The program's torques in MuJoCo's full contact physics, step by step: a harder test than to integrate accelerations."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from poise.groups import Physical
from poise.qp import NoSolution
from poise.reproductions.check import Trial, claim
from poise.reproductions.row import Row
from poise.reproductions.vaillant2017.courses import STARTS, starts
from poise.scenes.together.box import box_group
from poise.scenes.together.door import door_group
from poise.scenes.together.funambulist import BEAM, funambulist_group

__all__ = ["CHECKS", "stays_up"]

Array = NDArray[np.float64]

_FALLEN = 0.35
"""How far the head comes down when somebody falls [m]; leaning to open the door takes it down by 6 cm."""

_DOOR = 14.0
"""How long the door is played [s]."""

Watch = Callable[[Physical], None]


def stays_up(physical: Physical, seconds: float, looking: Watch | None = None) -> float:
    """How long everybody's head stays up [s], no longer than asked for.

    Args:
        physical: Whose.
        seconds: How long to play.
        looking: Called after every step.
    """
    group, places = physical.group, physical.physics.data.xpos
    heads = [group.system.body(f"{name}/head") for name in group.people]
    start = places[heads, 2].copy()
    step = group.controller.step
    for count in range(round(seconds / step)):
        try:
            physical.advance()
        except NoSolution:
            return count * step
        if (places[heads, 2] < start - _FALLEN).any():
            return count * step
        if looking is not None:
            looking(physical)
    return seconds


def _quickly(trial: Trial) -> list[int]:
    """The starts of a trial: half as many of a quick sample, since full physics takes its time."""
    return list(starts(trial))[: 2 if trial.quick or trial.off else None]


@claim("where everything is, read back every step", off="Physical(feedback=False)", cases=STARTS)
def door(trial: Trial) -> Row:
    """Miss of the door's and the handle's angle when it is held open, and when the handle has risen again."""
    miss, up = 0.0, _DOOR
    for start in _quickly(trial):
        physical = Physical(door_group(start=start), feedback=trial.on)
        ends: dict[str, float] = {}
        up = min(up, stays_up(physical, _DOOR, partial(_look_at_door, ends)))
        miss = max(miss, *(ends.get(phase, 180.0) for phase in ("hold", "let the handle rise")))
    return Row(
        "vaillant2017/physical-door",
        "The same torques in full contact physics: she presses the handle, opens the door, shuts it and stays up for 14 s, "
        "each angle within a degree: largest miss of all starts; 180 degrees stand for what never happens",
        None,
        miss,
        "degrees",
        miss < 1.0 and up >= _DOOR,
    )


def _look_at_door(ends: dict[str, float], one: Physical) -> None:
    """Note the larger miss of both angles in a phase, so far the last one [degrees]."""
    tasks, machine = one.group.controller.tasks, one.group.machine
    errors = [float(tasks[name].feature(one.group.system).error[0]) for name in ("panel", "handle") if name in tasks]
    if errors and machine is not None:
        ends[machine.phase] = float(np.degrees(np.abs(errors).max()))


@claim("where everything is, read back every step", off="Physical(feedback=False)", cases=STARTS)
def box(trial: Trial) -> Row:
    """Largest distance of the box from its course over 10 s: it is held by friction between two palms."""
    misses, up = [0.0], 10.0

    def look(one: Physical) -> None:
        place = one.physics.data.xpos[one.group.system.body("box/box")]
        misses.append(float(np.linalg.norm(place - vars(one.group.controller.tasks["box"])["target"])))

    for start in _quickly(trial):
        up = min(up, stays_up(Physical(box_group(start, start=start), feedback=trial.on), 10.0, look))
    worst = max(misses)
    return Row(
        "vaillant2017/physical-box",
        "The same torques in full contact physics: a box that friction holds between two palms follows its course for 10 s; "
        "largest distance from it, of all starts",
        None,
        100.0 * worst,
        "cm",
        worst < 0.03 and up >= 10.0,
    )


@claim("contacts that hold, in the program", off="Physical(holding=False)", cases=STARTS)
def funambulist(trial: Trial) -> Row:
    """How long she stays on the beam."""
    least = min(
        stays_up(Physical(funambulist_group(seed=start, start=start), [BEAM], holding=trial.on), 10.0)
        for start in _quickly(trial)
    )
    return Row(
        "vaillant2017/physical-funambulist",
        "The same torques in full contact physics: she stays on the beam for 10 s, a first step included, as weights change: "
        "the shortest of all starts",
        None,
        least,
        "s",
        least >= 10.0,
    )


CHECKS = (door, box, funambulist)
