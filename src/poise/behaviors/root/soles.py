"""Soles laid flat on the ground, for feet whose legs physics is about to have, or had."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.root.legs import Legs
from poise.control.balance import CarriedBody
from poise.math import quat

__all__ = ["Soles"]

Array = NDArray[np.float64]

_UP = np.array([0.0, 0.0, 1.0])


class Soles:
    """Of one body.

    Args:
        body: Its mass and feet.
        legs: What leads its feet.
        floor: Height of the ground [m].
    """

    def __init__(self, body: CarriedBody, legs: Legs, floor: float) -> None:
        self._legs, self._neutral, self._heights = legs, body.plan.neutral[legs.feet], floor + body.ankle_heights
        self._middles = body.sole_middles

    def yaw(self, turns: Array, foot: int) -> Array:
        """How far a foot is turned about the vertical [rad]: of the shape of `turns` (..., 4) but the last."""
        turn = quat.mul(turns, quat.conj(self._neutral[foot]))
        return np.asarray(2.0 * np.arctan2(turn[..., 3], turn[..., 0]))

    def lead(self, turns: Array) -> Array:
        """Where mass belongs over feet turned by (2, 4): half-way from ankles to soles' middles, level [m], shape (2,)."""
        return np.asarray(0.5 * quat.rotate(turns, self._middles).mean(axis=0)[:2])

    def lay(self, shares: Array, lifts: Array) -> None:
        """Bring what the legs are led to nearer to the ground.

        Args:
            shares: How near at each substep, 0 for not at all to 1 for flat on it, shape (n,).
            lifts: How high each foot is meant to be above it at each substep [m], shape (n, 2).
        """
        legs = self._legs
        for foot in range(2):
            goals, turns = legs.goals[:, 0, foot], legs.turns[:, 0, foot]
            goals[:, 2] += shares * (self._heights[foot] + lifts[:, foot] - goals[:, 2])
            flat = quat.mul(quat.exp(self.yaw(turns, foot)[:, None] * _UP), self._neutral[foot])
            turns[:] = quat.slerp(turns, flat, shares)
