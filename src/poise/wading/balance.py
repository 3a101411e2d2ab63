"""How a wader keeps its balance: it leans into what holds it back, and is no faster than its feet keep hold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise import parameters
from poise.body.coordinates import BodyFrames
from poise.body.plan import BodyPlan
from poise.fluid import GRAVITY
from poise.math import quat
from poise.wading import _kernels

__all__ = ["BalanceOptions", "LeaningTrunk", "center_of_mass", "fastest_walk", "felt_grade", "surefooted"]

Array = NDArray[np.float64]

_LEGS = ("left_thigh", "right_thigh")


@dataclass(frozen=True, kw_only=True)
class BalanceOptions:
    """How far a wader leans, and how fast it walks at most."""

    share: float = parameters.number(
        0.35,
        0.0,
        1.0,
        says="share of the moment over the feet that the trunk answers",
        source="chosen by eye; the rest is answered by feet that push off farther behind",
    )
    farthest: float = parameters.angle(
        12.6, 0.0, 60.0, says="nobody leans farther into what holds him back", source="chosen by eye"
    )
    uphill: float = parameters.number(
        0.4,
        0.0,
        1.0,
        says="share of the ground's angle that the trunk leans along, forward uphill and back downhill",
        source="as walkers do (Leroux 2002)",
    )
    easiest: float = parameters.number(
        -0.05, -0.5, 0.0, says="grade on which walkers are fastest; on steeper ones legs brake", source="Tobler 1993"
    )
    froude: float = parameters.number(
        0.5,
        0.05,
        2.0,
        says="square of the speed over gravity and a leg's length at which walkers leave the ground",
        source="whatever gravity is (Kram 1997)",
    )
    nears: float = parameters.number(
        0.1,
        0.001,
        1.0,
        says="how near to that speed, as a share of it, legs begin to give up pushing on",
        source="chosen: at once, they would start and stop",
    )

    pelvis: float = parameters.number(
        0.5, 0.0, 1.0, says="share of a lean that the pelvis takes; the spine takes the rest", source="chosen by eye"
    )
    gaze: float = parameters.number(
        0.6,
        0.0,
        1.0,
        says="share of a lean that neck and head take back",
        source="eyes stay on the way",
    )
    feels: float = parameters.number(
        0.6, 0.01, 10.0, "s", says="in what time a body finds out what it has to lean into", source="about a step"
    )
    bears: float = parameters.number(
        0.1,
        0.001,
        1.0,
        says="share of the weight that always stands on the ground",
        source="a floating body still touches it with its toes",
    )

    def __post_init__(self) -> None:
        parameters.check(self, "balance")


def center_of_mass(plan: BodyPlan, frames: BodyFrames) -> Array:
    """Of a whole body at the first of some body frames [m], shape (3,)."""
    place: Array = _kernels.mass_center(plan.masses, plan.centres, frames.positions[0], frames.rotations[0])
    return place


class LeaningTrunk:
    """What of a body can be leaned over its hips.

    Args:
        plan: The character.
        frames: Of a moment in which it is upright.
        options: How far it leans.
    """

    def __init__(self, plan: BodyPlan, frames: BodyFrames, options: BalanceOptions) -> None:
        self.options = options
        legs = plan.with_role(*_LEGS)
        upper = np.setdiff1d(np.arange(len(plan)), [body for leg in legs for body in plan.subtree(leg)])
        heights = (frames.positions[0] + quat.rotate(frames.rotations[0], plan.centres))[upper, 2]
        over = (
            float(plan.masses[upper] @ heights) / float(plan.masses[upper].sum()) - frames.positions[0, legs, 2].mean()
        )
        self.arm = max(float(plan.masses[upper].sum() / plan.total_mass * over), 0.02 * plan.stature)
        """How far the whole body's center of mass goes ahead, for the sine of a lean [m]."""

    def lean(self, moment: float, standing: float) -> float:
        """The lean that brings the weight as far ahead as what holds the body back would topple it backwards [rad].

        Args:
            moment: Of what holds it back, about the ground under it [N m].
            standing: Weight that the ground bears [N].
        """
        asked, farthest = self.options.share * moment / (standing * self.arm), self.options.farthest
        return farthest * float(np.tanh(asked / farthest))

    def lean_uphill(self, rise: float) -> float:
        """The lean that goes with ground that rises so much for every meter of the way [rad]."""
        farthest = self.options.farthest
        return min(max(self.options.uphill * float(np.arctan(rise)), -farthest), farthest)


def felt_grade(rise: float, easiest: float = BalanceOptions.easiest) -> float:
    """What a rise for every meter of the way is to a walker: uphill itself, and downhill at first a help, then work as well.

    The exponent of Tobler's hiking function, |rise + 0.05|, less what it is on level ground; -0.05 is the `easiest` grade.
    """
    return abs(rise - easiest) + easiest


def fastest_walk(leg: float, standing: float = 1.0, froude: float = BalanceOptions.froude) -> float:
    """How fast one walks at most on legs of a length [m], with a share of the weight on the ground [m/s]; faster is a run."""
    return float(np.sqrt(froude * standing * GRAVITY * leg))


def surefooted(intended: Array, velocity: Array, standing: float, leg: float, options: BalanceOptions) -> Array:
    """The velocity a walker aims at: the one intended, but nobody whom fluid bears walks faster than feet keep on the ground.

    Args:
        intended: v_d [m/s], shape (2,).
        velocity: Of the body, shape (2,).
        standing: Share of the weight that the ground bears.
        leg: Length of a leg [m].
        options: How fast that is.
    """
    wanted = float(np.hypot(intended[0], intended[1]))
    fastest = fastest_walk(leg, standing, options.froude)
    if wanted <= fastest:
        return intended
    # It is the speed there is that lifts feet off the ground: whom the fluid slows down anyway pushes on as hard as ever.
    speed = float(velocity @ intended) / wanted
    pushes = min(max(0.5 + (fastest - speed) / (2.0 * options.nears * fastest), 0.0), 1.0)
    return np.asarray(intended * (fastest + pushes * (wanted - fastest)) / wanted)
