"""Somebody turns a valve at a wanted speed: the task is on the wheel's angular velocity (Vaillant 2017, Valve)."""

from __future__ import annotations

from poise.groups import Group, Input, Person
from poise.qp import JointTask, Phase, Task, lasting, reached
from poise.scenes.scene import Scene
from poise.scenes.together.hands import PALMS_DOWN
from poise.scenes.together.together import together
from poise.scenes.together.variation import Variation
from poise.world.props import Wall
from poise.world.things import Link, Shape, Thing

__all__ = ["SPEED", "valve", "valve_group"]

SPEED, CHANGED = 1.5, 2.2
"""Of the wheel at first, and as the recorded input has it [rad/s]."""
RADIUS = 0.13
_RED, _STEEL = (0.65, 0.15, 0.12), (0.7, 0.72, 0.75)
_ACROSS = (0.7071067811865476, 0.7071067811865476, 0.0, 0.0)
_AHEAD = (0.7071067811865476, 0.0, 0.7071067811865476, 0.0)
VALVE = Thing(
    name="valve",
    links=(
        Link(
            name="wheel",
            joint="hinge",
            axis=(1.0, 0.0, 0.0),
            position=(0.62, -0.15, 1.05),
            damping=1.0,
            shapes=(
                Shape(kind="cylinder", size=(RADIUS + 0.03, 0.012, 0.0), mass=4.0, rotation=_AHEAD, color=_RED),
                Shape(
                    kind="cylinder",
                    size=(0.03, 0.06, 0.0),
                    mass=1.0,
                    position=(0.06, 0, 0),
                    rotation=_AHEAD,
                    color=_STEEL,
                ),
                Shape(kind="capsule", size=(0.018, RADIUS, 0.0), mass=0.2, color=_STEEL),
            ),
        ),
        Link(
            name="handle",
            joint="hinge",
            parent="wheel",
            axis=(1.0, 0.0, 0.0),
            position=(-0.06, 0.0, -RADIUS),
            damping=0.02,
            shapes=(Shape(kind="capsule", size=(0.014, 0.05, 0.0), mass=0.3, rotation=_ACROSS, color=_STEEL),),
        ),
    ),
)
STAND = Wall(name="stand", position=(0.8, -0.15, 0.57), size=(0.06, 0.07, 0.57))
"""What the wheel's shaft comes out of."""
PRESSED = (Input(12.0, "speed", CHANGED),)
"""The recorded input."""


def valve_group(*, speed: float = SPEED, start: int | None = None) -> Group:
    """The person, the valve and what happens.

    Args:
        speed: Of the wheel at first [rad/s].
        start: Which of the scene's different starts (`Variation`); None for the scene as it is.
    """
    other = Variation(start)
    group = Group({"anna": other.person(Person())}, [other.thing(VALVE)])
    pressed = [one._replace(value=one.value * other.share(0.2)) for one in PRESSED]
    group.stand("anna")

    def turning(speed: float) -> JointTask:
        return JointTask(joints=["valve/wheel"], weight=500.0, stiffness=0.0, damping=6.0, velocity=[speed])

    turn, stop = turning(speed * other.share(0.2)), turning(0.0)

    def set_speed(value: float) -> None:
        turn.velocity = [float(value)]

    group.controls["speed"] = set_speed
    hold = group.hand("anna", "right", (0.0, 0.0, 0.0), PALMS_DOWN["right"])
    # Once it holds, where the hand goes is the wheel's business; how it is turned stays a person's.
    level = group.hand("anna", "right", (0.0, 0.0, 0.0), PALMS_DOWN["right"])
    level.target, level.weight = None, 5.0

    def near(away: float) -> Task:
        place = group.point("valve/handle", (-away, 0.0, 0.5 * away))
        return group.hand("anna", "right", place, PALMS_DOWN["right"])

    hold.target = group.point("valve/handle", (0.0, 0.0, 0.0))
    gaze = {"gaze": group.look("anna", (0.0, 0.0, 0.0), "valve/wheel")}
    group.controller.want("gaze", group.look("anna"))
    group.perform(
        [
            Phase(name="look", tasks=gaze, until=lasting(0.3)),
            Phase(name="reach", tasks={"hand": lambda c: near(0.07), **gaze}, until=reached("hand", 0.03, 0.15)),
            Phase(name="grasp", tasks={"hand": hold, **gaze}, until=reached("hand", 0.005, 0.02)),
            Phase(
                name="turn",
                touch=[group.grip("anna", "right", "valve/handle", radius=0.014)],
                tasks={"turn": turn, "level": level, **gaze},
                until=lasting(14.0),
            ),
            Phase(name="stop", tasks={"turn": stop, "level": level, **gaze}, until=lasting(1.0)),
            Phase(name="let go", release=["anna/right_hand"], tasks={"turn": stop, **gaze}, until=lasting(0.3)),
            Phase(name="stand", until=lasting(1.0)),
        ]
    )
    group.play(pressed)
    return group


def valve() -> Scene:
    """The valve as a scene."""
    return together("valve", valve_group, 21.0, props=(STAND,))
