"""Several who carry a plank; as one program, or each with a mind of their own who sees the others late."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from poise.groups import Apart, ApartOptions, Group, Input, Person
from poise.math import quat
from poise.math.easing import smoothstep
from poise.qp import Controller, Phase, Solver, Task, lasting
from poise.scenes.scene import Scene
from poise.scenes.together.hands import PALMS_DOWN
from poise.scenes.together.together import together
from poise.scenes.together.variation import Variation
from poise.world.things import Link, Shape, Thing

__all__ = ["course", "led_group", "plank", "plank_apart", "plank_group"]

Array = NDArray[np.float64]

RATES, SIZES = 2.0 * np.pi * np.array([0.3, 0.0, 0.45]), np.array([0.07, 0.0, 0.12])
"""Of the course along x, y, z [rad/s], and how far it goes [m]."""
LED = (
    Input(1.0, "plank", (0.0, 0.0, 0.3, 0.0)),
    Input(3.0, "plank", (0.0, 0.0, 0.15, 12.0)),
    Input(5.2, "plank", (0.0, 0.0, 0.15, 0.0)),
    Input(6.4, "plank", (0.0, 0.0, 0.15, -12.0)),
    Input(8.6, "plank", (0.08, 0.1, 0.25, 0.0)),
    Input(10.8, "plank", (0.0, -0.1, 0.25, 0.0)),
    Input(13.0, "plank", (0.0, 0.0, 0.0, 0.0)),
)
"""Where who leads wants it: x, y, z from where it is at first [m], and its left end up [degrees]."""
APART, HEIGHT, AHEAD = 0.9, 1.0, 0.32
"""From one carrier to the next, of the plank over the ground, and of it before them [m]."""
_SIDEWAYS = (0.7071067811865476, 0.7071067811865476, 0.0, 0.0)


def _plank(count: int) -> Thing:
    """Long enough for all of them, four kilograms for each."""
    size = (0.02, 0.5 * APART * count, 0.0)
    shape = Shape(kind="capsule", size=size, mass=4.0 * count, rotation=_SIDEWAYS, color=(0.5, 0.36, 0.2))
    place = (AHEAD, 0.5 * APART * (count - 1), HEIGHT)
    return Thing(name="plank", links=(Link(name="plank", joint="free", position=place, shapes=(shape,)),))


def plank_group(count: int = 2, *, moved: bool = True, solver: Solver | None = None, start: int | None = None) -> Group:
    """Carriers side by side who hold a plank before them.

    Args:
        count: How many.
        moved: Whether it is to go along a course, or to stay where it is.
        solver: Who solves the programs.
        start: Which of the scene's different starts (`Variation`); None for the scene as it is.
    """
    pose, other = {"upper_arm/y": -0.3, "forearm/y": -0.8}, Variation(start)
    people = {f"carrier{n}": other.person(Person(place=(0.0, n * APART, 0.0), pose=pose)) for n in range(count)}
    group = Group(people, [other.thing(_plank(count))], step=0.01, solver=solver)
    middle = 0.5 * APART * (count - 1)
    tasks: dict[str, Task] = {}
    for number, name in enumerate(people):
        for side, sign in (("left", 1.0), ("right", -1.0)):
            tasks[f"{name} {side} foot"] = group.keep(f"{name}/{side}_foot", weight=1000.0)
            along = number * APART - middle + 0.25 * sign
            tasks[f"{name} {side} hand"] = group.hand(
                name, side, (0.0, along, 0.0), PALMS_DOWN[side], against="plank/plank"
            )
        tasks[f"{name} upright"] = group.keep_turned(f"{name}/spine")
    group.arrange(tasks, 0.6)
    for name in people:
        group.stand(name)
        for side in ("left", "right"):
            group.controller.touch(group.grip(name, side, "plank/plank"))
    task = group.keep("plank/plank", weight=500.0, stiffness=40.0)
    middle_place = np.array(task.target)

    def follow(controller: Controller, time: float) -> None:
        offset, velocity, acceleration = course(time)
        task.target = middle_place + offset
        task.velocity, task.acceleration = np.append(velocity, np.zeros(3)), np.append(acceleration, np.zeros(3))

    if moved:
        group.perform([Phase(name="carry", tasks={"plank": task}, each=follow, until=lasting(1e9))])
    else:
        group.controller.want("plank", task)
    return group


def course(time: float) -> tuple[Array, Array, Array]:
    """Of the plank from where it is at first [m], with its velocity and acceleration: up and down, to and fro."""
    rise = min(time / 2.0, 1.0)
    ramp, slope, bend = smoothstep(rise), 3.0 * rise * (1.0 - rise), 1.5 * (1.0 - 2.0 * rise)
    if rise >= 1.0:
        bend = 0.0
    angles = RATES * time
    value, rate, change = SIZES * np.sin(angles), SIZES * RATES * np.cos(angles), -SIZES * RATES**2 * np.sin(angles)
    return ramp * value, slope * value + ramp * rate, bend * value + 2.0 * slope * rate + ramp * change


def plank_apart(
    delay: float = 0.15, *, predicting: bool = True, feeling: bool = True, start: int | None = None
) -> Apart:
    """The two who carry, each with a program of their own; see `Apart`.

    Args:
        delay: From what the other does to when it is known [s].
        predicting: Whether the other is taken to go on.
        feeling: Whether what both hold tells of the other at once.
        start: Which of the scene's different starts (`Variation`); None for the scene as it is.
    """
    return Apart(partial(plank_group, start=start), ApartOptions(delay=delay, predicting=predicting, feeling=feeling))


def led_group() -> Group:
    """The two, who take the plank up, tilt it either way and bring it forward and aside, as the control `plank` says."""
    group = plank_group(moved=False)
    task = group.keep("plank/plank", weight=500.0, stiffness=12.0)
    task.speed = 0.35
    group.controller.want("plank", task)
    place, turn = np.array(task.target), np.array(task.rotation)

    def move(value: Sequence[float]) -> None:
        x, y, z, tilt = (float(number) for number in value)
        task.target = place + np.array([x, y, z])
        task.rotation = quat.mul(quat.exp(np.radians([tilt, 0.0, 0.0])), turn)

    group.controls["plank"] = move
    group.play(LED)
    for name in group.people:
        group.controller.want(f"{name} gaze", group.look(name, (0.0, 0.0, 0.0), "plank/plank"))
    return group


def plank() -> Scene:
    """One leads; the other, with a program of their own, hears and sees of it 150 ms later."""
    return together("plank", partial(Apart, led_group, leader="carrier0"), 15.0)
