"""Arm swing: both arms up and back as stretched arms swing, about the shoulders."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.gesture.arms import REACH, SIDES, Arms, HandGoals, hand_turn
from poise.math.easing import minimum_jerk

__all__ = ["ArmSwing"]

Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class ArmSwing:
    """Both arms swing forward and up, stay, and swing back (van Welbergen 2009, Fig. 6).

    Args:
        begin: When [s].
        duration: Of each swing [s].
        angle: How far from hanging [rad].
        hold: Between the two [s].
    """

    begin: float = 2.0
    duration: float = 0.6
    angle: float = float(np.radians(100.0))
    hold: float = 1.5

    def __post_init__(self) -> None:
        if not (self.duration > 0.0 and self.hold >= 0.0 and 0.0 < self.angle <= np.pi):
            raise InputError("an arm swing needs a duration, a hold of 0 or more and an angle of 0 to 180 degrees")

    def goals(self, times: Array, arms: Arms) -> HandGoals:
        """What the hands shall do at `times` (T,) [s]."""
        back = self.begin + self.duration + self.hold
        swing = minimum_jerk(times, self.begin, self.begin + self.duration) - minimum_jerk(
            times, back, back + self.duration
        )
        angle = self.angle * swing
        taken = 0.6 * self.duration
        weight = minimum_jerk(times, self.begin, self.begin + taken)
        weight = weight - minimum_jerk(times, back + self.duration - taken, back + self.duration)
        positions, rotations = np.empty((len(times), 2, 3)), np.empty((len(times), 2, 4))
        for side in range(len(SIDES)):
            arc = np.stack([np.sin(angle), np.zeros_like(angle), -np.cos(angle)], axis=1)
            positions[:, side] = arms.shoulders[side] + REACH * arms.lengths[side] * arc
            rotations[:, side] = hand_turn(angle, 0.0, side)
        return HandGoals(positions, rotations, np.stack([weight, weight], axis=1), np.zeros_like(angle))
