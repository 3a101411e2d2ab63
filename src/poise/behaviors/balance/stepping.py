"""One step after the capture point: which foot, where to, and on what path."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.balance.footing import Footing
from poise.behaviors.balance.options import Recovery
from poise.control.balance import Carriage, CarriedBody, Reading
from poise.math.easing import minimum_jerk

__all__ = ["Swing", "plan_swing"]

Array = NDArray[np.float64]
Now = tuple[CarriedBody, Carriage, Reading, Footing]
"""Who stands, how it is carried, what the law made of it, and where the feet are."""


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

    def place(self, time: float, recovery: Recovery) -> Array:
        """Of the ankle at a time [m], shape (3,)."""
        x = float(np.clip((time - self.begin) / self.duration, 0.0, 1.0))
        place = self.start + minimum_jerk(x) * (self.end - self.start)
        place[2] += recovery.lift * np.sin(np.pi * x) ** 2
        if x >= 1.0:
            # Feel for the ground.
            place[2] -= recovery.seeking * (time - self.begin - self.duration)
        return np.asarray(place)

    def lead(self, now: Now, time: float, recovery: Recovery) -> None:
        """Aim at where the capture point will be when the foot lands, while there is time to change."""
        body, carriage, lean, footing = now
        left = self.begin + self.duration - time
        if left < 0.3 * self.duration and time > self.begin:
            return
        height = max(float(carriage.centre[2]) - footing.floor, 0.2)
        away = lean.capture - lean.pressure
        capture = lean.pressure + away * np.exp(np.sqrt(body.gravity / height) * max(left, 0.0))
        size = float(np.linalg.norm(away))
        capture = capture + recovery.beyond * away / max(size, 1e-6)
        sole = body.soles(carriage).middles[self.foot, :2] - carriage.positions[body.legs[self.foot, 2], :2]
        self.end[:2] = _allowed(footing, self.foot, capture - sole, recovery)


def _allowed(footing: Footing, foot: int, place: Array, recovery: Recovery) -> Array:
    """A place for an ankle, beside the other foot and no further than a step."""
    ahead, stance = footing.ahead, 1 - foot
    left = np.array([-ahead[1], ahead[0]])
    side = 1.0 if foot == 0 else -1.0
    away = place - footing.places[stance, :2]
    along, across = float(away @ ahead), max(side * float(away @ left), recovery.apart)
    longest = recovery.longest * footing.height
    shrink = min(1.0, longest / max(float(np.hypot(along, across)), 1e-9))
    along, across = shrink * along, max(shrink * across, recovery.apart)
    return np.asarray(footing.places[stance, :2] + along * ahead + side * across * left)


def _choice(lean: Reading, footing: Footing) -> int:
    """The foot to step with: sideways the one on that side, ahead or back the one that carries less."""
    ahead = footing.ahead
    away = lean.capture - footing.middle
    across = float(ahead[0] * away[1] - ahead[1] * away[0])
    sideways = abs(across) > abs(float(ahead @ away))
    return (0 if across > 0.0 else 1) if sideways else (1 if across >= 0.0 else 0)


def plan_swing(now: Now, time: float, recovery: Recovery, foot: int | None = None) -> Swing:
    """Begin a step, with a foot that is in the air already or the one that `_choice` says."""
    body, carriage, lean, footing = now
    foot = _choice(lean, footing) if foot is None else foot
    start = carriage.positions[body.legs[foot, 2]].copy()
    end = start.copy()
    end[2] = footing.floor + body.ankle_heights[foot]
    swing = Swing(foot, time, recovery.duration, start, end)
    swing.lead(now, time, recovery)
    return swing
