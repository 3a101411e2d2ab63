"""What the body does beside the hands: rules for leaning, dodging and looking, each of which a user may replace."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise import parameters
from poise.anticipation.answers import Dodging, Leaning, Looking, Pacing

__all__ = ["Evasion", "evades", "lean_angle", "least_effort", "tilt"]

Array = NDArray[np.float64]


def lean_angle(force: float, weight: float) -> float:
    """How far a body leans into a push so that its weight balances it [rad].

    Args:
        force: Level force on the body [N].
        weight: Of the body [N].
    """
    return float(np.arctan2(force, weight))


def evades(mass: float, speed: float, heaviest: float, momentum: float) -> bool:
    """Whether something that comes is dodged, since hands cannot stop it.

    Args:
        mass: Of it [kg].
        speed: Against the body [m/s]; 0 of what stands still.
        heaviest: The heaviest thing hands handle [kg].
        momentum: The most hands stop [kg m/s].
    """
    return mass < np.inf and (mass > heaviest or mass * speed > momentum)


@dataclass(frozen=True, kw_only=True)
class Evasion:
    """How trunk, neck, head and pace answer what comes; an angle or a share of 0 leaves that answer out.

    Raises:
        InputError: A number is out of range.
    """

    look: float = parameters.number(
        0.6, says="how much of the way to what comes the head turns; the eyes do the rest", live=True
    )
    lean: float = parameters.angle(20.0, 0.0, 45.0, says="farthest lean into a push", live=True)
    bend: float = parameters.angle(
        35.0, 0.0, 45.0, says="farthest bend of trunk and neck away from what cannot be stopped", live=True
    )
    duck: float = parameters.number(
        0.35,
        0.0,
        0.6,
        "m",
        says="how far a body whose root yields goes down on its knees under what comes, for a stature of 1.75 m",
        live=True,
    )
    sidestep: float = parameters.number(
        0.35, 0.0, 1.0, "m", says="how far it steps out of the way, for a stature of 1.75 m", live=True
    )
    momentum: float = parameters.number(12.0, 0.0, 1e6, "kg m/s", says="what has more is dodged", live=True)
    shield: bool = parameters.switch(True, says="whether hands go before the face where bending does not do", live=True)
    stops: bool = parameters.switch(True, says="whether the walk stops before what cannot be moved", live=True)
    still: float = parameters.number(
        0.3,
        0.0,
        10.0,
        "m/s",
        says="what is slower stands still: it is neither dodged nor looked at sooner, and not gone in time",
        live=True,
    )
    distance: float = parameters.number(
        0.6, 0.3, 3.0, "m", says="how far before the trunk it stops, for a stature of 1.75 m", live=True
    )
    held: float = parameters.number(
        0.4, 0.01, 10.0, says="a push against the way of this share of the weight stops the walk", live=True
    )
    kicked: float = parameters.number(
        3.0, 0.0, 1e6, "kg", says="what is lighter is kicked aside by feet rather than stepped over", live=True
    )
    looked: float = parameters.number(
        2.5,
        0.0,
        10.0,
        "m",
        says="how far around it looks for what stands in the way of its feet, for a stature of 1.75 m",
        source="somewhat more than two steps",
        live=True,
    )
    dodging: Dodging = parameters.group(Dodging, says="how it gets out of the way")
    looking: Looking = parameters.group(Looking, says="where the head turns")
    leaning: Leaning = parameters.group(Leaning, says="how it leans")
    pacing: Pacing = parameters.group(Pacing, says="how the walk stops and goes on")
    lean_angle: Callable[[float, float], float] = lean_angle
    """Rule for the lean."""
    evades: Callable[[float, float, float, float], bool] = evades
    """Rule for what is dodged."""

    def __post_init__(self) -> None:
        parameters.check(self, "evasion")


def tilt(direction: Array, faces: Array, angle: float) -> Array:
    """Rotation vector about forward, left and up that tilts an upright body to a side [rad], shape (3,).

    Args:
        direction: Level, in the world, any length, shape (3,).
        faces: Where the body faces, level, shape (3,).
        angle: How far [rad].
    """
    ahead = direction[0] * faces[0] + direction[1] * faces[1]
    left = direction[1] * faces[0] - direction[0] * faces[1]
    length = float(np.hypot(ahead, left))
    return angle / max(length, 1e-9) * np.array([-left, ahead, 0.0])


def least_effort(efforts: Array, clearances: Array, margin: float, *, steps: bool = False) -> int:
    """The candidate that clears everything with the least effort, else the head, else comes nearest to that.

    What misses the head but not the chest is no matter for bending but for the hands, where no step out of its way is among
    the candidates: the first one then.

    Args:
        efforts: How much trouble each candidate is, shape (C,); the first one is 0.
        clearances: How far what comes passes head, chest and other parts by [m], shape (C, k).
        margin: How far is clear [m].
        steps: Whether any candidate is a step.
    """
    if not steps and clearances[0, 0] >= margin > clearances[0, 1]:
        return 0
    for clear in (clearances.min(axis=1) >= margin, clearances[:, 0] >= margin):
        if clear.any():
            return int(np.where(clear, efforts - 1e-3 * clearances[:, 0], np.inf).argmin())
    return int(clearances[:, 0].argmax())
