"""Where an intended root goes that other behaviors want beside its motion."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["displaced", "pushed_off"]

Array = NDArray[np.float64]


def displaced(offset: Array, displacement: Array, lowest: float) -> tuple[Array, float]:
    """Level place and height of an intended root beside its motion.

    Feet follow a root that steps aside, and the intended root follows its feet; so the wish is for the root to be *at least* so
    far that way, not so much farther than its feet are; feet that are on the other side are gone along with.

    Args:
        offset: Where the feet have it (x, y, yaw, height), shape (4,).
        displacement: Where it shall be, level and up [m], shape (3,).
        lowest: How far it sinks below its motion at most [m].

    Returns:
        Level displacement [m], shape (2,), and height [m].
    """
    far = float(np.hypot(displacement[0], displacement[1]))
    level = offset[:2].copy()
    if far > 0.0:
        course = displacement[:2] / far
        level += min(max(far - float(level @ course), 0.0), far) * course
    return level, max(float(offset[3] + displacement[2]), min(-lowest, float(offset[3])))


def pushed_off(state: Array, displacement: Array, weight: float, gravity: float, tick: float) -> Array:
    """Force that a pelvis needs to go beside its motion as it shall, at most the weight each way: legs push off for that.

    Args:
        state: The displacement at the end of the last tick [m] and how fast it changed [m/s], shape (2, 3); written: of this
            one.
        displacement: Level and up, at the end of this tick [m], shape (3,).
        weight: Of the body [N].
        gravity: [m/s²].
        tick: [s].

    Returns:
        [N], shape (3,).
    """
    if not (np.count_nonzero(displacement) or np.count_nonzero(state)):
        return np.zeros(3)
    last, rate = state
    now = (displacement - last) / tick
    force = weight / gravity * (now - rate) / tick
    state[:] = displacement, now
    return np.asarray(np.clip(force, -weight, weight))
