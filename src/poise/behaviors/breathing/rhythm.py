"""When a body breathes in and out, where it sways, and when it shifts its weight: numbers over time, seeded.

Every curve begins at 0 and has a continuous acceleration, so that nothing that follows it jolts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.breathing.options import BreathingOptions, Swaying
from poise.math.easing import minimum_jerk

__all__ = ["Breath", "Shift", "Sway", "breath"]

Array = NDArray[np.float64]

_WAVES = 7
"""Of how many sines the sway is made."""


def breath(phases: Array, options: BreathingOptions) -> Array:
    """How full the lungs are, 0 to 1, at phases of a breath, of their shape."""
    return minimum_jerk(phases, 0.0, options.filled) - minimum_jerk(phases, options.filled, options.emptied)


@dataclass
class Breath:
    """The breath that is being taken: when it began [s], how long it lasts [s], how deep it is, and its number."""

    begin: float
    period: float
    deep: float = 0.0
    count: int = 0

    @classmethod
    def first(cls, options: BreathingOptions, seed: tuple[int, int]) -> Breath:
        """A pause before the first breath, as long as a part of one."""
        return cls(0.0, float(np.random.default_rng((*seed, 0)).uniform(0.0, 0.5)) / options.rate)

    def at(self, times: Array, options: BreathingOptions, seed: tuple[int, int]) -> Array:
        """How full the lungs are at times [s] that go on from those before; 1 is a breath as deep as they are in the mean."""
        while times[0] >= self.begin + self.period:
            self.begin += self.period
            self.count += 1
            varies = 1.0 + options.varies * np.clip(
                np.random.default_rng((*seed, self.count)).normal(size=2), -2.0, 2.0
            )
            self.period, self.deep = float(varies[0]) / options.rate, float(varies[1])
        return self.deep * breath((times - self.begin) / self.period, options)


class Sway:
    """Where quiet standing takes the pelvis: sums of sines of a narrow band, ahead and to the left.

    Args:
        size: Distance from the mean, root mean square [m].
        swaying: How.
        seed: Of the phases.
    """

    def __init__(self, size: float, swaying: Swaying, seed: tuple[int, int]) -> None:
        rng = np.random.default_rng((*seed, 7))
        edges = np.linspace(swaying.lowest, swaying.highest, _WAVES + 1)
        self._speeds = 2.0 * np.pi * rng.uniform(edges[:-1], edges[1:], (2, _WAVES))
        self._phases = rng.uniform(0.0, 2.0 * np.pi, (2, _WAVES))
        self._sizes = size * np.sqrt(2.0 / _WAVES) * np.array([swaying.ahead, swaying.aside])

    def at(self, times: Array) -> Array:
        """Ahead and to the left [m] at times [s], shape (n, 2)."""
        angles = self._speeds * times[:, None, None] + self._phases
        return np.asarray(self._sizes * np.sin(angles).sum(axis=2))


@dataclass
class Shift:
    """Which leg bears more: from where to where the pelvis goes aside, as shares, when it began and when the next one is."""

    start: float = 0.0
    end: float = 0.0
    begin: float = 0.0
    lasts: float = 1.0
    next: float = 0.0
    count: int = 0

    def at(self, times: Array, options: BreathingOptions, seed: tuple[int, int]) -> Array:
        """How far to the left the weight is at times [s] that go on from those before, -1 to 1, shape (n,)."""
        if times[0] >= self.next:
            every, quickest, slowest = options.every, options.swaying.quickest, options.swaying.slowest
            rng = np.random.default_rng((*seed, 11, self.count))
            if self.count:
                side = -1.0 if self.end > 0.0 else 1.0 if self.end < 0.0 else float(rng.choice([-1.0, 1.0]))
                self.start, self.end = self.end, side * float(rng.uniform(0.5, 1.0))
                self.begin, self.lasts = float(times[0]), float(rng.uniform(quickest, slowest))
            self.next = float(times[0]) + max(
                every * float(rng.uniform(0.5, 1.5)) * (1.0 if self.count else 0.4), slowest
            )
            self.count += 1
        return self.start + (self.end - self.start) * minimum_jerk(times, self.begin, self.begin + self.lasts)
