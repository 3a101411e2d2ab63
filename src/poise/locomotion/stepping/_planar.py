"""Rigid motions of the ground plane as tuples: a shift [m] and a turn about the origin [rad]; for compiled loops.

The same motion is also told by how it displaces one place: `displacement` and `carrier` go from one form to the other. Two
steps of a walker who was turned are compared where the walker is, not at the world's origin.
"""

from __future__ import annotations

import numpy as np

from poise.math._compile import njit
from poise.math._easing import minimum_jerk


@njit(cache=True, error_model="numpy", forceinline=True)
def carried(motion, x, y):
    """Where a motion brings a place."""
    c, s = np.cos(motion[2]), np.sin(motion[2])
    return c * x - s * y + motion[0], s * x + c * y + motion[1]


@njit(cache=True, error_model="numpy", forceinline=True)
def displacement(motion, x, y):
    """How far a motion displaces the place (x, y), and by how much it turns."""
    there = carried(motion, x, y)
    return there[0] - x, there[1] - y, motion[2]


@njit(cache=True, error_model="numpy", forceinline=True)
def carrier(away, x, y):
    """The motion that displaces the place (x, y) by `away` and turns by its last number."""
    c, s = np.cos(away[2]), np.sin(away[2])
    return away[0] + x - (c * x - s * y), away[1] + y - (s * x + c * y), away[2]


@njit(cache=True, error_model="numpy", forceinline=True)
def wrapped(angle):
    """An angle within half a turn of none."""
    return (angle + np.pi) % (2.0 * np.pi) - np.pi


@njit(cache=True, error_model="numpy", forceinline=True)
def between(one, other, share, x, y):
    """The motion that displaces (x, y) by a share between what two motions do there."""
    a, b = displacement(one, x, y), displacement(other, x, y)
    away = (a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), a[2] + share * wrapped(b[2] - a[2]))
    return carrier(away, x, y)


@njit(cache=True, error_model="numpy", forceinline=True)
def eased(share):
    """Minimum-jerk way from 0 to 1."""
    return minimum_jerk(min(max(share, 0.0), 1.0))
