"""When a body cannot be caught any more, and what it does on its way to the ground, in numbers."""

from __future__ import annotations

from dataclasses import dataclass
from math import radians

from poise import parameters

__all__ = ["Falling", "Posture"]


@dataclass(frozen=True, kw_only=True)
class Posture:
    """How far joints of a falling body are bent forward; by default as on the front."""

    thigh: float = parameters.angle(-35.0, -120.0, 60.0, says="each thigh")
    shank: float = parameters.angle(55.0, -10.0, 150.0, says="each shank")
    spine: float = parameters.angle(-5.0, -60.0, 90.0, says="the spine, all of it")
    neck: float = parameters.angle(-30.0, -60.0, 60.0, says="the neck, all of it")

    def __post_init__(self) -> None:
        parameters.check(self, "posture")


def _rolled_up() -> Posture:
    """On the back or a side: the chin on the chest."""
    return Posture(thigh=radians(-60.0), shank=radians(75.0), spine=radians(25.0), neck=radians(35.0))


@dataclass(frozen=True, kw_only=True)
class Falling:
    """When a body falls, how it gets its hands out and its head away, and how it lies."""

    saturated: float = parameters.number(
        0.5, 0.0, 10.0, "s", says="a root whose force would be at its limit for longer does not catch its body"
    )
    sure: float = parameters.number(
        0.1,
        0.0,
        5.0,
        "s",
        says="it falls when that is so for this long",
        source="the impulse of a push is over by then, and what pushed it may push it back",
    )
    low: float = parameters.number(0.6, says="down is who has the pelvis under this share of the clip's height")
    over: float = parameters.angle(60.0, 0.0, 180.0, says="or the trunk so far from the clip's")
    stands: float = parameters.number(
        0.9, 0.0, 2.0, says="who has the pelvis over this share of it is not down, however bent the trunk is"
    )
    upright: float = parameters.angle(20.0, 0.0, 180.0, says="while the pelvis is turned no farther from the clip's")
    pushes: float = parameters.number(1.0, 0.0, 1e3, "N s", says="impulse of a tick that counts as a push")
    remembered: float = parameters.number(
        1.5, 0.0, 60.0, "s", says="what pushed longer ago is not told as why it falls"
    )
    leans: float = parameters.angle(
        40.0,
        0.0,
        180.0,
        says="whose trunk is so far from where it was meant to be gets the hands out before it falls",
        source="at 25 degrees more people fell over walls than without",
    )
    goes: float = parameters.number(
        0.3,
        0.0,
        10.0,
        "m/s",
        says="a trunk that is faster falls where it goes, else where it was pushed; so fast beside its motion it may topple",
    )
    hands: float = parameters.number(
        0.3,
        0.01,
        5.0,
        "s",
        says="how long it takes to get the hands out",
        source="0.3 to 0.4 s after a fall begins (Hsiao and Robinovitch 1998)",
    )
    reach: float = parameters.number(
        0.92, 0.1, 1.0, says="how far hands go out, as a share of the arm", source="elbows a little bent give"
    )
    ahead: float = parameters.number(0.6, 0.0, 5.0, says="how far ahead of straight down they go, as a slope")
    beside: float = parameters.number(0.12, 0.0, 2.0, says="and how far beside their shoulders, as a slope")
    thick: float = parameters.number(0.03, 0.0, 0.5, "m", says="how thick a hand on the ground is")
    forward: Posture = parameters.group(
        Posture, says="falling on the front", source="knees first, the face away from the ground"
    )
    backward: Posture = parameters.group(Posture, _rolled_up, says="falling on the back or a side")
    arms: float = parameters.number(4.0, 0.01, 50.0, "Hz", says="tension of the arms while it falls")
    body: float = parameters.number(2.0, 0.01, 50.0, "Hz", says="tension of the rest while it falls")
    lying: float = parameters.number(1.0, 0.01, 50.0, "Hz", says="tension of all of it when it lies")
    lands: float = parameters.number(
        0.5, 0.0, 10.0, "s", says="how long it is down until it lies and reaches for nothing any more"
    )
    calms: float = parameters.number(0.6, 0.01, 10.0, "s", says="how long its muscles then take to let go")

    def __post_init__(self) -> None:
        parameters.check(self, "falling")
