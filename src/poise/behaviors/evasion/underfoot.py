"""What stands in the way of feet: what is seen of it, for legs that step over what is low."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.evasion.eyes import Eyes
from poise.behaviors.perception.options import AnticipationOptions, Expectation
from poise.body.plan import BodyPlan
from poise.signals import Surroundings

__all__ = ["Underfoot", "UnderfootState"]

Array = NDArray[np.float64]

_SOLID = ("wall", "box", "ball")
"""What is all there is between its bottom and its top: a fence has rails above what a foot would take for its top."""


@dataclass
class UnderfootState:
    """What is remembered: whether each obstacle is known to be there, shape (P,)."""

    known: NDArray[np.bool_]


class Underfoot:
    """Looks where one character goes.

    Args:
        plan: Its body.
        surroundings: What stands around.
        options: How it anticipates.
        masses: Of the obstacles, as they seem [kg], shape (P,).
    """

    def __init__(self, plan: BodyPlan, surroundings: Surroundings, options: AnticipationOptions, masses: Array) -> None:
        self._surroundings, self._still = surroundings, options.evasion.still
        seen = [options.expectations.get(name, Expectation()).seen for name in surroundings.names]
        solid = np.isin(surroundings.kinds, _SOLID) if surroundings.kinds else np.zeros(0, dtype=bool)
        self._firm = (masses >= options.evasion.kicked) & np.array(seen, dtype=bool) & solid
        self._any, self._eyes = bool(self._firm.any()), Eyes(plan, surroundings, options.sight)
        self._reach = np.array([options.evasion.looked * plan.size])
        self.state = UnderfootState(np.zeros(len(masses), dtype=bool))

    def known(self, row: Array) -> NDArray[np.bool_] | None:
        """Which obstacles it knows of that stand still and are too heavy to be kicked aside, shape (P,); None for none.

        Args:
            row: The body's pose, shape (nq,).
        """
        if not self._any:
            return None
        near = self._surroundings.nearest(row[None, :3], self._reach)
        stands = np.linalg.norm(near.velocity[0], axis=1) < self._still
        for which in np.flatnonzero(self._firm & np.isfinite(near.distance[0]) & ~self.state.known):
            self.state.known[which] = self._eyes.see(row, int(which), near.point[0, which])
        found = self.state.known & stands & np.isfinite(near.distance[0])
        return found if found.any() else None
