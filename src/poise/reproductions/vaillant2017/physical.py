"""The program's torques in MuJoCo's full contact physics, step by step: a harder test than to integrate accelerations."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from poise.groups import Physical
from poise.qp import NoSolution
from poise.reproductions.check import Trial, claim
from poise.reproductions.row import Row
from poise.reproductions.vaillant2017.played import SECONDS
from poise.scenes.together.box import box_group
from poise.scenes.together.door import OPEN, TURNED, door_group
from poise.scenes.together.funambulist import BEAM, funambulist_group

__all__ = ["CHECKS", "stays_up"]

Array = NDArray[np.float64]

_FALLEN = 0.35
"""How far the head comes down when somebody falls [m]; leaning to open the door takes it down by 6 cm."""

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


@claim("where everything is, read back every step", off="Physical(feedback=False)", cases=1)
def door(trial: Trial) -> Row:
    """Miss of the door's and the handle's angle at the end of being held open, and of the door's at the end."""
    held: list[Array] = []

    def look(one: Physical) -> None:
        if one.group.machine is not None and one.group.machine.phase == "hold":
            held[:] = [one.physics.data.qpos[-2:].copy()]

    physical = Physical(door_group(), feedback=trial.on)
    up = stays_up(physical, SECONDS["door"], look)
    angles = held[-1] if held else np.zeros(2)
    misses = [*(angles - [OPEN, TURNED]), physical.physics.data.qpos[-2]]
    miss = float(np.degrees(np.abs(misses).max()))
    return Row(
        "vaillant2017/physical-door",
        "The same torques in full contact physics: she presses the handle, opens the door, shuts it and stays up for 13 s, "
        "each angle within a degree",
        None,
        miss,
        "degrees",
        miss < 1.0 and up >= SECONDS["door"],
    )


@claim("where everything is, read back every step", off="Physical(feedback=False)", cases=1)
def box(trial: Trial) -> Row:
    """Largest distance of the box from its course over 10 s: it is held by friction between two palms."""
    misses = [np.inf]

    def look(one: Physical) -> None:
        place = one.physics.data.xpos[one.group.system.body("box/box")]
        misses.append(float(np.linalg.norm(place - vars(one.group.controller.tasks["box"])["target"])))

    up = stays_up(Physical(box_group(), feedback=trial.on), 10.0, look)
    worst = max(misses[1:], default=np.inf)
    return Row(
        "vaillant2017/physical-box",
        "The same torques in full contact physics: a box that friction holds between two palms follows its course for 10 s; "
        "largest distance from it",
        None,
        100.0 * worst,
        "cm",
        worst < 0.03 and up >= 10.0,
    )


@claim("contacts that hold, in the program", off="Physical(holding=False)", cases=2)
def funambulist(trial: Trial) -> Row:
    """How long she stays on the beam, over two courses of the weights that nothing was tuned on."""
    least = min(stays_up(Physical(funambulist_group(seed=seed), [BEAM], holding=trial.on), 10.0) for seed in (1, 2))
    return Row(
        "vaillant2017/physical-funambulist",
        "The same torques in full contact physics: she stays on the beam for 10 s, a first step included, as weights change",
        None,
        least,
        "s",
        least >= 10.0,
    )


CHECKS = (door, box, funambulist)
