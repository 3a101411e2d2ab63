"""Somebody walks along a beam as wide as a foot, with a barbell whose weights change (Vaillant 2017, Funambulist)."""

from __future__ import annotations

from functools import partial

import numpy as np

from poise.groups import Footstep, Group, Input, Person, walk
from poise.math import quat
from poise.qp import CenterOfMassTask, Controller, FrameTask, Pair, Phase, Task, lasting
from poise.scenes.scene import Scene
from poise.scenes.together.hands import PALMS_DOWN
from poise.scenes.together.together import together
from poise.scenes.together.variation import PLACE, Variation
from poise.world.props import Wall
from poise.world.things import Link, Shape, Thing

__all__ = ["BEAM", "PAIRS", "funambulist", "funambulist_group"]

HEIGHT, STRIDE = 0.4, 0.32
"""Of the beam's top, and between one foot and the other [m]."""
COM_HEIGHT = 0.9
"""Of the center of mass over the beam [m]: knees stay bent enough for a step."""
PLATE, CHANGE = 4.0, 2.0
"""Mass of each plate at rest, and how much it changes at most [kg]."""
_STEEL, _IRON = (0.7, 0.72, 0.75), (0.2, 0.22, 0.25)
_SIDEWAYS = (0.7071067811865476, 0.7071067811865476, 0.0, 0.0)


def _plate(name: str, side: float) -> Link:
    disc = Shape(kind="cylinder", size=(0.12, 0.03, 0.0), mass=PLATE, rotation=_SIDEWAYS, color=_IRON)
    return Link(name=name, joint="fixed", parent="bar", position=(0.0, 0.75 * side, 0.0), shapes=(disc,))


BARBELL = Thing(
    name="barbell",
    links=(
        Link(
            name="bar",
            joint="free",
            position=(0.3, 0.0, HEIGHT + 1.0),
            shapes=(Shape(kind="capsule", size=(0.014, 0.8, 0.0), mass=2.0, rotation=_SIDEWAYS, color=_STEEL),),
        ),
        _plate("left", 1.0),
        _plate("right", -1.0),
    ),
)
BEAM = Wall(name="beam", position=(0.8, 0.0, 0.5 * HEIGHT), size=(1.6, 0.047, 0.5 * HEIGHT))
PAIRS = (
    ("anna/left_foot/0", "anna/right_foot/0"),
    ("anna/left_shank/0", "anna/right_shank/0"),
    ("anna/left_foot/0", "anna/right_shank/0"),
    ("anna/right_foot/0", "anna/left_shank/0"),
    ("barbell/bar/0", "anna/pelvis/0"),
    ("barbell/bar/0", "anna/left_thigh/0"),
    ("barbell/bar/0", "anna/right_thigh/0"),
)


def funambulist_group(
    steps: int = 4, seed: int = 0, *, weighed: bool = True, apart: bool = True, start: int | None = None
) -> Group:
    """The walker on the beam and what happens.

    Args:
        steps: How many are taken.
        seed: Of the weights.
        weighed: Whether the barbell counts in the balance; without it she stands as if it were not there.
        apart: Whether legs and bar keep apart.
        start: Which of the scene's different starts, beside the weights (`Variation`); None for the scene as it is.
    """
    pairs = [Pair(first=a, second=b, influence=0.05, security=0.005) for a, b in PAIRS if apart]
    other = Variation(start)
    who = Person(place=(0.0, 0.0, HEIGHT), pose={"upper_arm/y": -0.3, "forearm/y": -0.8})
    # The beam is as wide as the foot: along it alone there is a choice.
    group = Group({"anna": other.person(who, (PLACE, 0.0, 0.0))}, [other.thing(BARBELL)], pairs=pairs)
    _begin(group)
    _weights(group, steps, seed)

    def balance(place: np.ndarray) -> dict[str, Task]:
        return {
            "anna balance": CenterOfMassTask(
                owners=["anna", "barbell"] if weighed else ["anna"],
                target=place + np.array([0.0, 0.0, COM_HEIGHT]),
                axes=(1.0, 1.0, 0.3),
                weight=1000.0,
                stiffness=10.0,
            )
        }

    group.controller.want("anna balance", balance(group.over("anna/left_foot", "anna/right_foot"))["anna balance"])
    phases = [Phase(name="stand", until=lasting(1.0))]
    for number in range(steps):
        side = "left" if number % 2 else "right"
        goal = other.place(((number + 1.5) * STRIDE, 0.0, HEIGHT), (0.5 * PLACE, 0.0, 0.0))
        via = (0.0, 0.07 if side == "left" else -0.07, 0.08)
        phases += walk(group, f"step {number + 1}", [Footstep("anna", side, goal, via=via)], balance)

    def at_last(controller: Controller) -> Task:
        return balance(group.over("anna/left_foot", "anna/right_foot"))["anna balance"]

    phases.append(Phase(name="stand still", tasks={"anna balance": at_last}, until=lasting(1.0)))
    group.perform(phases)
    return group


def _begin(group: Group) -> None:
    """One foot before the other on the beam, both hands on the bar."""
    tasks: dict[str, Task] = {}
    for side, ahead, along in (("left", 0.5 * STRIDE, 0.3), ("right", -0.5 * STRIDE, -0.3)):
        sole = group.sole("anna", side)
        tasks[f"{side} foot"] = FrameTask(
            body=sole.second,
            point=sole.middle,
            target=(ahead, 0.0, HEIGHT),
            rotation=quat.IDENTITY,
            weight=1000.0,
            stiffness=20.0,
        )
        tasks[f"{side} hand"] = group.hand("anna", side, (0.0, along, 0.0), PALMS_DOWN[side], against="barbell/bar")
    tasks["upright"] = group.keep_turned("anna/spine")
    tasks["balance"] = CenterOfMassTask(
        owners=["anna", "barbell"], target=(0.0, 0.0, HEIGHT + COM_HEIGHT), weight=1000.0
    )
    group.arrange(tasks)
    group.stand("anna")
    for side in ("left", "right"):
        group.controller.touch(group.grip("anna", side, "barbell/bar", radius=0.014))
    # She looks at the beam some steps ahead.
    group.controller.want("gaze", group.look("anna", (2.5, 0.0, HEIGHT)))
    bar = group.keep("barbell/bar", weight=10.0, stiffness=5.0)
    bar.against, bar.target = "anna/spine", group.place_in("anna/spine", group.point("barbell/bar", (0.0, 0.0, 0.0)))
    bar.axes, bar.rotation = (1.0, 0.0, 1.0, 0.0, 0.0, 0.0), None
    group.controller.want("bar", bar)


def _weights(group: Group, steps: int, seed: int) -> None:
    """Two controls, and random changes of both in time."""
    for side in ("left", "right"):
        body = f"barbell/{side}"
        group.controls[f"{side} weight"] = partial(group.system.set_mass, body)
    rng = np.random.default_rng(seed)
    times = np.arange(1.0, 10.0 + 4.0 * steps, 0.1)
    walk_of = {side: PLATE + CHANGE * _wander(rng, times) for side in ("left", "right")}
    group.play(
        [Input(float(t), f"{s} weight", float(m)) for s, ms in walk_of.items() for t, m in zip(times, ms, strict=True)]
    )


def _wander(rng: np.random.Generator, times: np.ndarray) -> np.ndarray:
    """A smooth random course between -1 and 1 from 0."""
    rates, phases = rng.uniform(0.1, 0.35, 3), rng.uniform(0.0, 2.0 * np.pi, 3)
    waves = np.sin(2.0 * np.pi * rates * times[:, None] + phases).mean(axis=1)
    return np.asarray(waves * np.minimum((times - times[0]) / 2.0, 1.0))


def funambulist() -> Scene:
    """The walk as a scene."""
    return together("funambulist", funambulist_group, 26.0, props=(BEAM,))
