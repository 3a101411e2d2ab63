"""How a wader keeps its balance: it leans into what holds it back, and is no faster than its feet keep hold."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import BodyFrames
from poise.body.plan import BodyPlan
from poise.fluid import GRAVITY
from poise.math import quat
from poise.wading import _kernels

__all__ = ["LeaningTrunk", "center_of_mass", "fastest_walk", "felt_grade", "surefooted"]

Array = NDArray[np.float64]

_SHARE = 0.35
"""Of the moment over the feet that the trunk answers; the rest is answered by feet that push off farther behind."""
_FARTHEST = 0.22
"""Nobody leans farther into what holds him back [rad]."""
_FROUDE = 0.5
"""Square of the speed over gravity and a leg's length at which walkers leave the ground, whatever gravity is (Kram 1997)."""
_NEARS = 0.1
"""This near to that speed, as a share of it, the legs begin to give up pushing on."""
_EASIEST = -0.05
"""Grade on which hikers are fastest (Tobler 1993); on steeper ones their legs brake."""
_UPHILL = 0.4
"""Of the ground's angle that the trunk leans along: forward uphill and back downhill, as walkers do (Leroux 2002)."""
_LEGS = ("left_thigh", "right_thigh")


def center_of_mass(plan: BodyPlan, frames: BodyFrames) -> Array:
    """Of a whole body at the first of some body frames [m], shape (3,)."""
    place: Array = _kernels.mass_center(plan.masses, plan.centres, frames.positions[0], frames.rotations[0])
    return place


class LeaningTrunk:
    """What of a body can be leaned over its hips.

    Args:
        plan: The character.
        frames: Of a moment in which it is upright.
    """

    def __init__(self, plan: BodyPlan, frames: BodyFrames) -> None:
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
        asked = _SHARE * moment / (standing * self.arm)
        return _FARTHEST * float(np.tanh(asked / _FARTHEST))

    @staticmethod
    def lean_uphill(rise: float) -> float:
        """The lean that goes with ground that rises so much for every meter of the way [rad]."""
        return float(np.clip(_UPHILL * np.arctan(rise), -_FARTHEST, _FARTHEST))


def felt_grade(rise: float) -> float:
    """What a rise for every meter of the way is to a walker: uphill itself, and downhill at first a help, then work as well.

    The exponent of Tobler's hiking function, |rise + 0.05|, less what it is on level ground.
    """
    return abs(rise - _EASIEST) + _EASIEST


def fastest_walk(leg: float, standing: float = 1.0) -> float:
    """How fast one walks at most on legs of a length [m], with a share of the weight on the ground [m/s]; faster is a run."""
    return float(np.sqrt(_FROUDE * standing * GRAVITY * leg))


def surefooted(intended: Array, velocity: Array, standing: float, leg: float) -> Array:
    """The velocity a walker aims at: the one intended, but nobody whom fluid bears walks faster than feet keep on the ground.

    Args:
        intended: v_d [m/s], shape (2,).
        velocity: Of the body, shape (2,).
        standing: Share of the weight that the ground bears.
        leg: Length of a leg [m].
    """
    wanted = float(np.hypot(intended[0], intended[1]))
    fastest = fastest_walk(leg, standing)
    if wanted <= fastest:
        return intended
    # It is the speed there is that lifts feet off the ground: whom the fluid slows down anyway pushes on as hard as ever.
    speed = float(velocity @ intended) / wanted
    pushes = min(max(0.5 + (fastest - speed) / (2.0 * _NEARS * fastest), 0.0), 1.0)
    return np.asarray(intended * (fastest + pushes * (wanted - fastest)) / wanted)
