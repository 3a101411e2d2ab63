"""A gesture that repeats: joint rotations over one cycle, and the smooth curve through them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from poise.behaviors.gesturing import conducting_turns
from poise.body.plan import BodyPlan
from poise.errors import InputError
from poise.math import quat

__all__ = ["GestureLoop", "conducting_loop"]

Array = NDArray[np.float64]

_SAMPLES = 96


@dataclass(frozen=True, eq=False)
class GestureLoop:
    """Joint rotations over one cycle, evenly spaced, the last followed by the first again.

    Args:
        bodies: Bodies of the plan whose joints turn, shape (K,).
        rotations: Of each joint relative to its neutral rotation, wxyz, shape (P, K, 4).

    Raises:
        InputError: There are fewer than four samples, or shapes disagree.
    """

    bodies: NDArray[np.int64]
    rotations: Array

    def __post_init__(self) -> None:
        shape = np.shape(self.rotations)
        if len(shape) != 3 or shape[0] < 4 or shape[1:] != (len(self.bodies), 4):
            raise InputError(f"a gesture needs rotations of shape (4 or more, {len(self.bodies)}, 4); got {shape}")

    @cached_property
    def middle(self) -> Array:
        """Mean rotation of each joint over the cycle, wxyz, shape (K, 4)."""
        return quat.normalize(quat.continuous(self.rotations).mean(axis=0))

    @cached_property
    def curves(self) -> Array:
        """Periodic cubics of the rotation vector from the middle, per sample spacing, highest power first, (4, P, K, 3)."""
        away = quat.log(quat.mul(quat.conj(self.middle)[None], self.rotations))
        knots = np.arange(len(away) + 1)
        spline = CubicSpline(knots, np.concatenate([away, away[:1]]), bc_type="periodic")
        return np.ascontiguousarray(spline.c)


def conducting_loop(plan: BodyPlan, beats: int = 4) -> GestureLoop:
    """A bar of 1, 2, 3, 4 or 6 beats with both hands (`poise.gesture`); the head rides along."""
    return GestureLoop(*conducting_turns(plan, beats, _SAMPLES))
