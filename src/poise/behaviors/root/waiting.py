"""A body that is held back lets its clip's time wait."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["waited"]

Array = NDArray[np.float64]

_BEHIND, _WAITS = 0.03, 0.2
"""A body held back by more than the first lets its clip wait, by the second entirely [m]."""
_SLOWEST, _PACE_RATE = 0.15, 2.0
"""Never slower than this, and by no more a second."""
_WALKS = 0.4
"""A clip whose root goes slower than this stands and need not wait [m/s]."""


def waited(pace: float, away: Array, course: Array, flies: bool, tick: float) -> float:
    """How fast a body lets its clip's time run, a tick on; it cannot wait in flight.

    Args:
        pace: How fast it does now.
        away: Of the real root from the clip's [m], shape (2,) or more.
        course: How the clip's root goes [m/s], shape (2,).
        flies: Whether both feet swing.
        tick: [s].
    """
    speed, want = float(np.hypot(*course)), 1.0
    if speed > _WALKS:
        behind = -float(away[:2] @ course) / speed
        want = 1.0 - min(max((behind - _BEHIND) / _WAITS, 0.0), 1.0 - _SLOWEST)
    most = 0.0 if flies else _PACE_RATE * tick
    return pace + min(max(want - pace, -most), most)
