"""Muscles of a trunk that are strong enough for its own clip."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.behavior import Contribution
from poise.behaviors.reference import Reference

__all__ = ["TrunkStrength"]

Array = NDArray[np.float64]

_SAMPLES = 600
"""Moments of a clip at which is asked what it needs."""


class TrunkStrength:
    """Widens what a trunk's muscles can do.

    Args:
        reference: Whose.
        trunk: Its bodies, shape (n,).
        roomy: How many times as strong as the clip needs them they are at least.
    """

    def __init__(self, reference: Reference, trunk: NDArray[np.int64], roomy: float) -> None:
        self._reference, self._trunk, self._roomy = reference, trunk, roomy
        self._widened: Array | None = None

    def strengthen(self, wanted: Contribution) -> None:
        """From now on."""
        reference, trunk = self._reference, self._trunk
        if self._widened is None:
            peak = np.zeros(len(reference.plan))
            every = max(1, len(reference.trajectory.keys) // _SAMPLES)
            for time in reference.clip.times[::every]:
                torques = reference.dynamics.inverse(*reference.trajectory.moment(float(time)))[3:].reshape(-1, 3)
                np.maximum(peak, np.linalg.norm(torques, axis=1), out=peak)
            self._widened = self._roomy * peak
        wanted.edit_strengths()[trunk] = np.maximum(reference.plan.strengths, self._widened)[trunk]
