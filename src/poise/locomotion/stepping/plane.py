"""Motions of the ground plane (x, y, yaw), of many places at once; for compiled loops: `_planar.py`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["carried_places"]

Array = NDArray[np.float64]


def carried_places(motions: Array, places: Array) -> Array:
    """Where motions (..., 3) [m, m, rad] bring as many places (..., 2) [m], shape (..., 2)."""
    c, s = np.cos(motions[..., 2]), np.sin(motions[..., 2])
    x, y = places[..., 0], places[..., 1]
    return np.asarray(np.stack([c * x - s * y, s * x + c * y], axis=-1) + motions[..., :2])
