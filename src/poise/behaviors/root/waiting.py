"""A body that is held back lets its clip's time wait."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.control.root import Waiting

__all__ = ["waited"]

Array = NDArray[np.float64]


def waited(pace: float, away: Array, course: Array, flies: bool, tick: float, waiting: Waiting) -> float:
    """How fast a body lets its clip's time run, a tick on; it cannot wait in flight.

    Args:
        pace: How fast it does now.
        away: Of the real root from the clip's [m], shape (2,) or more.
        course: How the clip's root goes [m/s], shape (2,).
        flies: Whether both feet swing.
        tick: [s].
        waiting: How it waits.
    """
    speed, want = float(np.hypot(*course)), 1.0
    if speed > waiting.walks:
        behind = -float(away[:2] @ course) / speed
        want = 1.0 - min(max((behind - waiting.behind) / waiting.wholly, 0.0), 1.0 - waiting.slowest)
    most = 0.0 if flies else waiting.rate * tick
    return pace + min(max(want - pace, -most), most)
