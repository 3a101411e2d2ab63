"""Arms that balance a pelvis on its way: ahead of the body where it ducks, out to both sides where it steps aside."""

from __future__ import annotations

from math import hypot

import numpy as np
from numpy.typing import NDArray

from poise.anticipation.evasion import Evasion
from poise.behaviors.hanging_arms import HangingArms
from poise.body.plan import BodyPlan

__all__ = ["Balancing"]

Array = NDArray[np.float64]


class Balancing:
    """The arms of one character.

    Args:
        plan: Its body.
        evasion: How it evades.
    """

    def __init__(self, plan: BodyPlan, evasion: Evasion) -> None:
        self._arms, self._dodging = HangingArms(plan), evasion.dodging
        self._deep, self._far = evasion.duck * plan.size, evasion.sidestep * plan.size

    def act(self, rows: Array, before: Array, after: Array) -> None:
        """Bring both arms where they balance, in the poses of a tick (n, nq), in place.

        Args:
            rows: Generalized positions at the end of each substep.
            before: How far the pelvis was beside its motion on purpose at the tick's beginning, level and up [m], shape (3,).
            after: And is at its end, shape (3,).
        """
        (ducked, stepped), (ducks, steps) = self._shares(before), self._shares(after)
        part = np.arange(1, len(rows) + 1) / len(rows)
        down, aside = ducked + part * (ducks - ducked), stepped + part * (steps - stepped)
        numbers = self._dodging
        out = [numbers.arms_out * aside for _ in self._arms.sides]
        elbow = numbers.elbows * np.maximum(down, aside)
        ahead = [numbers.arms_ahead * down for _ in self._arms.sides]
        self._arms.bring(rows, self._arms.shares(rows[-1]), out, ahead, elbow, numbers.palms * np.maximum(down, aside))

    def _shares(self, away: Array) -> tuple[float, float]:
        """How deep and how wide that is, as shares of the deepest duck and the widest step aside."""
        down, aside = max(-float(away[2]), 0.0), hypot(away[0], away[1])
        return (
            min(down / self._deep, 1.0) if self._deep > 0.0 else 0.0,
            min(aside / self._far, 1.0) if self._far > 0.0 else 0.0,
        )
