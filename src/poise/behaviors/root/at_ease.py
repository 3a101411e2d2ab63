"""How a body stands at the end of a walk that has stopped."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.behavior import Contribution
from poise.behaviors.root import _kernels
from poise.math.easing import minimum_jerk

__all__ = ["stand_at_ease"]

Array = NDArray[np.float64]


def stand_at_ease(wanted: Contribution, stop: Array, upper: NDArray[np.int64], rest: Array) -> None:
    """Turn the pose of a clip that stands to one of rest: upright, arms hanging.

    Args:
        wanted: What the character shall do; written.
        stop: How the clip stands (`StepState.stop`), shape (3,).
        upper: Bodies that are not of the legs.
        rest: Pose of rest, shape (nq,).
    """
    if stop[1] == stop[2] == 0.0:
        return
    rows, before = wanted.edit_pose(), minimum_jerk(stop[2])
    share = np.arange(1, len(rows) + 1) / len(rows)
    shares = before + share * (minimum_jerk(stop[1]) - before)
    _kernels.relax(rows, upper, rest, wanted.reference.plan.neutral[0], shares)
