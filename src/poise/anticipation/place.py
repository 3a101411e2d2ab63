"""Where a hand goes: in front of what comes, where it will be, and no nearer to the body than it shall get."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import _kernels
from poise.anticipation.holding import Holding

__all__ = ["held_off", "meeting_point"]

Array = NDArray[np.float64]


def meeting_point(point: Array, centre: Array, closing: Array, distance: float, horizon: float) -> Array:
    """Where something will be, seen from a region's centre that moves along, when it gets within `distance` of it.

    Args:
        point: Of the obstacle that is nearest now [m], shape (3,).
        centre: Of the region now [m], shape (3,).
        closing: Velocity of the obstacle against the region's [m/s], shape (3,).
        distance: [m].
        horizon: Look no farther ahead than this [s].

    Returns:
        Point in the world, relative to the region where it is now [m], shape (3,): where it comes within `distance`, else the
        point of the way that is nearest.
    """
    away = point - centre
    return np.asarray(point + _kernels.meeting_time(tuple(away), tuple(closing), distance, horizon) * closing)


def held_off(point: Array, centre: Array, distance: float, soft: float = Holding.soft) -> Array:
    """The point, led to no less than `distance` from the region's centre over about `soft` [m]: it is pushed back."""
    return np.asarray(centre + np.array(_kernels.held_off(tuple(point - centre), distance, soft)[0]))
