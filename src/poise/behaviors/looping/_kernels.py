"""Compiled loop of a repeated gesture; plain arrays in, outputs preallocated."""

from __future__ import annotations

import numpy as np

from poise.math._compile import njit
from poise.math._kernels import exponential, product


@njit(cache=True)
def write_loop(columns, middles, curves, phases, sizes, rows):
    """Joints of a gesture at a phase for each row.

    Args:
        columns: Where each joint's quaternion begins in a row, (K,).
        middles: Rotation of each that the gesture swings about, wxyz, (K, 4).
        curves: Cubic pieces of the rotation vector from there over a cycle, (4, P, K, 3), highest power first.
        phases: In cycles, (R,).
        sizes: Factor on the rotation vector, of each row or of all, (R,) or (1,).
        rows: Generalized positions, (R, nq); written.
    """
    pieces = curves.shape[1]
    vector, turn, target = np.empty(3), np.empty(4), np.empty(4)
    for row in range(rows.shape[0]):
        place = (phases[row] - np.floor(phases[row])) * pieces
        piece = min(int(place), pieces - 1)
        x = place - piece
        size = sizes[row] if sizes.shape[0] > 1 else sizes[0]
        for k in range(columns.shape[0]):
            for axis in range(3):
                c = curves[:, piece, k, axis]
                vector[axis] = size * (((c[0] * x + c[1]) * x + c[2]) * x + c[3])
            exponential(vector, turn)
            product(middles[k], turn, target)
            for number in range(4):
                rows[row, columns[k] + number] = target[number]
