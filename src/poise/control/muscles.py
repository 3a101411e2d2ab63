"""What muscles can do: torque limits by secant stiffness, and soft stops at the ends of a joint's range.

Clamping the torque of a stiff muscle would clamp its damper too, which then switches back and forth and diverges. Lowering
the stiffness (and with it the damping) so that spring and load together stay within the limit keeps the law smooth and
implicit: measured stable from 20 to 20,000 N m/rad.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.body.plan import BodyPlan
from poise.control import _kernels
from poise.signals import Target

__all__ = ["MuscleState", "joint_ranges", "limit_muscles"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class MuscleState:
    """Work arrays of one character's muscles, for its bodies below the pelvis; rewritten every tick.

    Args:
        stiffness: [N m/rad], shape (B-1,).
        damping: [N m s/rad], shape (B-1,).
        applied: Torque beside spring and damper, in body frames [N m]: the load, and damping times the target velocity,
            shape (B-1, 3).
        saturated: Whether the muscle is at its limit, shape (B-1,).
        beyond: Whether the joint is beyond its range and a stop acts, shape (B-1,).
    """

    stiffness: Array
    damping: Array
    applied: Array
    saturated: NDArray[np.bool_]
    beyond: NDArray[np.bool_]
    _ranges: tuple[Array, Array, Array]

    @classmethod
    def of(cls, plan: BodyPlan, gains: tuple[Array, Array] | None = None) -> MuscleState:
        """Muscles of a body plan, all slack; with arrays for stiffness and damping where they lie elsewhere."""
        count = len(plan) - 1
        return cls(
            *(gains or (np.zeros(count), np.zeros(count))),
            np.zeros((count, 3)),
            np.zeros(count, dtype=bool),
            np.zeros(count, dtype=bool),
            joint_ranges(plan),
        )


def joint_ranges(plan: BodyPlan) -> tuple[Array, Array, Array]:
    """Of the joints below the pelvis: orientations in the neutral pose (B-1, 4), lower and upper limits [rad] (B-1, 3)."""
    limits = plan.limits[1:]
    lower, upper = (np.array([getattr(each, end) for each in limits]) for end in ("lower", "upper"))
    return np.ascontiguousarray(plan.neutral[1:]), lower, upper


def limit_muscles(
    muscles: MuscleState, active: NDArray[np.bool_], coordinates: Array, target: Target, stops: Array
) -> None:
    """Turn a target into what the muscles can do; the result is left in `muscles`.

    Args:
        muscles: Work arrays; written.
        active: Which joints have muscles at work, shape (B-1,).
        coordinates: Joint coordinates now, shape (B-1, 4).
        target: What to aim at; its rotations are rewritten where a stop acts.
        stops: Stiffness of the range stops [N m/rad], shape (B-1,); a stop bears at most twice the muscle's limit.
    """
    out = (muscles.stiffness, muscles.damping, muscles.applied, muscles.saturated, muscles.beyond)
    _kernels.limit_muscles(active, coordinates, tuple(target), muscles._ranges, stops, out)
