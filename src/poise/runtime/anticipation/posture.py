"""How a person holds a hand against something: before the trunk, fingers up and first on the surface, at a person's pace."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["before_trunk", "leaning", "left_of", "pushing_fingers", "shortened"]

Array = NDArray[np.float64]

_BEFORE, _TRUNK = 0.2, 0.28
"""A wrist is at least so far before the shoulders while it is within that of the middle [m]."""
_LEAN = 0.06
"""The palm leans to its fingers [rad], so that they touch before the wrist, which is thicker."""


def left_of(faces: Array) -> Array:
    """To the left of a level direction, shape (3,)."""
    return np.array([-faces[1], faces[0], 0.0])


def shortened(way: Array, most: float) -> Array:
    """A way, no longer than `most`."""
    length = float(np.linalg.norm(way))
    return way if length <= most else np.asarray(way * (most / length))


def pushing_fingers(away: Array, faces: Array) -> Array:
    """Where fingers point: away from the shoulder, up, and a little ahead, as when one pushes.

    Args:
        away: From the shoulder to the hand's place [m], shape (3,).
        faces: Where the chest faces, shape (3,).
    """
    return np.asarray(away / max(float(np.linalg.norm(away)), 1e-6) + np.array([0.0, 0.0, 0.8]) + 0.4 * faces)


def before_trunk(place: Array, middle: Array, faces: Array) -> Array:
    """A wrist's place, moved ahead out of the trunk.

    Args:
        place: [m], shape (3,).
        middle: Between the shoulders [m], shape (3,).
        faces: Where the chest faces, shape (3,).
    """
    away = place - middle
    if abs(float(away @ left_of(faces))) >= _TRUNK:
        return place
    return np.asarray(place + max(_BEFORE - float(away @ faces), 0.0) * faces)


def leaning(normal: Array, fingers: Array) -> Array:
    """The normal, turned a little so that fingertips are nearer to the surface than the wrist."""
    flat = fingers - (fingers @ normal) * normal
    length = float(np.linalg.norm(flat))
    if length < 0.1:
        return normal
    leant = normal + _LEAN * flat / length
    return np.asarray(leant / np.linalg.norm(leant))
