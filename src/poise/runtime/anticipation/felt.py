"""What a hand feels of what it pushes, and how tension follows (beyond Alvarado 2022, which keeps what was expected)."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import NOTHING

__all__ = ["Felt", "felt_mass"]

Array = NDArray[np.float64]

_DELAY = 0.15
"""Time from the first touch until a person answers what is felt [s]."""
_SURPRISE = 2.0
"""What is felt to be so many times heavier than expected surprises, if by more than `_HEAVIER` too."""
_HEAVIER = 1.5
"""[kg]."""
_GAIN = 0.1
"""What gained less speed than this tells nothing about its mass yet but that it is heavy [m/s]."""


def felt_mass(push: Array, gained: Array) -> float:
    """Mass of what gained a velocity from a push [kg]; infinite for what the push did not move.

    Args:
        push: Impulse on it [N s], shape (3,).
        gained: Change of its velocity [m/s], shape (3,).
    """
    size = float(np.linalg.norm(push))
    along = float(push @ gained) / size if size > 0.0 else 0.0
    return size / along if along > 0.0 else float("inf")


@dataclass(eq=False)
class Felt:
    """What one hand feels of one contact.

    Args:
        obstacle: Of which, `NOTHING` for none.
        since: When it was touched first [s].
        push: Impulse on it since [N s], shape (3,).
        began: Velocity it had [m/s], shape (3,).
        told: Whether it was told that it surprises.
    """

    obstacle: int = NOTHING
    since: float = np.nan
    push: Array = field(default_factory=lambda: np.zeros(3))
    began: Array = field(default_factory=lambda: np.zeros(3))
    told: bool = False

    def feel(self, time: float, tick: float, obstacle: int, force: Array, velocity: Array, heaviest: float) -> float:
        """Go on for a tick; the mass it feels like [kg], NaN before there is an answer.

        Args:
            time: Beginning of the tick [s].
            tick: [s].
            obstacle: What the hand is about.
            force: On the hand in the last tick [N], shape (3,).
            velocity: Of the obstacle's surface now [m/s], shape (3,).
            heaviest: What is heavier feels no heavier [kg].
        """
        if obstacle != self.obstacle:
            self.obstacle, self.since, self.told = obstacle, np.nan, False
        if obstacle == NOTHING or (np.isnan(self.since) and not force.any()):
            return float("nan")
        if np.isnan(self.since):
            self.since, self.push, self.began = time, np.zeros(3), velocity.copy()
        self.push = self.push - tick * force
        if time - self.since < _DELAY:
            return float("nan")
        gained = velocity - self.began
        mass = felt_mass(self.push, gained)
        if float(np.linalg.norm(gained)) < _GAIN:
            mass = max(mass, float(np.linalg.norm(self.push)) / _GAIN)
        return min(mass, heaviest)

    def surprises(self, felt: float, expected: float) -> bool:
        """Whether what is felt is told to surprise: once per contact."""
        if self.told or not felt > max(_SURPRISE * expected, expected + _HEAVIER):
            return False
        self.told = True
        return True

    def copy(self) -> Felt:
        """A copy."""
        return copy.deepcopy(self)
