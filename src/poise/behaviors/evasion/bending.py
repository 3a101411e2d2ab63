"""Bending trunk and neck, with arms that keep hanging."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.evasion import _kernels
from poise.body.plan import BodyPlan

__all__ = ["Bending"]

Array = NDArray[np.float64]


class Bending:
    """The joints that bend one character.

    Args:
        plan: Its body.
        share: How much of a bend the spine does; neck and head do the rest.
    """

    def __init__(self, plan: BodyPlan, share: float) -> None:
        spine = [body for body in plan.with_role("spine") if body > 0]
        neck = [body for body in plan.with_role("neck", "head") if body > 0]
        arms = plan.with_role("left_upper_arm", "right_upper_arm") if spine else ()
        self._neutral, self._parts, self._share = plan.neutral, (spine, arms, neck), np.nan
        self._lean = _shares((spine, 1.0, len(spine)), (arms, -1.0, 1))
        self.divide(share)

    def divide(self, share: float) -> None:
        """Let the spine do so much of a bend."""
        if share == self._share:
            return
        (spine, arms, neck), self._share = self._parts, share
        trunk = share if neck else 1.0
        self._bend = _shares((spine, trunk, len(spine)), (arms, -trunk, 1), (neck, 1.0 - trunk, len(neck)))

    def lean(self, rows: Array, vectors: Array) -> None:
        """Bend the trunk in `rows` (n, nq), in place; the arms keep their turns in the world.

        Args:
            rows: Generalized positions.
            vectors: Rotation vectors about forward, left and up [rad], shape (n, 1, 3).
        """
        _kernels.turn_joints(rows, self._neutral, *self._lean, vectors)

    def bend(self, rows: Array, vectors: Array) -> None:
        """Bend trunk, neck and head in `rows` (n, nq), in place; see `lean`."""
        _kernels.turn_joints(rows, self._neutral, *self._bend, vectors)


def _shares(*parts: tuple[Sequence[int], float, int]) -> tuple[NDArray[np.int64], Array, Array]:
    """Bodies, and of each the factor and the divisor of how much of a bend it does."""
    rows = [(body, factor, divisor) for bodies, factor, divisor in parts for body in bodies]
    bodies, factors, divisors = np.array(rows, dtype=np.float64).reshape(-1, 3).T
    return bodies.astype(np.int64), factors.copy(), divisors.copy()
