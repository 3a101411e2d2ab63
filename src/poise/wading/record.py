"""What is kept of a wader's way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["WadingMoment", "WadingRecord", "recorded"]

Array = NDArray[np.float64]


class WadingMoment(NamedTuple):
    """One tick of a wader.

    Args:
        time: Since the beginning [s].
        clip_time: Of the clip [s].
        position: Of the abstract body [m], shape (2,).
        velocity: [m/s], shape (2,).
        intended: v_d [m/s], shape (2,).
        angles: Yaw and pitch [rad], shape (2,).
        behind: How far the heading is behind the clip's in a turn [rad], to the right of it where above 0.
        force: Drag [N], shape (3,).
        center: Center of pressure [m], shape (3,); NaN without drag.
        mass_center: The body's center of mass [m], or the middle between its hip joints, shape (3,).
        torque: About the vertical and, forward, across the way [N m], shape (2,).
        volume: Of the body under the surface [m³].
        feet: Of each foot where its ball shall be [m] and the share of its step that is done, 1 while it stands, shape (2, 3).
        sunk: By how much the pelvis is lower for the legs to reach [m].
    """

    time: float
    clip_time: float
    position: Array
    velocity: Array
    intended: Array
    angles: Array
    behind: float
    force: Array
    center: Array
    mass_center: Array
    torque: Array
    volume: float
    feet: Array
    sunk: float


@dataclass(frozen=True, eq=False)
class WadingRecord:
    """A wader's way: every field of `WadingMoment` with time in front, and the poses.

    Args:
        step: Length of a tick [s].
        rows: Generalized positions, the first before the first tick, shape (N + 1, nq).
    """

    step: float
    time: Array
    clip_time: Array
    position: Array
    velocity: Array
    intended: Array
    angles: Array
    behind: Array
    force: Array
    center: Array
    mass_center: Array
    torque: Array
    volume: Array
    feet: Array
    sunk: Array
    rows: Array

    def __len__(self) -> int:
        return len(self.time)

    @property
    def speed(self) -> Array:
        """Along the direction intended [m/s], shape (N,)."""
        wanted = np.linalg.norm(self.intended, axis=1)
        return np.asarray(np.sum(self.velocity * self.intended, axis=1) / np.maximum(wanted, 1e-9))

    @property
    def remaining(self) -> float:
        """Share of the intended speed that is left, over the second half of the time (the first settles)."""
        half = slice(len(self) // 2, None)
        wanted = np.linalg.norm(self.intended[half], axis=1)
        return float(self.speed[half].sum() / max(wanted.sum(), 1e-9))


def recorded(step: float, moments: Sequence[WadingMoment], rows: Sequence[Array]) -> WadingRecord:
    """Moments and poses as arrays."""
    columns = {name: np.array([getattr(moment, name) for moment in moments]) for name in WadingMoment._fields}
    return WadingRecord(step=step, rows=np.array(rows), **columns)
