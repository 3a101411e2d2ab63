"""A pelvis that goes beside its motion on purpose, smoothly whatever its goals do."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.evasion import _kernels

__all__ = ["Displacing", "DisplacingState"]

Array = NDArray[np.float64]

_RESTS = 1e-5
"""What is off by less than this, and as slow, is at rest [m, m/s]."""


@dataclass
class DisplacingState:
    """Level and upward displacement [m], its velocity [m/s] and acceleration [m/s²], shape (3,) each."""

    value: Array = field(default_factory=lambda: np.zeros(3))
    rate: Array = field(default_factory=lambda: np.zeros(3))
    gain: Array = field(default_factory=lambda: np.zeros(3))


class Displacing:
    """One pelvis' way beside its motion: of least jerk to where it is wanted, from wherever and however fast it is."""

    def __init__(self) -> None:
        self.state = DisplacingState()

    @property
    def at_rest(self) -> bool:
        """Whether it is on its motion."""
        return not (np.count_nonzero(self.state.value) or np.count_nonzero(self.state.rate))

    def follow(self, goal: Array, duration: float, tick: float) -> Array:
        """Go on towards a goal for a tick.

        Args:
            goal: [m], shape (3,).
            duration: Until it is there [s].
            tick: [s].

        Returns:
            The displacement at the end of the tick, shape (3,); overwritten by the next call.
        """
        state = self.state
        _kernels.displace(state.value, state.rate, state.gain, goal, max(duration, tick), tick)
        if not goal.any() and max(np.abs(state.value).max(), np.abs(state.rate).max()) < _RESTS:
            state.value[:], state.rate[:], state.gain[:] = 0.0, 0.0, 0.0
        return state.value
