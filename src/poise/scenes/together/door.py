"""Somebody opens a door and closes it again: tasks are on the door alone (Vaillant 2017, Door)."""

from __future__ import annotations

import numpy as np

from poise.groups import Group, Person
from poise.qp import FrameTask, GazeTask, JointTask, Pair, Phase, lasting, reached
from poise.scenes.scene import Scene
from poise.scenes.together.hands import PALMS_DOWN
from poise.scenes.together.together import together
from poise.scenes.together.variation import Variation
from poise.world.things import Link, Shape, Thing

__all__ = ["door", "door_group"]

OPEN, TURNED = 0.5, -0.6
"""How far the door is opened and the handle pressed [rad]."""
NEAR = 0.14
"""How near she stands, from a place where the handle would be at the end of a straight arm [m]: the arm pushes, and no trunk
has to."""
_WOOD, _STEEL = (0.62, 0.45, 0.28), (0.7, 0.72, 0.75)
_SIDEWAYS = (0.7071067811865476, 0.7071067811865476, 0.0, 0.0)
DOOR = Thing(
    name="door",
    links=(
        Link(
            name="panel",
            joint="hinge",
            position=(0.55, 0.5, 0.0),
            damping=1.0,
            shapes=(Shape(kind="box", size=(0.02, 0.42, 1.0), mass=20.0, position=(0.0, -0.42, 1.02), color=_WOOD),),
        ),
        Link(
            name="handle",
            joint="hinge",
            parent="panel",
            axis=(1.0, 0.0, 0.0),
            position=(-0.07, -0.78, 1.0),
            stiffness=6.0,
            damping=0.2,
            shapes=(
                Shape(
                    kind="capsule",
                    size=(0.012, 0.05, 0.0),
                    mass=0.3,
                    position=(0.0, 0.06, 0.0),
                    rotation=_SIDEWAYS,
                    color=_STEEL,
                ),
                Shape(
                    kind="capsule",
                    size=(0.012, 0.02, 0.0),
                    mass=0.2,
                    position=(0.03, 0.0, 0.0),
                    rotation=(0.7071067811865476, 0.0, 0.7071067811865476, 0.0),
                    color=_STEEL,
                ),
            ),
        ),
    ),
)
BAR = np.array([0.0, 0.07, 0.0])
"""Where the handle is held, in its frame [m]."""


def door_group(*, tasked: bool = True, start: int | None = None) -> Group:
    """The person, the door and what happens.

    Args:
        tasked: Whether the tasks on the door count.
        start: Which of the scene's different starts (`Variation`); None for the scene as it is.
    """
    pairs = [Pair(first="anna/left_hand/0", second="door/panel/0")]
    other = Variation(start)
    group = Group({"anna": other.person(Person(place=(NEAR, 0.0, 0.0)))}, [other.thing(DOOR)], pairs=pairs)
    wide = OPEN * other.share(0.2)
    group.stand("anna")
    weight = 1000.0 if tasked else 0.0

    at_it = group.look("anna", BAR, "door/handle")

    def hand(away: float) -> dict[str, FrameTask | GazeTask]:
        place = BAR + np.array([-away, 0.0, 0.5 * away])
        return {"hand": group.hand("anna", "right", place, PALMS_DOWN["right"], against="door/handle"), "gaze": at_it}

    def turned(handle: float, panel: float) -> dict[str, JointTask | GazeTask]:
        return {
            "gaze": at_it,
            "handle": JointTask(joints=["door/handle"], target=[handle], weight=weight, stiffness=25.0, speed=1.0),
            "panel": JointTask(joints=["door/panel"], target=[panel], weight=weight, stiffness=12.0, speed=0.3),
        }

    group.controller.want("gaze", group.look("anna"))
    group.perform(
        [
            Phase(name="look", tasks={"gaze": at_it}, until=lasting(0.4)),
            Phase(name="reach", tasks=hand(0.06), until=reached("hand", 0.03, 0.15)),
            Phase(name="grasp", tasks=hand(0.0), until=reached("hand", 0.004, 0.02)),
            Phase(
                name="press the handle",
                touch=[group.grip("anna", "right", "door/handle", radius=0.014)],
                tasks=turned(TURNED, 0.0),
                until=reached("handle", 0.01, 0.02),
            ),
            Phase(name="open", tasks=turned(TURNED, wide), until=reached("panel", 0.01, 0.01)),
            Phase(name="hold", tasks=turned(TURNED, wide), until=lasting(0.5)),
            Phase(name="close", tasks=turned(TURNED, 0.0), until=reached("panel", 0.01, 0.01)),
            Phase(name="let the handle rise", tasks=turned(0.0, 0.0), until=reached("handle", 0.01, 0.02)),
            Phase(name="let go", tasks=turned(0.0, 0.0), release=["anna/right_hand"], until=lasting(0.3)),
            Phase(name="withdraw", tasks=hand(0.08), until=lasting(0.7)),
            Phase(name="stand", until=lasting(2.0)),
        ]
    )
    return group


def door() -> Scene:
    """The door as a scene."""
    return together("door", door_group, 14.0)
