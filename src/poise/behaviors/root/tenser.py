"""Muscles of some joints made tenser than the tension says."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["Tenser"]

Array = NDArray[np.float64]


class Tenser:
    """Raises the frequency of some muscles by the same ratio in every tick, or another one now and then.

    Args:
        muscles: Which, of all.
        count: Of all muscles.
    """

    def __init__(self, muscles: NDArray[np.int64], count: int) -> None:
        self._muscles, self._ratio, self._factors = muscles, 1.0, np.ones((2, count))

    def tense(self, gains: tuple[Array, Array], ratio: float) -> None:
        """Raise stiffness [N m/rad] with the square of `ratio`, damping [N m s/rad] with it, in place, shape (count,) each."""
        if ratio != self._ratio:
            self._ratio, self._factors[:, self._muscles] = ratio, [[ratio**2], [ratio]]
        for gain, factor in zip(gains, self._factors, strict=True):
            gain *= factor
