"""A gesture that repeats: joint rotations over one cycle, and the smooth curve through them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from poise.body.plan import BodyPlan
from poise.errors import InputError
from poise.hybrid.partition import find_bodies
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


def conducting_loop(plan: BodyPlan) -> GestureLoop:
    """A bar in four: both arms beat down and bounce, mirrored, wider and narrower over the bar; the head nods along."""
    phase = 2.0 * np.pi * np.arange(_SAMPLES) / _SAMPLES
    beat, still = 4.0 * phase, 0.0 * phase
    turns: dict[int, Array] = {}
    for side, sign in (("left", 1.0), ("right", -1.0)):
        turns |= _turns(
            plan,
            {
                f"{side}_upper_arm": (
                    sign * (0.35 + 0.15 * np.sin(2.0 * phase)),
                    -0.55 - 0.28 * np.sin(beat + 0.6) - 0.1 * np.sin(phase),
                    sign * (0.25 * np.sin(phase) - 0.35),
                ),
                f"{side}_forearm": (still, -1.45 - 0.35 * np.sin(beat + 0.2), still),
                f"{side}_hand": (still, 0.15 * np.sin(beat - 0.3), still),
            },
        )
    head = "neck" if plan.with_role("neck") else "head"
    turns |= _turns(plan, {head: (still, 0.08 * np.sin(beat), 0.1 * np.sin(phase))})
    bodies = np.array(sorted(turns), dtype=np.int64)
    return GestureLoop(bodies, np.stack([turns[int(body)] for body in bodies], axis=1))


def _turns(plan: BodyPlan, vectors: dict[str, tuple[Array, Array, Array]]) -> dict[int, Array]:
    """Joint rotations from rotation vectors about forward, left and up in the neutral pose, by role."""
    bodies = find_bodies(plan, vectors)
    return {
        body: quat.exp(quat.rotate(quat.conj(plan.neutral[body]), np.stack(vector, axis=-1)))
        for body, vector in zip(bodies, vectors.values(), strict=True)
    }
