"""Where an intended root goes that other behaviors want beside its motion."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["displaced"]

Array = NDArray[np.float64]

_LOWEST = -0.4
"""It sinks no further than this below its motion [m]: a deep squat."""


def displaced(offset: Array, displacement: Array) -> tuple[Array, float]:
    """Level place and height of an intended root beside its motion.

    Feet follow a root that steps aside, and the intended root follows its feet; so the wish is for the root to be *at least* so
    far that way, not so much farther than its feet are; feet that are on the other side are gone along with.

    Args:
        offset: Where the feet have it (x, y, yaw, height), shape (4,).
        displacement: Where it shall be, level and up [m], shape (3,).

    Returns:
        Level displacement [m], shape (2,), and height [m].
    """
    far = float(np.hypot(displacement[0], displacement[1]))
    level = offset[:2].copy()
    if far > 0.0:
        course = displacement[:2] / far
        level += min(max(far - float(level @ course), 0.0), far) * course
    return level, max(float(offset[3] + displacement[2]), min(_LOWEST, float(offset[3])))
