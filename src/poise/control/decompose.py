"""Rotations as three angles about fixed axes: the paper's consecutive swing-twist decomposition."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.math import quat

__all__ = ["compose_angles", "consecutive_angles"]

Array = NDArray[np.float64]


def consecutive_angles(rotations: ArrayLike) -> Array:
    """Angles [rad] about x, y and z such that q = q_z q_y q_x (Alvarado 2022, Sec. 4.2), shape (..., 4) to (..., 3).

    The twist about x is taken off from the right first, then the twist about y from what is left; the rest must be a pure
    turn about z, which three twists in a row do not give in general. So the angles are those of the intrinsic z-y-x
    sequence, to which the consecutive decomposition is equal where it is exact; they always recompose, also at 90 degrees
    about y, where the other two are not unique.
    """
    w, x, y, z = np.moveaxis(np.asarray(rotations, dtype=np.float64), -1, 0)
    # Half-angle sums: each pair is cosine and sine of half the difference and half the sum of the outer angles.
    difference, total = np.arctan2(z - x, w + y), np.arctan2(z + x, w - y)
    about_y = 2.0 * np.arctan2(np.hypot(w + y, z - x), np.hypot(w - y, z + x)) - 0.5 * np.pi
    outer = np.stack([total - difference, total + difference])
    about_x, about_z = np.arctan2(np.sin(outer), np.cos(outer))
    return np.stack([about_x, about_y, about_z], axis=-1)


def compose_angles(angles: ArrayLike) -> Array:
    """The rotation q_z q_y q_x of angles [rad], shape (..., 3) to (..., 4)."""
    values = np.asarray(angles, dtype=np.float64)
    about = [quat.from_axis_angle(np.eye(3)[axis], values[..., axis]) for axis in range(3)]
    return quat.mul(about[2], quat.mul(about[1], about[0]))
