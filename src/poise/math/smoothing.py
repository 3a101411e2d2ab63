"""Means over neighboring samples, in plain NumPy: SciPy's filters do the same but take a third of a second to import."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["running_mean", "smoothed"]

Array = NDArray[np.float64]

_REACH = 4.0
"""Standard deviations to either side over which a Gaussian is summed; what is left out weighs 6e-5."""


def running_mean(values: ArrayLike, size: int) -> Array:
    """Mean over the `size` (odd) samples around each, shape (T, ...); at the ends over those there are."""
    samples = np.asarray(values, dtype=np.float64)
    sums = np.concatenate([np.zeros((1, *samples.shape[1:])), np.cumsum(samples, axis=0)])
    at = np.arange(len(samples))
    first, behind = np.maximum(at - size // 2, 0), np.minimum(at + size // 2 + 1, len(samples))
    count = (behind - first).reshape(-1, *(1,) * (samples.ndim - 1))
    return np.asarray((sums[behind] - sums[first]) / count)


def smoothed(values: ArrayLike, deviation: float) -> Array:
    """`values`, shape (T, N), under a Gaussian of this standard deviation [samples]; beyond the ends the last value stays."""
    samples = np.asarray(values, dtype=np.float64)
    reach = int(_REACH * deviation + 0.5)
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / deviation) ** 2)
    padded = np.pad(samples, ((reach, reach), (0, 0)), mode="edge")
    weights /= weights.sum()
    return np.stack([np.convolve(column, weights, mode="valid") for column in padded.T], axis=1)
