"""What a character sees: a frustum from the head along the gaze, and what it remembers for a moment."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import _seeing
from poise.anticipation.threats import Threats
from poise.errors import InputError

__all__ = ["Memory", "Sight", "in_view"]

Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Sight:
    """The visibility region of Alvarado 2022, section 5.1.

    The defaults are a person's field of view: about 200 degrees wide, 60 up and 75 down.

    Raises:
        InputError: An angle, the range or the memory is out of range.
    """

    sideways: float = float(np.radians(95.0))
    """Half angle to either side [rad]."""
    up: float = float(np.radians(60.0))
    """[rad]."""
    down: float = float(np.radians(75.0))
    """[rad]."""
    reach: float = 8.0
    """How far is seen [m]."""
    memory: float = 0.8
    """How long something is still minded after it was seen [s]."""
    latency: float = 0.2
    """How long a person takes from seeing that something threatens to the first movement [s]; 0.10 to 0.15 when alert."""
    occlusion: bool = True
    """Whether obstacles hide what is behind them."""

    def __post_init__(self) -> None:
        ranges = {"sideways": np.pi, "up": np.pi / 2, "down": np.pi / 2, "reach": 1e4, "memory": 1e4, "latency": 1.0}
        for name, highest in ranges.items():
            if not 0.0 <= getattr(self, name) <= highest:
                raise InputError(f"sight: {name} must lie between 0 and {highest:.4g}; got {getattr(self, name)}")

    @property
    def limits(self) -> tuple[float, float, float, float]:
        """Sideways, up, down and reach."""
        return self.sideways, self.up, self.down, self.reach


def in_view(sight: Sight, eye: Array, axes: Array, points: Array) -> NDArray[np.bool_]:
    """Whether points lie in the frustum.

    Args:
        sight: Its shape.
        eye: [m], shape (3,).
        axes: Ahead, left and up of the gaze in the world as rows, shape (3, 3).
        points: [m], shape (n, 3).
    """
    seen = np.empty(len(points), dtype=np.bool_)
    _seeing.in_view(sight.limits, eye, axes, np.ascontiguousarray(points), seen)
    return seen


class Memory:
    """When each of `count` obstacles was last seen and first threatened, and which ever were."""

    def __init__(self, count: int) -> None:
        self.last: Array = np.full(count, -np.inf)
        self.since: Array = np.full(count, -np.inf)
        self._minded, self._noticed = np.zeros(count, dtype=bool), np.zeros(count, dtype=np.int64)

    def note(
        self, time: float, which: NDArray[np.int64], seen: NDArray[np.bool_], sight: Sight, threats: Threats
    ) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
        """Note what is seen at `time` [s].

        Args:
            time: Now [s].
            which: What is looked for, in order, shape (n,).
            seen: Whether it is seen, shape (n,).
            sight: How long it is remembered, and how long it takes to take in that it threatens.
            threats: Of all obstacles; what is not minded yet, or no longer, or too early is no threat: written.

        Returns:
            What is minded, shape (P,), and what is seen for the first time; overwritten by the next call.
        """
        spans, memory = (sight.memory, sight.latency), (self.last, self.since, self._minded)
        new = _seeing.remember(time, which, seen, spans, (threats.urgency, threats.early), memory, self._noticed)
        return self._minded, self._noticed[:new]
