"""From a file's axes and unit to Poise's frame (Z up, X forward, Y left, metres) and back.

Everything is conjugated with one constant rotation R: offsets `R o`, rotations `R q R*`, translations `R t`. So the
bind pose (every rotation at the identity) is turned too. R is a cyclic permutation of the axes, which makes it exact:

    Y up:  x = z_file, y = x_file, z = y_file        X up:  x = y_file, y = z_file, z = x_file        Z up:  the same
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError, likeliest

__all__ = ["CMU_UNIT", "UNITS", "UP_AXES", "Axes", "check_unit", "check_up"]

Array = NDArray[np.float64]

CMU_UNIT = 0.0254 / 0.45
"""Length unit of the CMU motion library [m]: inches divided by its scale of 0.45."""

UNITS: dict[str, float] = {
    "m": 1.0,
    "dm": 0.1,
    "cm": 0.01,
    "mm": 0.001,
    "inch": 0.0254,
    "ft": 0.3048,
    "cmu": CMU_UNIT,
}
"""Named length units [m]."""

UP_AXES: dict[str, tuple[int, int, int]] = {"x": (1, 2, 0), "y": (2, 0, 1), "z": (0, 1, 2)}
"""Per up axis of the file: which of its axes become x, y, z of Poise."""


def check_unit(unit: str | float) -> float:
    """Metres per unit of a name in `UNITS` or of a positive number (also as text); raises `InputError`."""
    known = isinstance(unit, str) and UNITS.get(unit.strip().lower())
    if known:
        return known
    try:
        metres = float(unit)
    except (TypeError, ValueError):
        metres = -1.0
    if not 1e-9 <= metres <= 1e9:
        close = likeliest(str(unit), UNITS)
        raise InputError(
            f"unknown unit {unit!r}{close}; allowed: {', '.join(UNITS)}, or metres per unit (a positive number)"
        )
    return metres


def check_up(up: str) -> str:
    """The up axis in lower case; raises `InputError` unless it is x, y or z."""
    axis = up.strip().lower() if isinstance(up, str) else ""
    if axis not in UP_AXES:
        raise InputError(f"unknown up axis {up!r}; allowed: {', '.join(UP_AXES)}")
    return axis


class Axes:
    """The change of frame between a file and Poise.

    Args:
        up: The file's up axis, "x", "y" or "z".
        metres_per_unit: Length of the file's unit [m].
    """

    def __init__(self, up: str, metres_per_unit: float) -> None:
        self.scale = metres_per_unit
        self._in = list(UP_AXES[up])
        self._out = [int(axis) for axis in np.argsort(self._in)]

    def lengths_in(self, vectors: Array) -> Array:
        """Vectors (..., 3) of the file, in its unit, as Poise's [m]."""
        return vectors[..., self._in] * self.scale

    def lengths_out(self, vectors: Array) -> Array:
        """Vectors (..., 3) of Poise [m] as the file's, in its unit."""
        return vectors[..., self._out] / self.scale

    def rotations_in(self, rotations: Array) -> Array:
        """Rotations wxyz (..., 4) of the file as Poise's."""
        return rotations[..., [0, *(1 + axis for axis in self._in)]]

    def rotations_out(self, rotations: Array) -> Array:
        """Rotations wxyz (..., 4) of Poise as the file's."""
        return rotations[..., [0, *(1 + axis for axis in self._out)]]
