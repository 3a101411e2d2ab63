"""Poses between the ends of a tick, for motions that are worked out once a tick."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["alike", "between"]

Array = NDArray[np.float64]


def alike(row: Array, before: Array) -> Array:
    """Generalized positions (nq,) whose quaternions have the signs of those before."""
    row = row.copy()
    turns, others = row[3:].reshape(-1, 4), before[3:].reshape(-1, 4)
    turns[np.sum(turns * others, axis=1) < 0.0] *= -1.0
    return row


def between(start: Array, leaving: Array, end: Array, landing: Array, out: Array) -> None:
    """Poses on the way from one to the next over a tick, as fast at its ends as said (per tick), shape (n, nq)."""
    share = (np.arange(1, len(out) + 1) / len(out))[:, None]
    square, cube = share**2, share**3
    out[:] = start + (3.0 * square - 2.0 * cube) * (end - start)
    out += (share - 2.0 * square + cube) * leaving + (cube - square) * landing
    turns = out[:, 3:].reshape(len(out), -1, 4)
    turns /= np.linalg.norm(turns, axis=2, keepdims=True)
