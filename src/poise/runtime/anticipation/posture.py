"""How a person holds a hand against something: fingers up or ahead, and first on the surface."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.runtime.anticipation import _kernels

__all__ = ["held_hand"]

Array = NDArray[np.float64]


def held_hand(point: Array, normal: Array, shoulder: Array, faces: Array, *, stays: bool) -> tuple[Array, Array]:
    """The normal a palm answers to, leant a little so that fingertips touch before the wrist, and where fingers point.

    Args:
        point: Where the palm shall be [m], shape (3,).
        normal: Of the surface there, shape (3,).
        shoulder: Of its arm [m], shape (3,).
        faces: Where the chest faces, shape (3,).
        stays: Whether the hand stays there: then fingers do not follow the way from the shoulder.
    """
    out = np.empty((2, 3))
    _kernels.hold_hand(point, normal, shoulder, faces, stays, out)
    return out[0], out[1]
