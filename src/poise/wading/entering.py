"""Coming into fluid in the midst of a motion: where the body and its feet are then, and how feet get from there into step."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.locomotion.steps import FootGoal, Placement, StepPlan
from poise.math import quat
from poise.math.easing import minimum_jerk

__all__ = ["Asked", "Entry", "FootCorrection", "carried_on", "footing_now"]

Array = NDArray[np.float64]

_ROLLS = 0.25
"""Time in which a foot comes to roll as a wader's does [s]."""


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


def footing_now(footing: FootCorrection | None, plan: StepPlan, goal: FootGoal, time: float) -> FootCorrection | None:
    """What is left of a footing at a time [s]; None once the foot has landed."""
    if footing is None or plan.stance != footing.stance:
        return None
    left = 1.0
    if goal.share < 1.0:
        left -= float(minimum_jerk(goal.share, footing.share if footing.share < 1.0 else 0.0, 1.0))
    rolls = min(left, 1.0 - float(minimum_jerk(time - footing.begun, 0.0, _ROLLS)))
    return footing._replace(shift=np.array([left, left, rolls]) * footing.shift, turn=rolls * footing.turn, left=left)
