"""What a hand feels of what it pushes, and how tension follows (beyond Alvarado 2022, which keeps what was expected)."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import NOTHING

__all__ = ["Felt", "felt_mass"]

Array = NDArray[np.float64]

_DELAY = 0.15
"""Time from the first touch until a person answers what is felt [s]."""
_SURPRISE = 3.0
"""What is felt to be so many times heavier than expected surprises, if by more than `_HEAVIER` too: what bounces feels up to
twice as heavy as it is."""
_HEAVIER = 1.5
"""[kg]."""
_SLOW = 0.3
"""What comes more slowly is felt as if it came so fast [m/s]."""


def felt_mass(push: Array, closing: Array) -> float:
    """Mass of what a push stops [kg].

    Args:
        push: Impulse on the hand [N s], shape (3,).
        closing: Velocity of the thing against the body before [m/s], shape (3,).
    """
    size = float(np.linalg.norm(push))
    return size / max(float(push @ closing) / size, _SLOW) if size > 0.0 else 0.0


@dataclass(eq=False)
class Felt:
    """What one hand feels of one contact.

    Args:
        obstacle: Of which, `NOTHING` for none.
        since: When it was touched first [s].
        push: Impulse on the hand since [N s], shape (3,).
        closing: How it came then [m/s], shape (3,).
        mass: What it feels like [kg], NaN before there is an answer.
    """

    obstacle: int = NOTHING
    since: float = np.nan
    push: Array = field(default_factory=lambda: np.zeros(3))
    closing: Array = field(default_factory=lambda: np.zeros(3))
    mass: float = np.nan

    def feel(self, time: float, tick: float, obstacle: int, force: Array, closing: Array) -> bool:
        """Go on for a tick; whether there is an answer just now.

        Args:
            time: Beginning of the tick [s].
            tick: [s].
            obstacle: What the hand is about.
            force: On the hand in the last tick [N], shape (3,).
            closing: Velocity of the obstacle's surface against the body now [m/s], shape (3,).
        """
        if obstacle != self.obstacle:
            self.obstacle, self.since, self.mass, self.closing = obstacle, np.nan, np.nan, closing.copy()
        if obstacle == NOTHING or (np.isnan(self.since) and not force.any()):
            self.closing = closing.copy()
            return False
        if np.isnan(self.since):
            self.since, self.push = time, np.zeros(3)
        if time - self.since >= _DELAY:
            new = np.isnan(self.mass)
            self.mass = felt_mass(self.push, self.closing) if new else self.mass
            return bool(new)
        self.push = self.push + tick * force
        return False

    def surprises(self, expected: float) -> bool:
        """Whether what is felt is much heavier than expected."""
        return bool(self.mass > max(_SURPRISE * expected, expected + _HEAVIER))
