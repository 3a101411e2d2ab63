"""A gesture that repeats: joint rotations over one cycle, and the smooth curve through them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.gesturing import conducting_turns
from poise.behaviors.looping import _kernels
from poise.body.plan import BodyPlan
from poise.errors import InputError
from poise.math import quat

__all__ = ["GestureLoop", "LoopRows", "conducting_loop"]

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
        from scipy.interpolate import CubicSpline  # Slow to import (docs/architecture.md, decision 12).

        away = quat.log(quat.mul(quat.conj(self.middle)[None], self.rotations))
        knots = np.arange(len(away) + 1)
        spline = CubicSpline(knots, np.concatenate([away, away[:1]]), bc_type="periodic")
        return np.ascontiguousarray(spline.c)


class LoopRows:
    """A gesture of many at once, each with a tempo, a size and a phase of its own.

    Args:
        loop: The gesture.
        rates: Cycles per second, shape (N,).
        sizes: Factor on the gesture, shape (N,).
        phases: Where in its cycle each begins, in cycles, shape (N,).
    """

    def __init__(self, loop: GestureLoop, rates: Array, sizes: Array, phases: Array) -> None:
        self.loop, self.rates, self.sizes, self.phases = loop, rates, sizes, phases

    @property
    def compiled(self) -> tuple[Array, Array, Array, Array, Array]:
        """For compiled loops: middle rotations (K, 4), curves (4, P, K, 3), rates, sizes and phases, (N,) each."""
        return self.loop.middle, self.loop.curves, self.rates, self.sizes, self.phases

    def write(self, columns: NDArray[np.int64], times: float | Array, rows: Array) -> None:
        """Write the turning joints into generalized positions: one row for each who gestures, or for each time of one alone.

        Args:
            columns: Where the quaternion of each of the loop's bodies begins in a row, shape (K,).
            times: [s], one or shape (R,).
            rows: Shape (R, nq); written.
        """
        phases = self.phases + self.rates * times
        _kernels.write_loop(columns, self.loop.middle, self.loop.curves, phases, self.sizes, rows)


def conducting_loop(plan: BodyPlan, beats: int = 4) -> GestureLoop:
    """A bar of 1, 2, 3, 4 or 6 beats with both hands (`poise.gesture`); the head rides along."""
    return GestureLoop(*conducting_turns(plan, beats, _SAMPLES))
