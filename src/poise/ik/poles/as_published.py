"""The elastic pole as Hu 2024 prints it (Eqs. 7-15), for comparison only; `elastic` is what Poise uses and says why."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "published_angle",
    "published_components",
    "published_direction",
    "published_force",
    "published_resultant",
    "published_speed",
]

Array = NDArray[np.float64]


def published_speed(before: Array, after: Array, time: float) -> float:
    """Eq. 7: the rate of the pole's distance from the origin [m/s]; zero for a pole that circles it."""
    return float(np.linalg.norm(after) - np.linalg.norm(before)) / time


def published_force(length: float, before: float, speed: float, stiffness: float, damping: float) -> float:
    """Eqs. 8 and 9: force of one spring on the pole; `before` is its length a frame ago, so it never pulls back."""
    return -stiffness * (length - before) - damping * speed


def published_angle(pole: Array, mid: Array, natural: Array, on_line: Array) -> float:
    """Eq. 10: angle between the forces [rad] by two laws of cosines; right only where `on_line` lies in the angle."""

    def corner(a: Array, b: Array) -> float:
        u, v = float(np.linalg.norm(a - pole)), float(np.linalg.norm(b - pole))
        w = float(np.linalg.norm(a - b))
        return float(np.arccos(np.clip((u * u + v * v - w * w) / max(2.0 * u * v, 1e-300), -1.0, 1.0)))

    return corner(natural, on_line) + corner(mid, on_line)


def published_components(mid_force: float, natural_force: float, angle: float) -> tuple[float, float]:
    """Eqs. 11-13: parts along and across the force of the middle joint; its three cases are one formula."""
    return mid_force + np.cos(angle) * natural_force, np.sin(angle) * natural_force


def published_resultant(along: float, across: float) -> float:
    """Eq. 14: size of the sum."""
    return float(np.hypot(along, across))


def published_direction(direction: Array, along: float, resultant: float) -> Array:
    """Eq. 15: the "sum", which points along the middle joint's force alone; infinite where `along` is zero.

    Args:
        direction: Unit vector of the force of the middle joint, shape (3,).
        along: From `published_components`.
        resultant: From `published_resultant`.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(direction * along * np.float64(resultant) / np.float64(along))
