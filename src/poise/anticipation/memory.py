"""What lies in the frustum of a character's sight, and what it remembers for a moment."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import _seeing
from poise.anticipation.sight import Sight
from poise.anticipation.threats import Threats

__all__ = ["Memory", "in_view"]

Array = NDArray[np.float64]


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
    """When each of `count` obstacles was last seen, first threatened and began to count, and which ever were."""

    def __init__(self, count: int) -> None:
        self.last: Array = np.full(count, -np.inf)
        self.since: Array = np.full(count, -np.inf)
        self.begun: Array = np.full(count, np.inf)
        self._minded, self._noticed = np.zeros(count, dtype=bool), np.zeros(count, dtype=np.int64)

    def note(
        self,
        time: float,
        which: NDArray[np.int64],
        seen: NDArray[np.bool_],
        sight: Sight,
        threats: Threats,
        taken: NDArray[np.bool_],
    ) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
        """Note what is seen at `time` [s].

        Args:
            time: Now [s].
            which: What is looked for, in order, shape (n,).
            seen: Whether it is seen, shape (n,).
            sight: How long it is remembered, and how long it takes to take in that it threatens.
            threats: Of all obstacles; what is not minded yet, or no longer, or too early, or not for long is no threat:
                written.
            taken: Whether a hand is about it already, shape (P,).

        Returns:
            What is minded, shape (P,), and what is seen for the first time; overwritten by the next call.
        """
        spans, memory = (sight.memory, sight.latency), (self.last, self.since, self.begun, self._minded, taken)
        new = _seeing.remember(
            time, which, seen, spans, (threats.urgency, threats.early, threats.counts), memory, self._noticed
        )
        return self._minded, self._noticed[:new]
