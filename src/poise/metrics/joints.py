"""How joints move: angular accelerations beside the source's, outside impacts and where a joint is handed over."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from poise.math import quat
from poise.metrics._arrays import Array, Mask, checked, checked_mask, checked_rate

__all__ = ["QUICK_TURN", "acceleration_ratio", "angular_accelerations", "near"]

QUICK_TURN = 300.0
"""Angular acceleration of a quick everyday movement of a joint [rad/s²] (an elbow that opens by 90° in 0.2 s by least jerk
peaks at 5.77 d / T² = 227): calm clips are held against it."""


def angular_accelerations(rotations: ArrayLike, rate: float) -> Array:
    """Size of joints' angular acceleration [rad/s²], shape (T - 2, J), from their rotations wxyz (T, J, 4).

    The difference of the mean angular velocities of two frames; that of row k belongs to frame k + 1.

    Raises:
        InputError: The shape is wrong or the rate is not positive.
    """
    turns = checked("rotations", rotations, None, None, 4)
    speed = quat.log(quat.mul(quat.conj(turns[:-1]), turns[1:])) * checked_rate(rate)
    return np.asarray(np.linalg.norm(np.diff(speed, axis=0), axis=2) * rate)


def near(ticks: ArrayLike, count: int, before: int, after: int) -> Mask:
    """Which of `count` frames lie from `before` frames before one of `ticks` to `after` behind it, shape (count,)."""
    mask = np.zeros(count, dtype=bool)
    for tick in np.unique(np.asarray(ticks, dtype=np.int64)):
        mask[max(tick - before, 0) : tick + after + 1] = True
    return mask


def acceleration_ratio(
    source: ArrayLike, result: ArrayLike, rate: float, where: ArrayLike, *, least: float = QUICK_TURN
) -> Array:
    """Each joint's largest angular acceleration over the larger of its own in the source and `least`, shape (J,).

    Args:
        source: Joint rotations of the source, wxyz, shape (T, J, 4).
        result: Of the result, shape (T, J, 4).
        rate: Frames per second.
        where: Frames that count, such as those away from impacts, shape (T,).
        least: What counts as calm whatever the source does [rad/s²].

    Raises:
        InputError: A shape is wrong or the rate is not positive.
    """
    own, found = angular_accelerations(source, rate), angular_accelerations(result, rate)
    mask = checked_mask("where", where, len(found) + 2)[1:-1]
    most = found[mask].max(axis=0, initial=0.0)
    return np.asarray(most / np.maximum(own.max(axis=0, initial=0.0), least))
