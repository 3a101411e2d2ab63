"""Muscles that are strong enough for their own clip: what it takes all along, and a trunk's."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.behavior import Contribution
from poise.behaviors.reference import Reference
from poise.body.trajectory import Moment

__all__ = ["TrunkStrength", "moments"]

Array = NDArray[np.float64]

_SAMPLES = 600
"""Moments of a clip at which is asked what it needs."""


def moments(reference: Reference) -> Iterator[Moment]:
    """The clip's motion at moments all along it, each overwritten by the next."""
    every = max(1, len(reference.trajectory.keys) // _SAMPLES)
    return (reference.trajectory.moment(float(time)) for time in reference.clip.times[::every])


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
            for moment in moments(reference):
                torques = reference.dynamics.inverse(*moment)[3:].reshape(-1, 3)
                np.maximum(peak, np.linalg.norm(torques, axis=1), out=peak)
            self._widened = self._roomy * peak
        wanted.edit_strengths()[trunk] = np.maximum(reference.plan.strengths, self._widened)[trunk]
