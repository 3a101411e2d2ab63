"""Where a hand goes: in front of what comes, where it will be, and no nearer to the body than it shall get."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["hold_off", "meeting_point"]

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
    square, along = float(closing @ closing), float(away @ closing)
    if square < 1e-12 or along >= 0.0 or away @ away <= distance**2:
        return np.asarray(centre + away)
    least = -along / square
    inside = along**2 - square * (float(away @ away) - distance**2)
    time = least if inside <= 0.0 else (-along - np.sqrt(inside)) / square
    return np.asarray(centre + away + min(max(time, 0.0), horizon) * closing)


def hold_off(point: Array, centre: Array, distance: float) -> Array:
    """The point, moved away from the region's centre until it is `distance` from it: what comes nearer is pushed back."""
    away = point - centre
    length = float(np.linalg.norm(away))
    if length >= distance or length < 1e-6:
        return point
    return np.asarray(centre + away * (distance / length))
