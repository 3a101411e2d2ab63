"""A line of carriers under one beam: how the time of a step grows with their number."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

import numpy as np

from poise.groups import Group, Person
from poise.qp import Solver, Task
from poise.reproductions.check import Check, Trial, claim
from poise.reproductions.pictures import figure, save_figure
from poise.reproductions.row import Row
from poise.scenes.together.hands import PALMS_DOWN
from poise.world.things import Link, Shape, Thing

__all__ = ["CHECKS", "line_group", "picture"]

APART, HEIGHT, AHEAD = 0.9, 1.0, 0.32
"""From one carrier to the next, of the beam over the ground, and of it before them [m]."""
_SIDEWAYS = (0.7071067811865476, 0.7071067811865476, 0.0, 0.0)


def _beam(count: int) -> Thing:
    """Long enough for all of them, four kilograms for each."""
    size = (0.02, 0.5 * APART * count, 0.0)
    shape = Shape(kind="capsule", size=size, mass=4.0 * count, rotation=_SIDEWAYS, color=(0.5, 0.36, 0.2))
    place = (AHEAD, 0.5 * APART * (count - 1), HEIGHT)
    return Thing(name="beam", links=(Link(name="beam", joint="free", position=place, shapes=(shape,)),))


def line_group(count: int, solver: Solver | None = None) -> Group:
    """Carriers side by side who hold a beam before them.

    Args:
        count: How many.
        solver: Who solves the programs.
    """
    pose = {"upper_arm/y": -0.3, "forearm/y": -0.8}
    people = {f"carrier{n}": Person(place=(0.0, n * APART, 0.0), pose=pose) for n in range(count)}
    group = Group(people, [_beam(count)], step=0.01, solver=solver)
    middle = 0.5 * APART * (count - 1)
    tasks: dict[str, Task] = {}
    for number, name in enumerate(people):
        for side, sign in (("left", 1.0), ("right", -1.0)):
            tasks[f"{name} {side} foot"] = group.keep(f"{name}/{side}_foot", weight=1000.0)
            along = number * APART - middle + 0.25 * sign
            tasks[f"{name} {side} hand"] = group.hand(
                name, side, (0.0, along, 0.0), PALMS_DOWN[side], against="beam/beam"
            )
        tasks[f"{name} upright"] = group.keep_turned(f"{name}/spine")
    group.arrange(tasks, 0.6)
    for name in people:
        group.stand(name)
        for side in ("left", "right"):
            group.controller.touch(group.grip(name, side, "beam/beam"))
    group.controller.want("beam", group.keep("beam/beam", weight=500.0))
    return group


@cache
def step_time(count: int, kind: Literal["daqp", "piqp"], steps: int = 9) -> float:
    """Median processor time of a step of so many carriers [ms]; the first, with which everything is made, left out."""
    group = line_group(count, Solver(kind))
    return 1e3 * float(np.median([group.advance()[0].processor for _ in range(steps)][1:]))


def _exponent(counts: Sequence[int], kind: Literal["daqp", "piqp"]) -> float:
    """Power of their number in proportion to which the time grows."""
    times = [step_time(count, kind) for count in counts]
    return float(np.polyfit(np.log(counts), np.log(times), 1)[0])


@claim('Solver("piqp"), which knows what is 0', off='Solver("daqp"), which does not', cases=4)
def near_linear(trial: Trial) -> Row:
    """From 2 to 20 carriers."""
    power = _exponent((2, 5, 10, 20), "piqp" if trial.on else "daqp")
    return Row(
        "vaillant2017/growth",
        "2 to 20 carriers under one beam, in one program: power of their number with which the time of a step grows",
        None,
        power,
        "",
        power < 1.3,
    )


def picture(folder: Path) -> Path:
    """Time of a step against the number of carriers, of both solvers."""
    counts = (2, 4, 6, 8, 11, 15, 20)
    plot, axes = figure("A line of carriers in one program", 1, 1, size=(7.0, 5.0))
    place = np.asarray(axes).ravel()[0]
    for kind in ("daqp", "piqp"):
        place.plot(counts, [step_time(count, kind) for count in counts], "o-", label=kind)
    line = step_time(counts[0], "piqp") / counts[0]
    place.plot(counts, [line * count for count in counts], "--", color="grey", label="in proportion")
    place.set(xlabel="carriers", ylabel="processor time of a step [ms]", xscale="log", yscale="log")
    place.set_xticks(counts, [str(count) for count in counts])
    place.legend()
    return save_figure(plot, folder, "vaillant2017_growth")


CHECKS: tuple[Check, ...] = (near_linear,) if find_spec("piqp") else ()
