"""How a character stands, in what a user may set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from poise import parameters
from poise.locomotion.stepping.options import APART, LIFT

__all__ = ["BEND", "KINEMATIC", "BalanceOptions", "Recovery"]

KINEMATIC = ("left_clavicle", "right_clavicle", "left_upper_arm", "right_upper_arm", "neck", "head")
"""Roles from which everything below follows the clip, unless said otherwise."""
BEND = 0.02
"""Share of the leg's length by which hips are lower than with straight knees, unless said otherwise."""


@dataclass(frozen=True, kw_only=True)
class Recovery:
    """When and how a body that balances steps, and when it gives up."""

    outside: float = parameters.number(
        0.01,
        0.0,
        1.0,
        "m",
        says="how far outside the feet the capture point may be before one of them steps",
        live=True,
    )
    again: float = parameters.number(
        0.08, 0.0, 1.0, "m", says="how far outside it may be after a step before there is another", live=True
    )
    patience: float = parameters.number(0.5, 0.0, 10.0, "s", says="for how long after a step that holds", live=True)
    duration: float = parameters.number(0.25, 0.05, 2.0, "s", says="how long a step takes", live=True)
    lift: float = parameters.number(LIFT, 0.0, 0.5, "m", says="height of the ankle's path over the ground", live=True)
    apart: float = parameters.number(APART, 0.0, 0.5, "m", says="least distance of the feet side by side", live=True)
    longest: float = parameters.number(0.8, 0.1, 2.0, says="longest step as a share of the pelvis' height", live=True)
    beyond: float = parameters.number(
        0.01, 0.0, 0.5, "m", says="how far beyond the capture point a sole's middle is put down", live=True
    )
    seeking: float = parameters.number(
        0.6, 0.0, 5.0, "m/s", says="how fast a foot that is late goes on down", live=True
    )
    late: float = parameters.number(
        1.5,
        1.0,
        10.0,
        says="a foot that finds no ground is taken to stand after so many times the duration of its step",
        live=True,
    )
    air: float = parameters.number(
        0.03, 0.0, 0.5, "m", says="height of a foot over where it would stand at which it does not carry", live=True
    )
    down: float = parameters.number(
        0.42,
        0.0,
        2.0,
        says="a walker's step is finished as the foot ahead has less than this share of the body's speed, the other twice that",
        source="earlier the foot is still landing, later the other one swings",
    )
    walks: float = parameters.number(
        0.4, 0.0, 10.0, "m/s", says="a body that is faster as its step is finished brings the foot behind after"
    )
    swift: float = parameters.number(
        1.8,
        0.2,
        10.0,
        "m/s",
        says="how fast that foot goes on the way, where a step's `duration` is less than that takes",
    )
    firm: float = parameters.number(12.0, 1.0, 100.0, says="how much stiffer the legs are in a step", live=True)
    settling: float = parameters.number(
        4.0, 0.0, 50.0, "1/s", says="how fast the pose comes back over the feet after a step", live=True
    )
    note: float = parameters.number(
        2.0, 0.0, 50.0, "1/s", says="how fast feet that slipped are taken to stand where they are", live=True
    )
    lost: float = parameters.number(0.5, 0.0, 5.0, "m", says="how far outside there is no use in stepping", live=True)
    lost_in_step: float = parameters.number(
        0.9, 0.0, 5.0, "m", says="how far outside there is none in ending a step on one foot", live=True
    )
    lowest: float = parameters.number(
        0.6, 0.0, 1.0, says="hip height as a share of the standing one at which a body counts as fallen", live=True
    )
    tilt: float = parameters.angle(60.0, 0.0, 180.0, says="tilt of the pelvis at which it does", live=True)
    slack: float = parameters.number(
        0.02,
        says="share of stiffness that a body keeps whose muscles have let go",
        source="passive joints resist a little",
        live=True,
    )
    slack_damping: float = parameters.number(0.15, says="share of damping that it keeps", live=True)

    def __post_init__(self) -> None:
        parameters.check(self, "recovery")


@dataclass(frozen=True, kw_only=True)
class BalanceOptions:
    """How a character stands.

    Raises:
        InputError: A number is out of range.
    """

    law: Literal["capture", "published"] = parameters.choice(
        "capture",
        "capture",
        "published",
        says="through the ground (`CaptureBalance`), or the paper's (`PublishedBalance`)",
    )
    multiplier: float = parameters.number(
        1.0, 0.05, 20.0, says="stiffness multiplier of the published law", source="the paper's"
    )
    kinematic: tuple[str, ...] = parameters.words(
        KINEMATIC, says="roles from which everything below follows the clip; those it lacks are left out"
    )
    feet: Literal["friction", "glued", "planted"] = parameters.choice(
        "friction",
        "friction",
        "glued",
        "planted",
        says="what holds the feet: friction, welds that never let go, or welds that let go of a foot for its step",
    )
    steps: int = parameters.whole(3, 0, 100, says="most steps in a row; 0 for a body that never steps", live=True)
    preview: float = parameters.number(
        0.0, 0.0, 5.0, "s", says="how far ahead the coming motion of the clip is felt; 0 only reacts"
    )
    start: float = parameters.number(
        0.0, 0.0, 1e6, "s", says="when it takes over from the clip; 0 for a body that stands from the beginning"
    )
    waits: float = parameters.number(
        1.2, 0.0, 10.0, "s", says="how long the clip then has to put down a foot that is in the air: a step is finished"
    )
    rests: float = parameters.number(
        0.9,
        0.05,
        10.0,
        "s",
        says="how long trunk, arms and head then take to come to rest at ease",
        source="an arm that swings goes back and forth once in about a second",
    )
    bend: float = parameters.number(
        BEND, 0.0, 0.3, says="share of the leg's length by which hips are lower than with straight knees"
    )
    relax: float = parameters.number(
        0.4, 0.01, 10.0, "s", says="time in which muscles go slack after a fall has begun", live=True
    )

    recovery: Recovery = parameters.group(Recovery, says="when and how it steps, and when it gives up")

    def __post_init__(self) -> None:
        parameters.check(self, "balance")
