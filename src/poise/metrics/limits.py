"""How far joint angles leave their limits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from poise.errors import InputError
from poise.metrics._arrays import Array, checked, largest, mean, numbers

__all__ = ["JointAngles", "LimitViolation", "limit_violation", "violation"]


@dataclass(frozen=True, eq=False)
class JointAngles:
    """Angles over time and their limits, one column per angle: a swing, a twist or a turn about one axis.

    Args:
        angles: Angles [rad], shape (T, N).
        lower: Lower limits [rad], shape (N,); -inf where there is none.
        upper: Upper limits [rad], shape (N,); inf where there is none.

    Raises:
        InputError: Shapes disagree or a lower limit is not below its upper one.
    """

    angles: Array
    lower: Array
    upper: Array

    def __post_init__(self) -> None:
        angles = checked("angles", self.angles, None, None)
        lower = checked("lower limits", self.lower, angles.shape[1])
        upper = checked("upper limits", self.upper, angles.shape[1])
        if not np.all(lower <= upper):
            raise InputError(f"lower limits must not exceed upper ones; see angle {int(np.argmin(lower <= upper))}")
        for name, array in (("angles", angles), ("lower", lower), ("upper", upper)):
            object.__setattr__(self, name, array)


@dataclass(frozen=True)
class LimitViolation:
    """How far and how often angles were outside: `limit_violation`."""

    max_deg: float
    frames_percent: float


def violation(angles: ArrayLike, lower: ArrayLike, upper: ArrayLike) -> Array:
    """How far each angle is outside its limits, `max(0, q - q⁺, q⁻ - q)` [rad], shape (T, N).

    Raises:
        InputError: Shapes disagree or a lower limit is not below its upper one.
    """
    joint = JointAngles(*(numbers("angles and limits", each) for each in (angles, lower, upper)))
    return np.maximum(0.0, np.maximum(joint.angles - joint.upper, joint.lower - joint.angles))


def limit_violation(
    angles: ArrayLike, lower: ArrayLike, upper: ArrayLike, *, tolerance: float = 1e-6
) -> LimitViolation:
    """Largest violation [deg] and share of frames with some violation above `tolerance` [rad].

    0 is the target; captured motion itself leaves textbook limits now and then. NaN where there are no angles.

    Raises:
        InputError: Shapes disagree or a lower limit is not below its upper one.
    """
    outside = violation(angles, lower, upper)
    if outside.size == 0:
        return LimitViolation(float("nan"), float("nan"))
    return LimitViolation(float(np.rad2deg(largest(outside))), 100.0 * mean((outside > tolerance).any(axis=1)))
