"""Compiled loop of `euler`."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

Array = NDArray[np.float64]

LOCKED = 1e-7
"""Below this the two outer axes count as parallel: what only one of them would say is then rounding noise."""


@njit(cache=True)
def _near(angle: float, goal: float, period: float) -> float:
    """`angle` plus the multiple of `period` that brings it nearest to `goal`."""
    nearest: float = angle + period * np.round((goal - angle) / period)
    return nearest


@njit(cache=True)
def continuous_angles(
    rotations: Array, i: int, j: int, k: int, sign: float, known: NDArray[np.bool_], given: Array, out: Array
) -> None:
    """Angles (T, J, 3) about axes i, j, k of rotations (T, J, 4), each frame's nearest to the frame before.

    `sign` is +1 where (i, j, k) is cyclic and -1 otherwise; it turns the second case into the first. The first frame's are
    nearest to `given`, and where `known` (T, J) they are those.
    """
    for joint in range(rotations.shape[1]):
        a0, b0, c0 = given[0, joint, 0], given[0, joint, 1], sign * given[0, joint, 2]
        for t in range(rotations.shape[0]):
            if known[t, joint]:
                a0, b0, c0 = given[t, joint, 0], given[t, joint, 1], sign * given[t, joint, 2]
                out[t, joint, 0], out[t, joint, 1], out[t, joint, 2] = a0, b0, given[t, joint, 2]
                continue
            w, qi = rotations[t, joint, 0], rotations[t, joint, 1 + i]
            qj, qk = rotations[t, joint, 1 + j], sign * rotations[t, joint, 1 + k]
            plus, minus = np.hypot(w + qj, qi + qk), np.hypot(w - qj, qi - qk)
            b = 2.0 * np.arctan2(plus, minus) - 0.5 * np.pi
            total = np.arctan2(qi + qk, w + qj)  # (a + c) / 2
            differ = np.arctan2(qi - qk, w - qj)  # (a - c) / 2
            if plus < LOCKED or minus < LOCKED:
                if plus < LOCKED:
                    total = 0.5 * (a0 + c0)
                    differ = _near(differ, 0.5 * (a0 - c0), np.pi)
                else:
                    total = _near(total, 0.5 * (a0 + c0), np.pi)
                    differ = 0.5 * (a0 - c0)
                a0, b0, c0 = total + differ, _near(b, b0, 2.0 * np.pi), total - differ
            else:
                a, c = _near(total + differ, a0, 2.0 * np.pi), _near(total - differ, c0, 2.0 * np.pi)
                a2, c2 = _near(a + np.pi, a0, 2.0 * np.pi), _near(c + np.pi, c0, 2.0 * np.pi)
                b2 = _near(np.pi - b, b0, 2.0 * np.pi)
                b = _near(b, b0, 2.0 * np.pi)
                first = (a - a0) ** 2 + (b - b0) ** 2 + (c - c0) ** 2
                second = (a2 - a0) ** 2 + (b2 - b0) ** 2 + (c2 - c0) ** 2
                a0, b0, c0 = (a, b, c) if first <= second else (a2, b2, c2)
            out[t, joint, 0], out[t, joint, 1], out[t, joint, 2] = a0, b0, sign * c0
