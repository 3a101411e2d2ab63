"""Somebody throws a sprung lever with a weight on it: the task is on its angle alone (Vaillant 2017, Lever)."""

from __future__ import annotations

from poise.groups import Group, Person
from poise.qp import FrameTask, GazeTask, JointTask, Pair, Phase, lasting, reached
from poise.scenes.scene import Scene
from poise.scenes.together.hands import PALMS_DOWN
from poise.scenes.together.together import together
from poise.scenes.together.variation import Variation
from poise.world.props import Wall
from poise.world.things import Link, Shape, Thing

__all__ = ["STIFFNESS", "THROWN", "lever", "lever_group"]

THROWN = 0.35
"""How far the lever is thrown to either side of its rest [rad]."""
STIFFNESS, DAMPING = 60.0, 4.0
"""Of its spring [N m/rad, N m s/rad]."""
GRIP = (0.0, 0.0, 0.7)
_STEEL, _IRON = (0.7, 0.72, 0.75), (0.25, 0.25, 0.28)
_ACROSS = (0.7071067811865476, 0.7071067811865476, 0.0, 0.0)
LEVER = Thing(
    name="lever",
    links=(
        Link(
            name="arm",
            joint="hinge",
            axis=(0.0, 1.0, 0.0),
            position=(0.55, -0.25, 0.25),
            stiffness=STIFFNESS,
            damping=DAMPING,
            shapes=(
                Shape(kind="capsule", size=(0.02, 0.4, 0.0), mass=2.0, position=(0.0, -0.09, 0.4), color=_STEEL),
                Shape(kind="capsule", size=(0.015, 0.08, 0.0), mass=0.3, position=GRIP, rotation=_ACROSS, color=_STEEL),
                Shape(kind="sphere", size=(0.11, 0.0, 0.0), mass=4.0, position=(0.0, -0.09, 0.93), color=_IRON),
            ),
        ),
    ),
)
STAND = Wall(name="stand", position=(0.55, -0.34, 0.125), size=(0.08, 0.06, 0.125))
"""What it is hinged on."""
_KEPT = ("anna/head/0", "anna/spine/0", "anna/right_upper_arm/0", "anna/right_forearm/0")


def lever_group(*, tasked: bool = True, start: int | None = None) -> Group:
    """The person, the lever and what happens.

    Args:
        tasked: Whether the task on the lever counts.
        start: Which of the scene's different starts (`Variation`); None for the scene as it is.
    """
    pairs = [Pair(first=shape, second="lever/arm/2", security=0.02) for shape in _KEPT]
    other = Variation(start)
    group = Group({"anna": other.person(Person())}, [other.thing(LEVER)], pairs=pairs)
    far = THROWN * other.share(0.2)
    group.stand("anna")
    weight = 1000.0 if tasked else 0.0

    at_it = group.look("anna", GRIP, "lever/arm")

    def hand(away: float) -> dict[str, FrameTask | GazeTask]:
        place = (-away, 0.0, 0.7 + 0.5 * away)
        return {"hand": group.hand("anna", "right", place, PALMS_DOWN["right"], against="lever/arm"), "gaze": at_it}

    def thrown(angle: float) -> dict[str, JointTask | GazeTask]:
        task = JointTask(joints=["lever/arm"], target=[angle], weight=weight, stiffness=15.0, speed=0.6)
        return {"lever": task, "gaze": at_it}

    group.controller.want("gaze", group.look("anna"))
    group.perform(
        [
            Phase(name="look", tasks={"gaze": at_it}, until=lasting(0.3)),
            Phase(name="reach", tasks=hand(0.07), until=reached("hand", 0.03, 0.15)),
            Phase(name="grasp", tasks=hand(0.0), until=reached("hand", 0.005, 0.02)),
            Phase(
                name="push",
                touch=[group.grip("anna", "right", "lever/arm", radius=0.015)],
                tasks=thrown(far),
                until=reached("lever", 0.008, 0.01),
            ),
            Phase(name="hold", tasks=thrown(far), until=lasting(1.0)),
            Phase(name="pull", tasks=thrown(-far), until=reached("lever", 0.008, 0.01)),
            Phase(name="hold again", tasks=thrown(-far), until=lasting(1.0)),
            Phase(name="let it rise", tasks=thrown(0.0), until=reached("lever", 0.01, 0.02)),
            Phase(name="let go", tasks=thrown(0.0), release=["anna/right_hand"], until=lasting(0.3)),
            Phase(name="withdraw", tasks=hand(0.08), until=lasting(0.7)),
            Phase(name="stand", until=lasting(1.0)),
        ]
    )
    return group


def lever() -> Scene:
    """The lever as a scene."""
    return together("lever", lever_group, 14.0, props=(STAND,))
