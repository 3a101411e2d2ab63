"""How a body steps when it has to."""

from __future__ import annotations

from dataclasses import dataclass

from poise import parameters

__all__ = ["APART", "LIFT", "StepOptions"]

LIFT, APART = 0.06, 0.12
"""How high the foot of a step is lifted that no clip has, and how far beside one another feet stay at least [m]; said once, for
bodies that yield and bodies that balance."""


@dataclass(frozen=True, kw_only=True)
class StepOptions:
    """Steps that the clip does not have, and how its own are changed."""

    steps: bool = parameters.switch(True, says="whether feet leave the clip's footholds at all")
    duration: float = parameters.number(
        0.35,
        0.1,
        2.0,
        "s",
        says="how long a step beside the clip's own takes",
        source="people who are pushed take 0.25 to 0.45 s",
    )
    height: float = parameters.number(LIFT, 0.0, 0.5, "m", says="how high its foot is lifted")
    margin: float = parameters.number(
        0.09,
        0.01,
        1.0,
        "m",
        says="how far the capture point may be from the middle of the support before a step is made",
        source="about half a foot",
    )
    home: float = parameters.number(
        0.12, 0.0, 1.0, "m", says="how much nearer to the clip's own foothold each step comes"
    )
    apart: float = parameters.number(
        APART, 0.0, 0.5, "m", says="how far beside one another feet stay at least, or as far as the clip has them"
    )
    over: float = parameters.number(
        0.45,
        0.0,
        1.0,
        says="how high what is seen may be to be stepped over, as a share of the leg's length; 0 for never",
        source="over what is higher the knee that follows does not fold",
    )
    clears: float = parameters.number(0.07, 0.01, 0.5, "m", says="how high over it soles pass, for a stature of 1.75 m")
    longer: float = parameters.number(
        0.4,
        0.0,
        1.0,
        "m",
        says="how much longer or shorter a step gets at most so as not to come down on it, for that stature",
    )
    before: float = parameters.number(
        0.2,
        0.01,
        1.0,
        "m",
        says="how far before it toes stay where they can: the foot has to get up to its height; for that stature",
    )
    beyond: float = parameters.number(
        0.08, 0.01, 1.0, "m", says="how far beyond it heels come down where they can, for that stature"
    )
    leans: float = parameters.number(
        0.45, 0.0, 2.0, says="and how much farther for each meter of its height", source="a shank that lands leans back"
    )
    strides: float = parameters.number(
        0.8, 0.1, 2.0, says="how far one before the other feet come down at most where they can, as a share of the leg"
    )
    settled: float = parameters.number(
        0.5, 0.0, 1.0, says="from this share of a swing on it is settled where the foot comes down"
    )

    def __post_init__(self) -> None:
        parameters.check(self, "stepping")
