"""What a character sees: a frustum from the head along the gaze, and what it remembers for a moment."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise import parameters
from poise.anticipation import _seeing
from poise.anticipation.threats import Threats

__all__ = ["Memory", "Sight", "in_view"]

Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Sight:
    """The visibility region of Alvarado 2022, section 5.1.

    The defaults are a person's field of view: about 200 degrees wide, 60 up and 75 down.

    Raises:
        InputError: An angle, the range or the memory is out of range.
    """

    sideways: float = parameters.angle(
        95.0, 0.0, 180.0, says="half angle to either side", source="a person's field of view", live=True
    )
    up: float = parameters.angle(60.0, 0.0, 90.0, says="how far up", source="a person's field of view", live=True)
    down: float = parameters.angle(75.0, 0.0, 90.0, says="how far down", source="a person's field of view", live=True)
    reach: float = parameters.number(8.0, 0.0, 1e4, "m", says="how far is seen", live=True)
    memory: float = parameters.number(
        0.8, 0.0, 1e4, "s", says="how long something is still minded after it was seen", live=True
    )
    latency: float = parameters.number(
        0.2,
        0.0,
        1.0,
        "s",
        says="time from seeing that something threatens to the first movement",
        source="0.10 to 0.15 s when alert",
        live=True,
    )
    occlusion: bool = parameters.switch(True, says="whether obstacles hide what is behind them", live=True)

    def __post_init__(self) -> None:
        parameters.check(self, "sight")

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
