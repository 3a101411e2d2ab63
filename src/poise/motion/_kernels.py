"""Compiled loops of `skin`."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

Array = NDArray[np.float64]


@njit(cache=True)
def _place_joints(rotations: Array, positions: Array, inverse_bind: Array, out: Array) -> None:
    """Bind-space-to-world transforms (J, 12), row by row, of joints with rotations (J, 4) and positions (J, 3)."""
    for joint in range(len(rotations)):
        w, x, y, z = rotations[joint]
        rows = (
            (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
            (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
        )
        bind = inverse_bind[joint]
        for i in range(3):
            r = rows[i]
            for j in range(4):
                out[joint, 4 * i + j] = r[0] * bind[0, j] + r[1] * bind[1, j] + r[2] * bind[2, j]
            out[joint, 4 * i + 3] += positions[joint, i]


@njit(cache=True)
def blend_skin(
    rotations: Array,
    positions: Array,
    inverse_bind: Array,
    vertices: Array,
    joints: NDArray[np.int64],
    weights: Array,
    out: Array,
) -> None:
    """Linear blend skinning of vertices (V, 3) over T frames into `out` (T, V, 3)."""
    transforms = np.empty((rotations.shape[1], 12))
    for t in range(len(rotations)):
        _place_joints(rotations[t], positions[t], inverse_bind, transforms)
        for v in range(len(vertices)):
            x, y, z = vertices[v, 0], vertices[v, 1], vertices[v, 2]
            a, b, c = 0.0, 0.0, 0.0
            for k in range(4):
                weight = weights[v, k]
                if weight != 0.0:
                    m = transforms[np.uintp(joints[v, k])]  # unsigned: no test for a negative index
                    a += weight * (m[0] * x + m[1] * y + m[2] * z + m[3])
                    b += weight * (m[4] * x + m[5] * y + m[6] * z + m[7])
                    c += weight * (m[8] * x + m[9] * y + m[10] * z + m[11])
            out[t, v, 0], out[t, v, 1], out[t, v, 2] = a, b, c
