"""Coming into fluid in the midst of a motion: where the body and its feet are then, and how feet get from there into step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise import parameters
from poise.locomotion.steps import FootGoal, Placement, StepPlan
from poise.math import quat
from poise.math.easing import minimum_jerk

__all__ = ["Asked", "CrossingOptions", "Entry", "FootCorrection", "carried_on", "footing_now"]

Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class CrossingOptions:
    """When somebody begins to wade and when that is over.

    Raises:
        InputError: A number is out of range.
    """

    nears: float = parameters.number(
        0.005,
        0.0,
        0.5,
        "m",
        says="how near over the surface a sole is about to get wet",
        source="chosen: about a tick's way down",
    )
    dry: float = parameters.number(
        0.4, 0.0, 10.0, "s", says="how long nobody touches fluid before being out of it", source="chosen: about a step"
    )
    free: float = parameters.number(
        0.97,
        0.1,
        1.0,
        says="share of the speed intended from which on nothing holds somebody back any more",
        source="chosen: the rest is sway",
    )
    upright: float = parameters.number(
        0.03,
        0.001,
        1.0,
        "rad",
        says="and by how much they may still lean and turn then",
        source="chosen: nobody sees so little",
    )
    waits: float = parameters.number(
        1.0,
        0.0,
        10.0,
        "s",
        says="how long the root waits at most for a moment in which both feet stand",
        source="chosen: a runner's never do",
    )
    rolls: float = parameters.number(
        0.25,
        0.001,
        5.0,
        "s",
        says="in what time a foot comes to roll as a wader's does",
        source="chosen: a part of a stance",
    )

    def __post_init__(self) -> None:
        parameters.check(self, "crossing")


class Entry(NamedTuple):
    """Somebody at the moment in which wading begins.

    Args:
        time: Of the session [s].
        clip_time: Of the clip [s].
        pace: How fast that runs.
        placement: How the clip's ground lies under the body.
        velocity: Of the body without the sway of its steps [m/s], shape (2,).
        feet: Places of both feet's joints [m], shape (2, 3).
        turns: Their orientations, shape (2, 4).
    """

    time: float
    clip_time: float
    pace: float
    placement: Placement
    velocity: Array
    feet: Array
    turns: Array


class Asked(NamedTuple):
    """What a session asks of a wader for a tick.

    Args:
        clip_time: Of the clip at its end [s]: the session's clock has it.
        pace: How fast the body shall go, as a share of what its clip does.
        aside: Velocity beside the clip's, as of who steps out of the way [m/s], shape (2,).
    """

    clip_time: float
    pace: float
    aside: Array


class FootCorrection(NamedTuple):
    """How one foot is beside where a wader would have it; made good by its next landing.

    While it stands it keeps its place, and only its height and turn are made good.

    Args:
        begun: When this began [s].
        stance: The stance in which it did, as the step controller counts.
        share: Of a step that was done then, 1 for none.
        shift: Of its ball [m], shape (3,).
        turn: Rotation vector in the world [rad], shape (3,).
        left: How much of it is left to be made good, 0…1.
    """

    begun: float
    stance: int
    share: float
    shift: Array
    turn: Array
    left: float = 1.0


def carried_on(
    time: float, plan: StepPlan, goal: FootGoal, meant: tuple[Array, Array], real: tuple[Array, Array]
) -> FootCorrection:
    """The footing of a foot whose ball's place (3,) and orientation (4,) really are others than a wader's at a time [s]."""
    turn = quat.log(quat.mul(real[1], quat.conj(meant[1])))
    return FootCorrection(time, plan.stance, goal.share, real[0] - meant[0], turn)


def footing_now(
    footing: FootCorrection | None, plan: StepPlan, goal: FootGoal, time: float, options: CrossingOptions
) -> FootCorrection | None:
    """What is left of a footing at a time [s]; None once the foot has landed."""
    if footing is None or plan.stance != footing.stance:
        return None
    left = 1.0
    if goal.share < 1.0:
        left -= float(minimum_jerk(goal.share, footing.share if footing.share < 1.0 else 0.0, 1.0))
    rolls = min(left, 1.0 - float(minimum_jerk(time - footing.begun, 0.0, options.rolls)))
    return footing._replace(shift=np.array([left, left, rolls]) * footing.shift, turn=rolls * footing.turn, left=left)
