"""The rules of a character: small functions, each of which a user may replace (Alvarado 2022, sections 5.2 and 5.3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from poise.anticipation.bounds import Bounds
from poise.anticipation.guiding import Approach
from poise.lazy import LazyModule

if TYPE_CHECKING:
    from poise.anticipation import _kernels
else:
    _kernels = LazyModule("poise.anticipation._kernels")

__all__ = ["Rules", "both_hands", "movement_time", "palm_turn", "published_reaction_time", "reaction_time", "tension"]

Array = NDArray[np.float64]

_STILL = 1e-3


def reaction_time(distance: float, radius: float, closing: float, bounds: Bounds) -> float:
    """Time a hand takes to its place [s]: Eq. 5 with the closing speed.

    The paper counts an obstacle only once it is inside the region, where its own distance minus radius is negative and
    the least time always results; ahead of the region the time to its surface counts here, inside the time to the body.

    Args:
        distance: From the region's centre to the obstacle [m].
        radius: Of the region [m].
        closing: How fast the distance shrinks [m/s].
        bounds: Least and most, and where the body begins.
    """
    if closing <= _STILL:
        return bounds.slowest
    gap = distance - radius if distance > radius else max(distance - bounds.skin, 0.0)
    return float(np.clip(bounds.early * gap / closing, bounds.quickest, bounds.slowest))


def published_reaction_time(
    distance: float,
    radius: float,
    speed: float,
    quickest: float = 0.5,
    slowest: float = 2.0,
    alpha: float = Bounds.early,
) -> float:
    """Eq. 5 as printed, with the paper's bounds; `quickest` for everything inside the region."""
    return float(np.clip(alpha * (distance - radius) / speed, quickest, slowest))


def movement_time(way: float, available: float, priority: float, jerk: float = Approach.jerk) -> float:
    """Time a hand takes for its way at least [s]: what is available, within what ordinary and hurried reaches take.

    A way of least jerk has 60 times its length over the cube of its time at either end (Flash and Hogan 1985). What leaves
    less time than a hurried reach takes is met late: after four fifths of the time a hand has done all but a twentieth.

    Args:
        way: How far the hand has to go [m].
        available: Until it is needed there [s].
        priority: Of the region it protects: one hurries more for the head than for an arm.
        jerk: Largest of a reach in a hurry where the priority is 1; an ordinary quick one has half of it [m/s³].
    """
    ordinary, hurried = np.cbrt(120.0 * way / jerk), np.cbrt(60.0 * way / (jerk * priority))
    return float(max(min(available, ordinary), hurried))


def tension(mass: float, heaviest: float, bounds: Bounds) -> float:
    """Tension against something of a `mass` [kg], as a natural frequency [Hz].

    Eq. 6 makes stiffness linear in mass up to the heaviest thing that is handled; stiffness goes with the square of the
    frequency, so this is linear in the square.
    """
    share = min(max(mass / heaviest, 0.0), 1.0)
    return float(np.sqrt(bounds.softest**2 + (bounds.firmest**2 - bounds.softest**2) * share))


def both_hands(left: float, right: float, mass: float, heaviest: float) -> bool:
    """Whether both hands answer: the hands are about as near [m], or the thing takes two (section 5.2)."""
    return abs(left - right) < 0.05 or mass > 0.5 * heaviest


def palm_turn(normal: Array, fingers: Array, palm: Array, along: Array) -> Array:
    """Turn of a hand whose palm lies on a surface, wxyz, shape (4,).

    The paper's q_c is no rotation in general and is undefined where the fingers point along the normal; here the palm faces
    the surface, and the fingers keep their direction as far as the surface allows, else point up.

    Args:
        normal: Of the surface, outward, shape (3,).
        fingers: Where the fingers point now, in the world, shape (3,).
        palm: Out of the palm, in the hand's frame, shape (3,).
        along: Along the fingers, in the hand's frame, shape (3,).
    """
    turn = np.empty(4)
    _kernels.palm_turn(normal, fingers, palm, along, turn)
    return turn


@dataclass(frozen=True, kw_only=True)
class Rules:
    """Which function decides what; see the functions of this module for what each is given."""

    reaction_time: Callable[[float, float, float, Bounds], float] = reaction_time
    movement_time: Callable[[float, float, float, float], float] = movement_time
    tension: Callable[[float, float, Bounds], float] = tension
    both_hands: Callable[[float, float, float, float], bool] = both_hands
    palm_turn: Callable[[Array, Array, Array, Array], Array] = palm_turn
