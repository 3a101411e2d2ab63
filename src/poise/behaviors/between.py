"""Poses between the ends of a tick, for motions that are worked out once a tick."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.behaviors import _kernels

__all__ = ["alike", "between"]

Array = NDArray[np.float64]


def alike(row: Array, before: Array) -> Array:
    """Generalized positions (nq,) whose quaternions have the signs of those before."""
    out = np.empty_like(row)
    _kernels.alike(row, before, out)
    return out


def between(start: Array, leaving: Array, end: Array, landing: Array, out: Array) -> None:
    """Poses on the way from one to the next over a tick, as fast at its ends as said (per tick), shape (n, nq)."""
    _kernels.between(start, leaving, end, landing, out)
