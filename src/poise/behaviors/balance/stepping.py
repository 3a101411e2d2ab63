"""One step after the capture point: which foot, where to, and on what path."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.balance.footing import Footing
from poise.control.balance import Carriage, CarriedBody, Reading
from poise.math.easing import minimum_jerk

__all__ = ["Swing", "plan_swing"]

Array = NDArray[np.float64]

_DURATION = 0.25
_LIFT = 0.07
"""Height of the ankle's path over the ground [m]."""
_SEEKING = 0.6
"""How fast a foot that is late goes on down [m/s]."""
_LONGEST = 0.8
"""Longest step as a share of the pelvis' height."""
_APART = 0.13
"""Least distance of the feet side by side [m]."""
_BEYOND = 0.01
"""How far beyond the capture point a sole's middle is put down [m]."""


@dataclass
class Swing:
    """A foot on its way.

    Args:
        foot: 0 for the left, 1 for the right.
        begin: When it left the ground [s].
        duration: Until it lands [s].
        start: Where its ankle was [m], shape (3,).
        end: Where it shall be, shape (3,).
    """

    foot: int
    begin: float
    duration: float
    start: Array
    end: Array

    def place(self, time: float) -> Array:
        """Of the ankle at a time [m], shape (3,)."""
        x = float(np.clip((time - self.begin) / self.duration, 0.0, 1.0))
        place = self.start + minimum_jerk(x) * (self.end - self.start)
        place[2] += _LIFT * np.sin(np.pi * x) ** 2
        if x >= 1.0:
            # Feel for the ground.
            place[2] -= _SEEKING * (time - self.begin - self.duration)
        return np.asarray(place)

    def lead(self, body: CarriedBody, carriage: Carriage, lean: Reading, footing: Footing, time: float) -> None:
        """Aim at where the capture point will be when the foot lands, while there is time to change."""
        left = self.begin + self.duration - time
        if left < 0.3 * self.duration and time > self.begin:
            return
        stance = 1 - self.foot
        height = max(float(carriage.centre[2]) - footing.floor, 0.2)
        away = lean.capture - lean.pressure
        capture = lean.pressure + away * np.exp(np.sqrt(body.gravity / height) * max(left, 0.0))
        size = float(np.linalg.norm(away))
        capture = capture + _BEYOND * away / max(size, 1e-6)
        sole = body.soles(carriage).middles[self.foot, :2] - carriage.positions[body.legs[self.foot, 2], :2]
        self.end[:2] = _allowed(footing, self.foot, capture - sole, stance)


def _allowed(footing: Footing, foot: int, place: Array, stance: int) -> Array:
    """A place for an ankle, beside the other foot and no further than a step."""
    ahead = footing.ahead
    left = np.array([-ahead[1], ahead[0]])
    side = 1.0 if foot == 0 else -1.0
    away = place - footing.places[stance, :2]
    along, across = float(away @ ahead), max(side * float(away @ left), _APART)
    longest = _LONGEST * footing.height
    shrink = min(1.0, longest / max(float(np.hypot(along, across)), 1e-9))
    along, across = shrink * along, max(shrink * across, _APART)
    return np.asarray(footing.places[stance, :2] + along * ahead + side * across * left)


def _choice(lean: Reading, footing: Footing) -> int:
    """The foot to step with: sideways the one on that side, ahead or back the one that carries less."""
    ahead = footing.ahead
    away = lean.capture - footing.middle
    across = float(ahead[0] * away[1] - ahead[1] * away[0])
    sideways = abs(across) > abs(float(ahead @ away))
    return (0 if across > 0.0 else 1) if sideways else (1 if across >= 0.0 else 0)


def plan_swing(
    body: CarriedBody, carriage: Carriage, lean: Reading, footing: Footing, time: float, foot: int | None = None
) -> Swing:
    """Begin a step, with a foot that is in the air already or the one that `_choice` says."""
    foot = _choice(lean, footing) if foot is None else foot
    start = carriage.positions[body.legs[foot, 2]].copy()
    end = start.copy()
    end[2] = footing.floor + body.ankle_heights[foot]
    swing = Swing(foot, time, _DURATION, start, end)
    swing.lead(body, carriage, lean, footing, time)
    return swing
