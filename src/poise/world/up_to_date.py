"""Whether what MuJoCo worked out of a state, such as where bodies are, still is so."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.world import _kernels
from poise.world.cut import Cut

__all__ = ["UpToDate"]

Array = NDArray[np.float64]


class UpToDate:
    """Remembers of which state something was worked out.

    Args:
        cut: Who moves what; when that changes nothing holds any more.
        positions: Generalized positions, shape (nq,); followed.
        velocities: Generalized velocities, shape (nv,); followed.
    """

    def __init__(self, cut: Cut, positions: Array, velocities: Array) -> None:
        self._cut, self._now = cut, (positions, velocities)
        self._changes, self._then = -1, (np.zeros(len(positions)), np.zeros(len(velocities)))

    def note(self) -> None:
        """It was worked out just now."""
        self._changes = self._cut.changes
        for then, now in zip(self._then, self._now, strict=True):
            then[:] = now

    def forget(self) -> None:
        """Something else was changed that it depends on."""
        self._changes = -1

    @property
    def holds(self) -> bool:
        """Whether nothing changed since."""
        return self._changes == self._cut.changes and bool(_kernels.same(*self._now, *self._then))
