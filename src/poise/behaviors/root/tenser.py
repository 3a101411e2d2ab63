"""Muscles of some joints made tenser than the tension says."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["Tenser"]

Array = NDArray[np.float64]


class Tenser:
    """Gives some muscles frequencies of their own, whatever the tension is.

    Args:
        muscles: Which, of all, shape (n,).
        frequencies: Theirs [Hz], shape (n,).
        count: Of all muscles.
    """

    def __init__(self, muscles: NDArray[np.int64], frequencies: Array, count: int) -> None:
        self._muscles, self._frequencies = muscles, frequencies
        self._tension, self._factors = np.nan, np.ones((2, count))

    def tense(self, gains: tuple[Array, Array], tension: float) -> None:
        """Raise what goes with a `tension` [Hz], in place.

        Args:
            gains: Stiffness [N m/rad], which goes with the square of a frequency, and damping [N m s/rad], shape (count,) each.
            tension: That of all muscles [Hz].
        """
        if tension != self._tension:
            ratios = self._frequencies / tension
            self._tension, self._factors[:, self._muscles] = tension, [ratios**2, ratios]
        for gain, factor in zip(gains, self._factors, strict=True):
            gain *= factor
