"""When a walk slows down: it comes to rest on both feet before what it cannot pass."""

from __future__ import annotations

from math import isfinite

import numpy as np
from numpy.typing import NDArray

from poise.anticipation.answers import Pacing
from poise.math._easing import minimum_jerk

__all__ = ["Pace", "rest_before", "rests_of"]

Array = NDArray[np.float64]


def rests_of(points: Array, rate: float, pacing: Pacing) -> Array:
    """When both feet rest on what they stand on, as intervals [s], shape (n, 2): of either, some point hardly moves.

    Args:
        points: Of the soles, first those of the left foot, then as many of the right [m], shape (T, 2 k, 3).
        rate: Frames per second [Hz].
        pacing: When a foot rests.
    """
    if len(points) < 2:
        return np.array([[0.0, 0.0]])
    speeds = np.linalg.norm(np.gradient(points, 1.0 / rate, axis=0), axis=2)
    speeds = speeds.reshape(len(points), 2, -1).min(axis=2).max(axis=1)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], speeds < pacing.rests, [False]])))
    rests = []
    for first, end in edges.reshape(-1, 2):
        slowest = first + int(speeds[first:end].argmin())
        rests.append((first, end - 1) if end - first > pacing.stands * rate else (slowest, slowest))
    return np.array(rests, dtype=np.float64).reshape(-1, 2) / rate


def rest_before(rests: Array, first: float, last: float) -> float:
    """The latest moment of rest between two times [s]; no number where there is none."""
    fits = np.minimum(rests[:, 1], last)
    fits = fits[(fits >= rests[:, 0]) & (fits >= first)]
    return float(fits.max()) if len(fits) else float("nan")


class Pace:
    """How fast a motion's time runs: as it was made, coming to rest at a time of its own, at rest, or setting off.

    Args:
        pacing: How it slows down and sets off.

    Attributes:
        value: 1 as the motion was made, 0 at rest.
        stop: The motion's time at which it is or will be at rest [s]; no number where it goes on.
    """

    def __init__(self, pacing: Pacing | None = None) -> None:
        self._pacing = pacing or Pacing()
        self.value, self.stop = 1.0, float("nan")
        self._from, self._left, self._took = 1.0, 0.0, 0.0

    @property
    def stops(self) -> bool:
        """Whether it is at rest or about to be."""
        return isfinite(self.stop)

    def soonest(self, now: float) -> float:
        """The motion's time at which it can be at rest without a jerk, when it is `now` [s]."""
        return now + 0.5 * self._pacing.briskly * self.value**2

    def must_brake(self, now: float, stop: float) -> bool:
        """Whether it is time to slow down so as to be at rest at `stop`."""
        return stop - now <= 0.5 * self._pacing.brakes * self.value**2

    def brake(self, now: float, stop: float) -> None:
        """Come to rest at `stop`; time left is twice what would be left at this pace, which is the smoothest way there."""
        self.stop, self._from, self._took = stop, self.value, 0.0
        self._left = 2.0 * max(stop - now, 0.0) / max(self.value, 1e-6)

    def set_off(self) -> None:
        """Get back to the motion's own pace."""
        self.stop, self._from, self._took, self._left = float("nan"), self.value, 0.0, self._pacing.sets_off

    def advance(self, tick: float) -> float:
        """The pace a tick later [s]."""
        self._took += tick
        share = 1.0 if self._took >= self._left - 1e-9 else self._took / self._left
        if self.stops:
            self.value = self._from * (1.0 + share**2 * (2.0 * share - 3.0))
        else:
            self.value = self._from + (1.0 - self._from) * float(minimum_jerk(share))
        return self.value
