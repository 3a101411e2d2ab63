"""Euler angles of one to three different axes, as BVH channels have them, to quaternions and back.

`q = q_i(a) q_j(b) q_k(c)`: each axis is the one that the rotations before it have turned (intrinsic), in the order of
the channels.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from poise.io.bvh_text import axis_of, is_rotation

__all__ = ["from_euler", "row_rotations", "to_euler"]

Array = NDArray[np.float64]


def from_euler(angles: Array, axes: Sequence[int]) -> Array:
    """Quaternions wxyz (..., 4) of `angles` [rad], shape (..., n), about `axes` (each 0, 1 or 2)."""
    shape = angles.shape[:-1]
    q = np.zeros((4, *shape))
    q[0] = 1.0
    for column, axis in enumerate(axes):
        half = 0.5 * angles[..., column]
        cosine, sine = np.cos(half), np.sin(half)
        w, x, y, z = q[0], q[1 + axis], q[1 + (axis + 1) % 3], q[1 + (axis + 2) % 3]
        turned = w * cosine - x * sine, x * cosine + w * sine, y * cosine + z * sine, z * cosine - y * sine
        q[0], q[1 + axis], q[1 + (axis + 1) % 3], q[1 + (axis + 2) % 3] = turned
    return np.moveaxis(q, 0, -1)


def row_rotations(values: Array, channels: Sequence[tuple[str, ...]]) -> Array:
    """Local rotations (T, J, 4) in a BVH file's frame of its rows (T, C); joints that share an order are done together."""
    starts = np.cumsum([0, *map(len, channels)])
    groups: dict[tuple[int, ...], tuple[list[int], list[list[int]]]] = {}
    for joint, names in enumerate(channels):
        turning = [column for column, name in enumerate(names) if is_rotation(name)]
        joints, columns = groups.setdefault(tuple(axis_of(names[column]) for column in turning), ([], []))
        joints.append(joint)
        columns.append([int(starts[joint]) + column for column in turning])
    rotations = np.zeros((len(values), len(channels), 4))
    for axes, (joints, columns) in groups.items():
        angles = np.deg2rad(values[:, np.array(columns, np.int64).reshape(len(joints), len(axes))])
        rotations[:, joints] = from_euler(angles, axes)
    return rotations


def to_euler(
    rotations: Array, axes: Sequence[int], known: NDArray[np.bool_] | None = None, given: Array | None = None
) -> Array:
    """Angles [rad], shape (T, J, n), about n different `axes` of rotations wxyz (T, J, 4), continuous over time.

    Of all angles that give the same rotation those nearest to the frame before are taken (in the first frame nearest to what is
    given for it, else to zero), so there are no jumps by a turn; in gimbal lock only the determined sum or difference moves.
    With fewer than three axes these are the angles that come closest; the caller checks whether that is close enough.

    Args:
        rotations: What to express.
        axes: Each 0, 1 or 2.
        known: Where the angles are known beforehand, shape (T, J).
        given: Those angles [rad], shape (T, J, n); the first row counts everywhere.
    """
    frames, joints = rotations.shape[:2]
    angles = np.zeros((frames, joints, len(axes)))
    given = np.zeros_like(angles) if given is None else given
    known = np.zeros((frames, joints), dtype=np.bool_) if known is None else known
    if len(axes) == 3:
        # Slow to import (docs/architecture.md, decision 12).
        from poise.io._kernels import continuous_angles

        i, j, k = axes
        sign = 1.0 if (j - i) % 3 == 1 else -1.0
        continuous_angles(np.ascontiguousarray(rotations), i, j, k, sign, known, np.ascontiguousarray(given), angles)
        return angles
    if len(axes) == 2:
        # q = q_i(a) q_j(b) is the outer product of (cos, sin) of a/2 and of b/2.
        i, j = axes
        w, qi, qj = rotations[..., 0], rotations[..., 1 + i], rotations[..., 1 + j]
        qk = rotations[..., 1 + 3 - i - j] * (1.0 if (j - i) % 3 == 1 else -1.0)
        angles[..., 0] = np.arctan2(2.0 * (w * qi + qj * qk), w * w + qj * qj - qi * qi - qk * qk)
        angles[..., 1] = np.arctan2(2.0 * (w * qj + qi * qk), w * w + qi * qi - qj * qj - qk * qk)
        angles = np.unwrap(angles, axis=0)
    elif len(axes) == 1:
        angles[..., 0] = np.unwrap(2.0 * np.arctan2(rotations[..., 1 + axes[0]], rotations[..., 0]), axis=0)
    if frames:
        angles += 2.0 * np.pi * np.round((given[0] - angles[0]) / (2.0 * np.pi))
    return np.where(known[..., None], given, angles)
