"""Where everybody of a crowd sits: half rings around the origin, all facing it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.math import quat

__all__ = ["Seats", "half_rings"]

Array = NDArray[np.float64]

_SPACING = 1.3
"""Between neighbors and between rings [m]: arms of two who conduct do not meet."""
_FIRST_RING = 3.0
"""Radius [m]."""


class Seats(NamedTuple):
    """Places [m], shape (N, 2), and headings [rad], shape (N,)."""

    places: Array
    headings: Array

    def of(self, number: int) -> Seats:
        """One of them."""
        return Seats(self.places[number : number + 1], self.headings[number : number + 1])

    def seen_from(self, number: int) -> Seats:
        """All of them moved together so that this one is at the origin and faces X."""
        back = -self.headings[number]
        turn = np.array([[np.cos(back), -np.sin(back)], [np.sin(back), np.cos(back)]])
        return Seats((self.places - self.places[number]) @ turn.T, self.headings - self.headings[number])

    def seated(self, positions: Array) -> Array:
        """Generalized positions (N, nq) of plans that stand at the origin and face X, at these seats; a copy."""
        turn, result = quat.from_axis_angle(np.array([0.0, 0.0, 1.0]), self.headings), positions.copy()
        result[:, :3] = quat.rotate(turn, positions[:, :3])
        result[:, :2] += self.places
        result[:, 3:7] = quat.mul(turn, positions[:, 3:7])
        return result


def half_rings(count: int) -> Seats:
    """Seats for so many."""
    places, headings = np.zeros((count, 2)), np.zeros(count)
    radius, filled = _FIRST_RING, 0
    while filled < count:
        row = min(max(int(np.pi * 0.8 * radius / _SPACING), 1), count - filled)
        angles = np.linspace(-0.4, 0.4, row) * np.pi if row > 1 else np.zeros(1)
        places[filled : filled + row] = radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
        headings[filled : filled + row] = angles + np.pi
        radius, filled = radius + _SPACING, filled + row
    return Seats(places, headings)
