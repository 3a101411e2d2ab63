"""Markers of a capture over time: points with names, seen or not. No skeleton is made of them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError

__all__ = ["Markers"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Markers:
    """Labelled points in motion, in Poise's frame (z up, metres, seconds).

    Args:
        names: One per marker, each once.
        rate: Frames per second [Hz].
        positions: Where each marker is [m], shape (T, M, 3); nan where it was not seen.
        path: The file they came from.
        metres_per_unit: Length of that file's unit [m].
        unit_reason: Why that is taken.
        up_axis: Which of the file's axes points up.
        up_reason: Why.
        notes: What was odd, one line each.

    Raises:
        InputError: Shapes disagree, names repeat or the rate is not positive.
    """

    names: tuple[str, ...]
    rate: float
    positions: Array
    path: str = ""
    metres_per_unit: float = 1.0
    unit_reason: str = ""
    up_axis: str = "z"
    up_reason: str = ""
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        positions = np.array(self.positions, dtype=np.float64)
        if positions.ndim != 3 or positions.shape[1:] != (len(self.names), 3) or not len(positions):
            raise InputError(
                f"markers need positions of shape (frames >= 1, {len(self.names)}, 3); got {positions.shape}"
            )
        if len(set(self.names)) != len(self.names):
            raise InputError("names of markers must be unique")
        if not (np.isfinite(self.rate) and self.rate > 0.0):
            raise InputError(f"the rate of markers must be positive; got {self.rate}")
        positions[~np.isfinite(positions).all(axis=2)] = np.nan
        positions.setflags(write=False)
        object.__setattr__(self, "positions", positions)

    def __len__(self) -> int:
        return len(self.positions)

    def __repr__(self) -> str:
        return f"<Markers: {len(self.names)} at {self.rate:g} Hz, {len(self)} frames>"

    @property
    def duration(self) -> float:
        """Time from the first to the last frame [s]."""
        return (len(self) - 1) / self.rate

    @property
    def seen(self) -> NDArray[np.bool_]:
        """Whether each marker was seen, shape (T, M)."""
        return ~np.isnan(self.positions[..., 0])

    def at(self, times: Array) -> Array:
        """Where the markers are at `times` [s] (n,), between two frames, shape (n, M, 3).

        Nan where a marker was not seen in both of these frames, and more than half a frame before the first or after the last.
        """
        places = np.asarray(times, dtype=np.float64) * self.rate
        # Times come from sums of steps: what lies on a frame up to rounding is that frame, whatever its neighbors miss.
        whole = np.round(places)
        places = np.where(np.abs(places - whole) < 1e-6, whole, places)
        first = np.clip(np.floor(places), 0, len(self) - 1).astype(np.int64)
        second = np.clip(np.ceil(places), 0, len(self) - 1).astype(np.int64)
        share = np.where(second > first, places - first, 0.0)[:, None, None]
        between = self.positions[first] + share * (self.positions[second] - self.positions[first])
        outside = (places < -0.5) | (places > len(self) - 0.5)
        return np.where(outside[:, None, None], np.nan, between)

    def turned(self, quarters: int) -> Markers:
        """The markers turned about the vertical through the origin by so many quarters, counter-clockwise from above."""
        cosine, sine = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[quarters % 4]
        turn = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
        return replace(self, positions=self.positions @ turn.T)
