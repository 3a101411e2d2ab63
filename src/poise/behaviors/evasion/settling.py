"""Angles that follow their goals smoothly, whatever the goals do."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.evasion import _kernels

__all__ = ["Settling", "SettlingState"]

Array = NDArray[np.float64]

_RESTS = 1e-6
"""What is off by less than this, and as slow, is at rest [rad, rad/s]."""


@dataclass
class SettlingState:
    """Rotation vectors [rad] and their rates [rad/s], shape (count, 3) each, and whether all is zero."""

    value: Array
    rate: Array
    at_rest: bool


class Settling:
    """Rotation vectors of some joints that follow their goals as a critically damped spring does, with continuous velocity.

    Args:
        count: Of joints.
    """

    def __init__(self, count: int) -> None:
        self.state = SettlingState(np.zeros((count, 3)), np.zeros((count, 3)), True)
        self._out = np.zeros((1, count, 3))

    @property
    def at_rest(self) -> bool:
        """Whether nothing is turned, nor turns."""
        return self.state.at_rest

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
            self._out = np.zeros((parts, *self.state.value.shape))
        most = 2.0 * fastest / quickness
        state = self.state
        state.at_rest = _kernels.settle(state.value, state.rate, goal, quickness, most, tick, _RESTS, self._out)
        return self._out
