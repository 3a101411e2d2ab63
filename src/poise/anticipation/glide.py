"""Gliding onto something that moves: what is left of the way shrinks smoothly to nothing, whatever the goal does meanwhile.

Eq. 4 of Alvarado 2022 eases from where the hand was to where it shall be, from rest and to a place that stands still. Here
the difference to the goal is eased out by a quintic that starts with the hand's own velocity, so that a change of mind in
mid-reach keeps place and velocity continuous, and the goal may move.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.math.easing import minimum_jerk

__all__ = ["Glide", "hermite_hop"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Glide:
    """A difference that is eased out.

    Args:
        start: When it began [s].
        duration: How long it takes [s].
        offset: The difference then, shape (n,).
        rate: How fast it changed then, shape (n,).
    """

    start: float
    duration: float
    offset: Array
    rate: Array

    def at(self, time: float) -> Array:
        """What is left of the difference at `time` [s], shape (n,); acceleration is zero at both ends."""
        s = min(max((time - self.start) / self.duration, 0.0), 1.0)
        left = 1.0 + s**3 * (-10.0 + s * (15.0 - 6.0 * s))
        run = s + s**3 * (-6.0 + s * (8.0 - 3.0 * s))
        return np.asarray(left * self.offset + run * self.duration * self.rate)

    def rate_at(self, time: float) -> Array:
        """How fast the difference changes at `time` [s], shape (n,)."""
        s = (time - self.start) / self.duration
        if not 0.0 <= s < 1.0:
            return np.zeros_like(self.offset)
        left = s**2 * (-30.0 + s * (60.0 - 30.0 * s)) / self.duration
        run = 1.0 + s**2 * (-18.0 + s * (32.0 - 15.0 * s))
        return np.asarray(left * self.offset + run * self.rate)

    def done(self, time: float) -> bool:
        """Whether nothing is left."""
        return time >= self.start + self.duration


def hermite_hop(share: float, height: float, first: Array, second: Array) -> Array:
    """How far a hand is off a surface while it hops from one place on it to another (section 5.3), shape (3,) [m].

    The paper's cubic Hermite leaves and arrives with the tangents `height` times the normals, from a standing hand, so that its
    velocity jumps at both ends; these are its two tangent terms, eased in and out.

    Args:
        share: Of the hop's time, 0…1.
        height: The paper's alpha [m].
        first: Normal where it leaves, shape (3,).
        second: Normal where it lands, shape (3,).
    """
    s = float(minimum_jerk(share))
    return np.asarray(height * (s * (1.0 - s) ** 2 * first + s**2 * (1.0 - s) * second))
