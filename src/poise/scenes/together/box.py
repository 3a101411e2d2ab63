"""Somebody moves a box between flat hands along a random course in all six directions (Vaillant 2017, Box)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.groups import Group, Person
from poise.math import quat
from poise.qp import Contact, Controller, FrameTask, Phase, Task, lasting, planar
from poise.scenes.scene import Scene
from poise.scenes.together.hands import FORWARD
from poise.scenes.together.together import together
from poise.scenes.together.variation import Variation
from poise.world.things import Link, Shape, Thing

__all__ = ["Course", "box", "box_group"]

Array = NDArray[np.float64]

HALF, MASS = 0.15, 4.0
"""Half the box's width [m], and its mass [kg]."""
SHIFT, TURN = 0.09, 0.25
"""How far the course goes from its middle [m, rad]."""
START = (0.38, 0.0, 1.05)
BOX = Thing(
    name="box",
    links=(
        Link(
            name="box",
            joint="free",
            position=START,
            shapes=(Shape(kind="box", size=(0.12, HALF, 0.12), mass=MASS, color=(0.72, 0.58, 0.36)),),
        ),
    ),
)


class Course:
    """A smooth random course from rest: places and rotation vectors, with their velocities and accelerations.

    Args:
        seed: Of the course.
    """

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self._rates = 2.0 * np.pi * rng.uniform(0.08, 0.25, (2, 6))
        self._phases = rng.uniform(0.0, 2.0 * np.pi, (2, 6))
        self._sizes = np.repeat([SHIFT, TURN], 3) / 2.0

    def at(self, time: float) -> tuple[Array, Array, Array]:
        """Offset, velocity and acceleration, each six numbers: x, y, z, then the rotation vector's."""
        angles = self._rates * time + self._phases
        ramp, slope, bend = _rise(time)
        start = np.sin(self._phases)
        value = np.sin(angles) - start
        rate, change = self._rates * np.cos(angles), -(self._rates**2) * np.sin(angles)
        offset = self._sizes * (ramp * value).sum(axis=0)
        velocity = self._sizes * (slope * value + ramp * rate).sum(axis=0)
        acceleration = self._sizes * (bend * value + 2.0 * slope * rate + ramp * change).sum(axis=0)
        return offset, velocity, acceleration


def _rise(time: float, length: float = 1.0) -> tuple[float, float, float]:
    """From 0 to 1, smooth to the second derivative, with its first two derivatives."""
    x = min(max(time / length, 0.0), 1.0)
    value = x**3 * (10.0 - 15.0 * x + 6.0 * x**2)
    return value, 30.0 * x**2 * (1.0 - x) ** 2 / length, 60.0 * x * (1.0 - x) * (1.0 - 2.0 * x) / length**2


def box_group(seed: int = 0, *, ahead: bool = True, start: int | None = None) -> Group:
    """The person, the box and what happens.

    Args:
        seed: Of the course.
        ahead: Whether the course's velocity and acceleration are known, or only where it is.
        start: Which of the scene's different starts, beside the course (`Variation`); None for the scene as it is.
    """
    other = Variation(start)
    who = other.person(Person(pose={"upper_arm/y": -0.4, "forearm/y": -1.1}))
    group = Group({"anna": who}, [other.thing(BOX)])
    _begin(group)
    course = Course(seed)
    middle = np.array(group.point("box/box", (0.0, 0.0, 0.0)))
    task = FrameTask(body="box/box", target=middle, rotation=quat.IDENTITY, weight=1000.0, stiffness=40.0)

    def follow(controller: Controller, time: float) -> None:
        offset, velocity, acceleration = course.at(time)
        task.target, task.rotation = middle + offset[:3], quat.exp(offset[3:])
        # For turns this small the rotation vector's rate is the angular velocity to within a few percent.
        if ahead:
            task.velocity, task.acceleration = velocity, acceleration

    group.controller.want("anna balance", _balance(group))
    group.controller.want("gaze", group.look("anna", (0.0, 0.0, 0.0), "box/box"))
    group.perform([Phase(name="along a random course", tasks={"box": task}, each=follow, until=lasting(1e9))])
    return group


def _balance(group: Group) -> Task:
    group.balance("anna", "box")
    return group.controller.tasks["anna balance"]


def _begin(group: Group) -> None:
    """The box is held from the start, one flat hand on either side."""
    tasks: dict[str, Task] = {}
    for side, sign in (("left", 1.0), ("right", -1.0)):
        hand = group.hand("anna", side, (0.0, sign * HALF, 0.0), FORWARD, against="box/box")
        hand.point = _palm(group, sign)
        tasks[f"{side} hand"] = hand
        tasks[f"{side} foot"] = group.keep(f"anna/{side}_foot", weight=1000.0)
    tasks["upright"] = group.keep_turned("anna/spine")
    group.arrange(tasks)
    group.stand("anna")
    for side, sign in (("left", 1.0), ("right", -1.0)):
        contact: Contact = planar(
            f"anna/{side}_hand",
            "box/box",
            f"anna/{side}_hand",
            center=_palm(group, sign),
            normal=(0.0, sign, 0.0),
            half=(0.045, 0.03),
            along=(0.0, 0.0, 1.0),
        )
        group.controller.touch(contact)


def _palm(group: Group, sign: float) -> Array:
    """Middle of a flat palm's skin, in the hand's frame [m]."""
    return np.array([0.0, -0.02 * sign, -0.048]) * group.people["anna"].stature


def box() -> Scene:
    """The box as a scene."""
    return together("box", box_group, 20.0)
