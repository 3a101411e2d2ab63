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
    """

    def __init__(self, plan: BodyPlan) -> None:
        self._arms = HangingArms(plan)

    @staticmethod
    def numbers(plan: BodyPlan, evasion: Evasion) -> Array:
        """How deep a whole duck is and how wide a whole step aside [m], and `arms_ahead`, `arms_out`, `elbows` and `palms`."""
        own = evasion.dodging
        return np.array(
            [
                evasion.duck * plan.size,
                evasion.sidestep * plan.size,
                own.arms_ahead,
                own.arms_out,
                own.elbows,
                own.palms,
            ]
        )

    def act(self, rows: Array, ways: tuple[Array, Array], numbers: tuple[Array, Array]) -> None:
        """Bring both arms where they balance, in the poses of a tick (n, nq), in place.

        Args:
            rows: Generalized positions at the end of each substep.
            ways: How far the pelvis is beside its motion on purpose at the tick's beginning and end, level and up [m], (3,).
            numbers: What those of `numbers` are in effect at its beginning and end, those six first.
        """
        (ducked, stepped), (ducks, steps) = (_shares(*each) for each in zip(ways, numbers, strict=True))
        part = np.arange(1, len(rows) + 1) / len(rows)
        down, aside = ducked + part * (ducks - ducked), stepped + part * (steps - stepped)
        arms_ahead, arms_out, elbows, palms = (numbers[0] + part[:, None] * (numbers[1] - numbers[0]))[:, 2:6].T
        out, ahead = ([angle for _ in self._arms.sides] for angle in (arms_out * aside, arms_ahead * down))
        most = np.maximum(down, aside)
        self._arms.bring(rows, self._arms.shares(rows[-1]), out, ahead, elbows * most, palms * most)


def _shares(away: Array, numbers: Array) -> tuple[float, float]:
    """How deep and how wide that is, as shares of the deepest duck and the widest step aside."""
    (deep, far), down, aside = numbers[:2].tolist(), max(-float(away[2]), 0.0), hypot(away[0], away[1])
    return min(down / deep, 1.0) if deep > 0.0 else 0.0, min(aside / far, 1.0) if far > 0.0 else 0.0
