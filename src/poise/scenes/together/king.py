"""Two carry a third on a litter; she reaches and they help, though no task tells them to (Vaillant 2017, King)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from poise.groups import Footstep, Group, Input, Person, walk
from poise.qp import (
    CenterOfMassTask,
    Contact,
    Controller,
    FrameTask,
    Pair,
    Phase,
    Solver,
    Task,
    lasting,
    planar,
    posture,
    reached,
)
from poise.scenes.scene import Scene
from poise.scenes.together.together import together
from poise.scenes.together.variation import PLACE, Variation
from poise.world.things import Link, Shape, Thing

__all__ = ["king", "king_group"]

STEP, STRIDE = 1.0 / 30.0, 0.25
"""Of time [s] and of the carriers' feet [m]."""
CARRIER, QUEEN = 1.8, 1.55
"""Statures [m]."""
POLES, FOOTREST = 0.78, 0.52
"""Heights of the poles and of what her feet rest on [m]."""
APART, ALONG = 0.3, 0.95
"""Of a pole from the middle, and of the carriers from the middle [m]."""
KNEE, THIGH = (0.039 + 0.246) * QUEEN, 0.044 * QUEEN
"""Height of her knees over the footrest, and half the thickness of her thighs [m]."""
SEAT = FOOTREST + KNEE - THIGH
_WOOD, _RED = (0.5, 0.36, 0.2), (0.65, 0.15, 0.15)
_FORWARD = (0.7071067811865476, 0.0, 0.7071067811865476, 0.0)


def _board(position: Sequence[float], size: Sequence[float], mass: float, color: Sequence[float]) -> Shape:
    x, y, z = position
    return Shape(kind="box", size=tuple(size), mass=mass, position=(x, y, z - POLES), color=tuple(color))  # type: ignore[arg-type]


LITTER = Thing(
    name="litter",
    links=(
        Link(
            name="chair",
            joint="free",
            position=(0.0, 0.0, POLES),
            shapes=(
                *(
                    Shape(
                        kind="capsule",
                        size=(0.02, 1.25, 0.0),
                        mass=2.0,
                        position=(0.0, y, 0.0),
                        rotation=_FORWARD,
                        color=_WOOD,
                    )
                    for y in (APART, -APART)
                ),
                _board((-0.12, 0.0, SEAT - 0.02), (0.2, 0.22, 0.02), 2.5, _RED),
                _board((-0.32, 0.0, SEAT + 0.25), (0.015, 0.2, 0.25), 1.5, _RED),
                _board((0.33, 0.0, FOOTREST - 0.015), (0.14, 0.22, 0.015), 1.5, _WOOD),
                _board((-0.12, 0.0, POLES), (0.03, APART, 0.02), 0.5, _WOOD),
                _board((0.25, 0.0, POLES), (0.03, APART, 0.02), 0.5, _WOOD),
            ),
        ),
    ),
)
CARRIERS = ("front", "back")
_PAIRS = (
    *((f"{who}/left_{part}/0", f"{who}/right_{part}/0") for who in CARRIERS for part in ("foot", "shank")),
    ("front/pelvis/0", "litter/chair/4"),
    ("back/pelvis/0", "litter/chair/3"),
)


REACHES = (
    Input(22.0, "reach", (1.2, 0.75, 1.5)),
    Input(25.0, "reach", (1.0, 0.1, 1.9)),
)
"""A recorded list of inputs for the interactive part: where her left hand is to go [m]."""


def king_group(
    steps: int = 2,
    *,
    level: bool = True,
    helping: bool = True,
    solver: Literal["daqp", "proxqp"] = "daqp",
    start: int | None = None,
) -> Group:
    """The litter, those who carry it, her who sits on it, and what happens.

    Args:
        steps: How many each carrier takes.
        level: Whether the chair is wanted level on the way.
        helping: Whether the carriers may help her to reach; else the litter is to stay where it is.
        solver: Who solves the programs.
        start: Which of the scene's different starts (`Variation`); None for the scene as it is.
    """
    carrying = {"shank/y": 0.5, "thigh/y": -0.25, "foot/y": -0.25, "upper_arm/x": 0.25, "forearm/y": -0.3}
    seated = {"thigh/y": -1.5, "shank/y": 1.5, "foot/y": 0.0, "upper_arm/y": -0.35, "forearm/y": -0.9}
    people = {
        "front": Person(stature=CARRIER, mass=82.0, place=(ALONG, 0.0, 0.0), pose=carrying),
        "back": Person(stature=CARRIER, mass=82.0, place=(-ALONG, 0.0, 0.0), pose=carrying),
        "queen": Person(stature=QUEEN, mass=48.0, place=(0.33, 0.0, FOOTREST), pose=seated),
    }
    pairs = [Pair(first=a, second=b, influence=0.08, security=0.01) for a, b in _PAIRS]
    other = Variation(start)
    # Her seat is made to her measure, and she sits in the middle of it.
    people = {
        name: other.person(who, (0.0, 0.0, 0.0), stature=0.0) if name == "queen" else other.person(who)
        for name, who in people.items()
    }
    group = Group(people, [other.thing(LITTER)], step=STEP, pairs=pairs, solver=Solver(solver))
    _begin(group, level)
    phases = [Phase(name="stand", until=lasting(0.5))]
    for number in range(steps):
        for side in ("right", "left"):
            phases += _both_step(group, number, side)
    phases += _reaching(group, helping, other)
    group.perform(phases)
    group.play([one._replace(value=other.place(one.value, (PLACE, PLACE, PLACE))) for one in REACHES])
    return group


def _begin(group: Group, level: bool) -> None:
    """Hands on the poles, her on the seat; everybody wants to stay so, and the chair to stay level."""
    tasks: dict[str, Task] = {}
    for who in CARRIERS:
        for side, sign in (("left", 1.0), ("right", -1.0)):
            sole = group.sole(who, side)
            tasks[f"{who} {side} foot"] = group.keep(sole.second, weight=1000.0, stiffness=20.0)
            ahead = group.point(f"{who}/pelvis", (0.0, 0.0, 0.0))[0] + 0.02
            place = (ahead, sign * APART, 0.0)
            tasks[f"{who} {side} hand"] = group.hand(who, side, place, (1.0, 0.0, 0.0, 0.0), against="litter/chair")
        tasks[f"{who} upright"] = group.keep_turned(f"{who}/spine")
    tasks["queen sits"] = group.keep("queen/pelvis", weight=1000.0)
    group.arrange(tasks)
    for who in CARRIERS:
        group.stand(who)
        for side in ("left", "right"):
            group.controller.touch(group.grip(who, side, "litter/chair"))
        group.controller.drop(f"{who} balance")
    _sit(group)
    feet = [f"{who}/{side}_foot" for who in CARRIERS for side in ("left", "right")]
    group.controller.want("balance", _balance(group, group.over(*feet)))
    turn = (1.0, 0.0, 0.0, 0.0)
    task = FrameTask(body="litter/chair", rotation=turn, axes=(0, 0, 0, 1, 1, 0.3), weight=500.0, stiffness=15.0)
    if level:
        group.controller.want("level", task)


def _sit(group: Group) -> None:
    for side in ("left", "right"):
        group.controller.touch(group.sole("queen", side, "litter/chair"))
    seat: Contact = planar(
        "queen/pelvis",
        "litter/chair",
        "queen/pelvis",
        center=(-0.04, 0.0, -THIGH),
        normal=(0.0, 0.0, 1.0),
        half=(0.1, 0.13),
        along=(1.0, 0.0, 0.0),
    )
    group.controller.touch(seat)
    group.controller.want("queen posture", posture(group.system, "queen", weight=1.0, stiffness=10.0))
    group.controller.want("queen upright", group.keep_turned("queen/spine"))
    group.enliven("queen")
    for who in group.people:
        group.controller.want(f"{who} gaze", group.look(who))


def _balance(group: Group, place: np.ndarray) -> CenterOfMassTask:
    """Everybody's common center of mass over a place."""
    owners = [*group.people, "litter"]
    return CenterOfMassTask(owners=owners, target=place, axes=(1.0, 1.0, 0.0), weight=2000.0, stiffness=8.0)


def _both_step(group: Group, number: int, side: str) -> list[Phase]:
    """Both carriers step with the same foot (Fig. 12, states 1 and 2)."""
    steps = []
    for who in CARRIERS:
        now = group.point(f"{who}/{side}_foot", group.sole(who, side).middle)
        goal = now + np.array([(number + 1) * STRIDE, 0.0, 0.0])
        steps.append(Footstep(who, side, goal.tolist(), via=(0.0, 0.0, 0.07)))

    def balance(place: np.ndarray) -> dict[str, Task]:
        return {"balance": _balance(group, place)}

    return walk(group, f"{side} {number + 1}", steps, balance)


def _reaching(group: Group, helping: bool, other: Variation) -> list[Phase]:
    """Her left hand goes wherever the user says (Fig. 12, state 3); nobody says that the chair should stay level then."""
    feet = [f"{who}/{side}_foot" for who in CARRIERS for side in ("left", "right")]
    offset = np.array(other.place((0.55, 0.5, 0.55), (PLACE, PLACE, PLACE)))
    reach = group.hand("queen", "left", (0.0, 0.0, 0.0), speed=0.4)

    def begin(controller: Controller) -> Task:
        reach.target = group.point("litter/chair", (0.0, 0.0, 0.0)) + offset
        return reach

    def move(place: Sequence[float]) -> None:
        reach.target = np.asarray(place, dtype=float)

    group.controls["reach"] = move
    common: dict[str, Task | Callable[[Controller], Task]] = {
        "balance": lambda controller: _balance(group, group.over(*feet)),
        "level": FrameTask(body="litter/chair", rotation=(1.0, 0.0, 0.0, 0.0), weight=0.5, stiffness=4.0),
    }
    if not helping:
        common["stays"] = lambda controller: group.keep("litter/chair", weight=1e5, stiffness=20.0)
    gaze = group.look("queen", group.palm("queen", "left"), "queen/left_hand")
    return [
        Phase(name="gather", tasks={"balance": common["balance"]}, until=reached("balance", 0.02, 0.05)),
        Phase(name="reach", tasks={**common, "hand": begin, "queen gaze": gaze}, until=lasting(1e9)),
    ]


def king() -> Scene:
    """The litter as a scene."""
    return together("king", king_group, 30.0)
