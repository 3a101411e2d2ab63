"""Angles that follow their goals smoothly, whatever the goals do."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.runtime.anticipation.evade import _kernels

__all__ = ["Settling"]

Array = NDArray[np.float64]

_RESTS = 1e-6
"""What is off by less than this, and as slow, is at rest [rad, rad/s]."""


class Settling:
    """Rotation vectors of some joints that follow their goals as a critically damped spring does, with continuous velocity.

    Args:
        count: Of joints.

    Attributes:
        value: [rad], shape (count, 3).
        rate: [rad/s], shape (count, 3).
        at_rest: Whether all is zero.
    """

    def __init__(self, count: int) -> None:
        self.value, self.rate = np.zeros((count, 3)), np.zeros((count, 3))
        self._out = np.zeros((1, count, 3))
        self.at_rest = True

    def follow(self, goal: Array, quickness: float, fastest: float, tick: float, parts: int) -> Array:
        """Go on towards a goal for a tick.

        Args:
            goal: Shape (count, 3) [rad].
            quickness: Natural frequency [rad/s]; it is all but there after 5 / quickness.
            fastest: How fast an angle turns at most [rad/s].
            tick: [s].
            parts: Of the tick.

        Returns:
            Angles at the end of each part, shape (parts, count, 3); overwritten by the next call.
        """
        if len(self._out) != parts:
            self._out = np.zeros((parts, *self.value.shape))
        most = 2.0 * fastest / quickness
        self.at_rest = _kernels.settle(self.value, self.rate, goal, quickness, most, tick, _RESTS, self._out)
        return self._out

    def save(self) -> tuple[Array, Array, bool]:
        """A copy."""
        return self.value.copy(), self.rate.copy(), self.at_rest

    def restore(self, saved: tuple[Array, Array, bool]) -> None:
        """Go back to what `save` gave."""
        self.value[:], self.rate[:], self.at_rest = saved
