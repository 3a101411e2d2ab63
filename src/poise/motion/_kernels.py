"""Compiled loops of `pose` and `skin`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.math._compile import njit

Array = NDArray[np.float64]


@njit(cache=True)
def place_joints(rotations: Array, positions: Array, inverse_bind: Array, out: Array) -> None:
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
        place_joints(rotations[t], positions[t], inverse_bind, transforms)
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


@njit(cache=True)
def chain(parents: NDArray[np.int64], rotations: Array, positions: Array) -> None:
    """Local transforms of F frames, rotations (F, J, 4) and positions (F, J, 3), made those of the world, in place."""
    for t in range(len(rotations)):
        for joint in range(len(parents)):
            parent = parents[joint]
            if parent < 0:
                continue
            aw, ax, ay, az = rotations[t, parent]
            bw, bx, by, bz = rotations[t, joint]
            rotations[t, joint, 0] = aw * bw - ax * bx - ay * by - az * bz
            rotations[t, joint, 1] = aw * bx + ax * bw + ay * bz - az * by
            rotations[t, joint, 2] = aw * by - ax * bz + ay * bw + az * bx
            rotations[t, joint, 3] = aw * bz + ax * by - ay * bx + az * bw
            vx, vy, vz = positions[t, joint]
            sx, sy, sz = 2.0 * (ay * vz - az * vy), 2.0 * (az * vx - ax * vz), 2.0 * (ax * vy - ay * vx)
            positions[t, joint, 0] = positions[t, parent, 0] + (vx + aw * sx + (ay * sz - az * sy))
            positions[t, joint, 1] = positions[t, parent, 1] + (vy + aw * sy + (az * sx - ax * sz))
            positions[t, joint, 2] = positions[t, parent, 2] + (vz + aw * sz + (ax * sy - ay * sx))
