"""Bending trunk and neck, with arms that keep hanging."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import turn_joint
from poise.body.plan import BodyPlan

__all__ = ["Bending"]

Array = NDArray[np.float64]

_TRUNK = 0.75
"""How much of a bend the spine does; neck and head do the rest."""


class Bending:
    """The joints that bend one character.

    Args:
        plan: Its body.
    """

    def __init__(self, plan: BodyPlan) -> None:
        self._plan = plan
        self._spine = [body for body in plan.with_role("spine") if body > 0]
        self._neck = [body for body in plan.with_role("neck", "head") if body > 0]
        self._arms = plan.with_role("left_upper_arm", "right_upper_arm") if self._spine else ()

    def lean(self, rows: Array, vectors: Array) -> None:
        """Bend the trunk in `rows` (n, nq), in place; the arms keep their turns in the world.

        Args:
            rows: Generalized positions.
            vectors: Rotation vectors about forward, left and up [rad], shape (n, 3).
        """
        self._spread(rows, self._spine, vectors)
        for arm in self._arms:
            turn_joint(self._plan, rows, arm, -vectors)

    def bend(self, rows: Array, vectors: Array) -> None:
        """Bend trunk, neck and head in `rows` (n, nq), in place; see `lean`."""
        trunk = _TRUNK if self._neck else 1.0
        self.lean(rows, trunk * vectors)
        self._spread(rows, self._neck, (1.0 - trunk) * vectors)

    def _spread(self, rows: Array, bodies: Sequence[int], vectors: Array) -> None:
        for body in bodies:
            turn_joint(self._plan, rows, body, vectors / len(bodies))
