"""Clapping: both palms meet in the middle at every beat."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.gesture.arms import OUTWARD, SIDES, Arms, HandGoals, hand_turn
from poise.gesture.patterns import quintic
from poise.gesture.tempo import TempoMap
from poise.math.easing import minimum_jerk

__all__ = ["Clapping", "clap"]

Array = NDArray[np.float64]

_OPEN = 0.6
"""Phase after a clap at which the hands are widest apart: slow apart, fast together."""
_SNAP = 40.0
"""Acceleration at the clap over the width, per beat²; up to 50 the hands only part until they are widest."""


@dataclass(frozen=True, kw_only=True)
class Clapping:
    """The palms touch at the time of every whole phase, and never before or after.

    Args:
        tempo: When the claps are.
        count: How many.
        width: Between the palms when they are widest apart [arm lengths].
        raising: How long hands take to rise and sink [s].
    """

    tempo: TempoMap
    count: int
    width: float = 0.5
    raising: float = 0.8

    def __post_init__(self) -> None:
        if self.count < 1 or not 0.0 < self.width <= 1.5 or not self.raising > 0.0:
            raise InputError(
                "clapping needs one clap or more, a width of 0 to 1.5 arm lengths and time to raise the hands"
            )

    def goals(self, times: Array, arms: Arms) -> HandGoals:
        """What the hands shall do at `times` (T,) [s]; they are up half a beat before the first clap."""
        last = self.count - 1 + _OPEN
        phases = np.clip(self.tempo.phase(times), _OPEN - 1.0, last)
        begin, end = self.tempo.time(_OPEN - 1.0), self.tempo.time(last)
        up = minimum_jerk(times, begin - self.raising, begin) - minimum_jerk(times, end, end + self.raising)
        goals = clap(phases, arms, self.width)
        return goals._replace(weights=goals.weights * up[:, None], nods=goals.nods * up)


def clap(phases: Array, arms: Arms, width: float = 0.5) -> HandGoals:
    """Both hands at phases (T,); the palms touch at whole ones and are `width` [arm lengths] apart between."""
    phase = phases % 1.0
    length = float(arms.lengths.mean())
    zero, one = np.zeros_like(phase), np.ones_like(phase)
    opening = quintic(phase / _OPEN, zero, one, zero, zero, _SNAP * _OPEN**2 * one, zero)
    closing = quintic((phase - _OPEN) / (1.0 - _OPEN), one, zero, zero, zero, zero, _SNAP * (1.0 - _OPEN) ** 2 * one)
    apart = 0.5 * width * length * np.where(phase < _OPEN, opening, closing)
    positions, rotations = np.empty((len(phase), 2, 3)), np.empty((len(phase), 2, 4))
    for side in range(len(SIDES)):
        positions[:, side, 0] = 0.6 * length
        positions[:, side, 1] = OUTWARD[side] * (arms.palms[side] + apart)
        positions[:, side, 2] = -0.3 * length
        rotations[:, side] = hand_turn(np.radians(125.0), 0.0, side, 0.25 * apart / length)
    weights = np.ones((len(phase), 2))
    return HandGoals(arms.within_reach(positions), rotations, weights, zero)
