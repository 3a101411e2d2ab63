"""One strikes with a sword, the other has no task but balance and keeps out of its way (Vaillant 2017, Sword)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from poise.groups import Group, Input, Person
from poise.math import quat
from poise.qp import FrameTask, Pair, Phase, Task, lasting
from poise.scenes.scene import Scene
from poise.scenes.together.hands import FORWARD
from poise.scenes.together.together import together
from poise.scenes.together.variation import PLACE, Variation
from poise.world.things import Link, Shape, Thing

__all__ = ["SECURITY", "STRIKES", "sword", "sword_group"]

Array = NDArray[np.float64]

STEP = 0.01
INFLUENCE, SECURITY, SPARE = 0.25, 0.03, 0.003
"""Distances at which she begins to give way, that she keeps, and that a jump of the closest points may use up [m]."""
APART = 0.78
"""Of either from the middle [m]."""
_STEEL, _LEATHER = (0.75, 0.77, 0.8), (0.3, 0.2, 0.12)
_AHEAD = (0.7071067811865476, 0.0, 0.7071067811865476, 0.0)
_ACROSS = (0.7071067811865476, 0.7071067811865476, 0.0, 0.0)
GUARD: tuple[Sequence[float], tuple[float, float]] = ((-0.3, 0.0, 1.05), (0.0, -1.1))
"""Where the hilt is [m], and how the blade points: to the left of x, and down [rad]."""
SWORD = Thing(
    name="sword",
    links=(
        Link(
            name="blade",
            joint="free",
            position=(-0.3, 0.0, 1.05),
            rotation=(float(np.cos(0.55)), 0.0, -float(np.sin(0.55)), 0.0),
            shapes=(
                Shape(
                    kind="capsule",
                    size=(0.012, 0.4, 0.0),
                    mass=0.8,
                    position=(0.55, 0.0, 0.0),
                    rotation=_AHEAD,
                    color=_STEEL,
                ),
                Shape(kind="capsule", size=(0.016, 0.13, 0.0), mass=0.4, rotation=_AHEAD, color=_LEATHER),
                Shape(
                    kind="capsule",
                    size=(0.012, 0.08, 0.0),
                    mass=0.2,
                    position=(0.14, 0.0, 0.0),
                    rotation=_ACROSS,
                    color=_STEEL,
                ),
            ),
        ),
    ),
)
STRIKES: dict[str, tuple[tuple[Sequence[float], tuple[float, float]], ...]] = {
    "torso": (((-0.3, 0.1, 1.15), (0.75, 0.0)), ((-0.25, 0.03, 1.15), (0.06, 0.0))),
    "back": (((-0.3, -0.1, 1.1), (-0.75, 0.0)), ((-0.25, -0.03, 1.1), (-0.06, 0.0))),
    "shoulder": (((-0.35, 0.0, 1.3), (0.0, -1.2)), ((-0.28, 0.0, 1.25), (0.0, -0.12))),
}
"""Where each strike starts and ends: the hilt's place [m], and how the blade points. She stands
with her left side to the sword: one sweep comes at her chest, the other at her back, the blow from above at her shoulder."""
_SELF = (
    ("left_hand/0", "pelvis/0"),
    ("right_hand/0", "pelvis/0"),
    ("left_forearm/0", "spine/0"),
    ("right_forearm/0", "spine/0"),
    ("left_forearm/0", "pelvis/0"),
    ("right_forearm/0", "pelvis/0"),
    ("left_hand/0", "left_thigh/0"),
    ("right_hand/0", "right_thigh/0"),
    ("left_shank/0", "right_shank/0"),
)
_OWN = ("head/0", "left_upper_arm/0", "right_upper_arm/0", "left_thigh/0", "right_thigh/0")


FREELY = (
    (-0.3, 0.1, 1.3, 0.6, -0.2),
    (-0.25, 0.03, 1.3, 0.08, 0.0),
    (-0.3, -0.1, 0.95, -0.5, 0.1),
    (-0.25, -0.03, 1.0, -0.06, 0.05),
    (-0.3, 0.0, 1.05, 0.0, -1.1),
)
"""The recorded inputs: x, y, z of the hilt [m], the blade to the left and down [rad]."""


def sword_group(
    order: Sequence[str] = ("torso", "back", "shoulder"), *, avoid: bool = True, start: int | None = None
) -> Group:
    """The two, the sword and what happens.

    Args:
        order: Of the strikes.
        avoid: Whether she keeps off the sword; without it strikes go through her.
        start: Which of the scene's different starts (`Variation`); None for the scene as it is.
    """
    bent = {"shank/y": 0.6, "thigh/y": -0.3, "foot/y": -0.3}
    people = {
        "rolf": Person(stature=1.8, place=(-APART, 0.0, 0.0), pose={"upper_arm/y": -0.5, "forearm/y": -1.0}),
        "dana": Person(stature=1.68, place=(APART, 0.0, 0.0), heading=0.5 * np.pi, pose=bent),
    }
    varied = Variation(start)
    people = {name: varied.person(who) for name, who in people.items()}
    group = Group(people, [varied.thing(SWORD)], step=STEP, pairs=_pairs(people["dana"], avoid))
    _take_up(group)
    blade = _aim(GUARD)
    group.controller.want("sword", blade)
    for one, other, place in (("rolf", "dana/spine", (0.0, 0.0, 0.2)), ("dana", "sword/blade", (0.3, 0.0, 0.0))):
        group.controller.want(f"{one} gaze", group.look(one, place, other))

    def move(value: Sequence[float]) -> None:
        x, y, z, left, down = (float(number) for number in value)
        blade.target, blade.rotation = (x, y, z), pointing(left, down)

    group.controls["sword"] = move
    phases = [Phase(name="stand", until=lasting(0.5))]
    for number, name in enumerate(order):
        parts = (("raise", STRIKES[name][0], 1.2), ("strike", STRIKES[name][1], 1.6), ("back to guard", GUARD, 1.2))
        for what, pose, seconds in parts:
            label = f"{number + 1}: {name}, {what}"
            aimed = _aim((varied.place(pose[0], (PLACE, PLACE, PLACE)), pose[1]))
            phases.append(Phase(name=label, tasks={"sword": aimed}, until=lasting(seconds)))
    group.perform([*phases, Phase(name="freely", until=lasting(1e9))])
    begin = 1.0 + 4.0 * len(order)
    group.play([Input(begin + 1.2 * number, "sword", pose) for number, pose in enumerate(FREELY)])
    return group


def _pairs(dana: Person, avoid: bool) -> list[Pair]:
    """33 pairs, as the paper has them: 5 of his with his sword, 19 of hers with it, 9 of hers with one another."""
    alone = Group({"dana": dana})
    shapes = [shape for body in alone.bases["dana"].plan.names for shape in alone.system.shapes_of(f"dana/{body}")]
    kept = [Pair(first=f"rolf/{one}", second="sword/blade/0", influence=0.08) for one in _OWN]
    kept += [Pair(first=f"dana/{one}", second=f"dana/{two}", influence=0.03, security=0.002) for one, two in _SELF]
    if avoid:
        reach = {"influence": INFLUENCE, "security": SECURITY + SPARE, "offset": 0.3}
        kept += [Pair(first=one, second="sword/blade/0", **reach) for one in shapes if one != "dana/spine/3"]
    return kept


def _take_up(group: Group) -> None:
    """Both hands on the hilt, all feet on the ground."""
    # Hands lie along the blade's x axis, thumbs towards its point, whichever way it points.
    turn = quat.mul(quat.exp([0.0, 0.5 * np.pi, 0.0]), FORWARD)
    tasks: dict[str, Task] = {"upright": group.keep_turned("rolf/spine")}
    for side, along in (("right", 0.06), ("left", -0.06)):
        tasks[f"{side} hand"] = group.hand("rolf", side, (along, 0.0, 0.0), turn, against="sword/blade")
        tasks[f"{side} foot"] = group.keep(f"rolf/{side}_foot", weight=1000.0)
    group.arrange(tasks)
    for name in group.people:
        group.stand(name)
    for side in ("left", "right"):
        group.controller.touch(group.grip("rolf", side, "sword/blade", radius=0.016))
    group.balance("rolf", "sword")
    group.balance("dana", weight=2000.0)


def _aim(pose: tuple[Sequence[float], tuple[float, float]]) -> FrameTask:
    place, direction = pose
    turn = pointing(*direction)
    return FrameTask(body="sword/blade", target=place, rotation=turn, weight=300.0, stiffness=25.0, speed=0.8)


def pointing(left: float, down: float) -> Array:
    """How the blade is turned that points to the left of x and down [rad]."""
    return np.asarray(quat.mul(quat.exp([0.0, 0.0, left]), quat.exp([0.0, down, 0.0])))


def sword() -> Scene:
    """The fight as a scene."""
    return together("sword", sword_group, 20.0)
