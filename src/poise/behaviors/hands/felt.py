"""What a hand feels of what it pushes, and how tension follows (beyond Alvarado 2022, which keeps what was expected)."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isnan, nan

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import NOTHING
from poise.anticipation.handling import Feeling

__all__ = ["Felt", "felt_mass"]

Array = NDArray[np.float64]


def felt_mass(push: Array, change: Array, feeling: Feeling) -> float:
    """Mass of what a push changes the velocity of [kg].

    Args:
        push: Impulse on the hand [N s], shape (3,).
        change: Of the thing's velocity meanwhile [m/s], shape (3,).
        feeling: Which change is felt at least.
    """
    size = float(np.linalg.norm(push))
    return size / max(-float(push @ change) / size, feeling.slight) if size > 0.0 else 0.0


@dataclass(eq=False)
class Felt:
    """What one hand feels of one contact.

    Args:
        obstacle: Of which, `NOTHING` for none.
        since: When it was touched first [s].
        push: Impulse on the hand since [N s], shape (3,).
        velocity: How it moved then [m/s], shape (3,).
        mass: What it feels like [kg], NaN before there is an answer.
    """

    obstacle: int = NOTHING
    since: float = nan
    push: Array = field(default_factory=lambda: np.zeros(3))
    velocity: Array = field(default_factory=lambda: np.zeros(3))
    mass: float = nan

    def feel(self, time: float, tick: float, obstacle: int, force: Array, velocity: Array, feeling: Feeling) -> bool:
        """Go on for a tick; whether there is an answer just now.

        Args:
            time: Beginning of the tick [s].
            tick: [s].
            obstacle: What the hand is about.
            force: On the hand in the last tick [N], shape (3,).
            velocity: Of the obstacle's surface now [m/s], shape (3,).
            feeling: When it answers.
        """
        if obstacle != self.obstacle:
            self.obstacle, self.since, self.mass = obstacle, nan, nan
        if not isnan(self.mass):
            return False
        if obstacle == NOTHING or (isnan(self.since) and not any(force.tolist())):
            self.velocity[:] = velocity
            return False
        if isnan(self.since):
            self.since, self.push = time - tick, np.zeros(3)
        self.push = self.push + tick * force
        if time - self.since < feeling.delay:
            return False
        self.mass = felt_mass(self.push, velocity - self.velocity, feeling)
        return True

    def surprises(self, expected: float, feeling: Feeling) -> bool:
        """Whether what is felt is much heavier than expected."""
        return bool(self.mass > max(feeling.surprise * expected, expected + feeling.heavier))
