"""Compiled loops of behaviors that work out a pose once a tick; plain arrays in, outputs preallocated."""

from __future__ import annotations

import numpy as np

from poise.math._compile import njit


@njit(cache=True)
def between(start, leaving, end, landing, out):
    """Fill the poses of a tick, shape (n, nq): a cubic way from one to the next, as fast at its ends as said, per tick."""
    count, size = out.shape
    for row in range(count):
        share = (row + 1.0) / count
        square, cube = share**2, share**3
        whole, leaves, lands = 3.0 * square - 2.0 * cube, share - 2.0 * square + cube, cube - square
        for k in range(size):
            out[row, k] = start[k] + whole * (end[k] - start[k]) + leaves * leaving[k] + lands * landing[k]
        for at in range(3, size, 4):
            length = 0.0
            for k in range(at, at + 4):
                length += out[row, k] ** 2
            length = np.sqrt(length)
            for k in range(at, at + 4):
                out[row, k] /= length


@njit(cache=True)
def alike(pose, before, out):
    """A pose (nq,) whose quaternions have the signs of those of the pose before."""
    for k in range(3):
        out[k] = pose[k]
    for at in range(3, len(pose), 4):
        along = 0.0
        for k in range(at, at + 4):
            along += pose[k] * before[k]
        for k in range(at, at + 4):
            out[k] = -pose[k] if along < 0.0 else pose[k]
