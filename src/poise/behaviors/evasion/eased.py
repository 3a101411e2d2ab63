"""Numbers that may change in the middle of a movement: what they are in effect follows what is declared without a jerk."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Eased", "EasedState"]

Array = NDArray[np.float64]

_REACHED = 1e-6
"""What is off by less than this share, and as slow, has arrived."""


@dataclass
class EasedState:
    """What the numbers are in effect, and how fast that changes [1/s], shape (n,) each."""

    values: Array
    rates: Array


class Eased:
    """Some numbers in effect.

    Args:
        declared: What they are to be, shape (n,).
    """

    def __init__(self, declared: Array) -> None:
        self._declared = declared
        self.state = EasedState(declared.copy(), np.zeros_like(declared))

    def jump(self) -> None:
        """Where nothing moves by them they are at once what is declared."""
        self.state.values[:], self.state.rates[:] = self._declared, 0.0

    def follow(self, quickness: float, tick: float) -> None:
        """Go on towards what is declared, as a critically damped spring does, with a natural frequency [rad/s]."""
        state = self.state
        off = self._declared - state.values
        if not (off.any() or state.rates.any()):
            return
        if (np.abs(np.append(off, state.rates)) <= _REACHED * (np.abs(self._declared).max() + 1.0)).all():
            self.jump()
            return
        # Implicit.
        state.rates[:] = (state.rates + tick * quickness**2 * off) / (1.0 + quickness * tick) ** 2
        state.values += tick * state.rates
