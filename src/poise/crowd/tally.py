"""Who of a crowd is on their feet, and how far feet slid."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.crowd.crowd import STEP, Crowd

__all__ = ["EVERY", "Tally"]

Array = NDArray[np.float64]

EVERY = 4
"""Steps between two looks at who stands."""
_SETTLING = 1.0
"""Feet may find their place for this long [s]."""


@dataclass
class Tally:
    """What was counted so far.

    Args:
        begun: Steps of the crowd when counting began.
        up: Who was on their feet at every look, shape (N,).
        feet: Where everybody's ankles were once they had settled [m], shape (N, 2, 2).
    """

    begun: int
    up: NDArray[np.bool_]
    feet: Array

    @classmethod
    def begin(cls, crowd: Crowd) -> Tally:
        """From now on."""
        return cls(crowd.steps, crowd.standing, crowd.feet)

    def look(self, crowd: Crowd) -> NDArray[np.int64]:
        """Who fell since the last look, by number; to be called every `EVERY` steps."""
        now = crowd.standing
        fell = np.flatnonzero(self.up & ~now)
        self.up &= now
        if (crowd.steps - self.begun) * STEP <= _SETTLING:
            self.feet = crowd.feet
        return fell

    def slip(self, crowd: Crowd) -> float:
        """Farthest that a foot slid after the first second [m]."""
        return float(np.linalg.norm(crowd.feet - self.feet, axis=-1).max())
