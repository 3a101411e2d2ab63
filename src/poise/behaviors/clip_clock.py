"""The time of a character's clip, which behaviors may let run slower than the session's."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["ClipClock", "ClipTime"]

Array = NDArray[np.float64]


class ClipTime(NamedTuple):
    """What a clip's clock remembers from tick to tick: see `ClipClock`, and how many ticks it counted."""

    pace: float
    reached: float
    lag: float
    ticks: int


class ClipClock:
    """Keeps the time of one clip; while its pace is 1 it is the session's, to the bit.

    Args:
        tick: Length of a tick [s].

    Attributes:
        pace: How fast the clip's time runs, 1 as the clip has it, 0 standing still. What is asked for is reached
            evenly over the next tick.
        lag: How far the clip's time is behind the session's at the end of the tick [s].
        lags: The same for every tick so far.
    """

    def __init__(self, tick: float) -> None:
        self.pace, self.lag = 1.0, 0.0
        self._asked = False
        self.lags: list[float] = []
        self._tick, self._begin = tick, 0.0
        self._before, self._after, self._behind = 1.0, 1.0, 0.0

    def begin(self, end: float) -> None:
        """Begin a tick that ends at `end` [s]."""
        self._begin, self._behind, self._asked = end - self._tick, self.lag, False
        self._before, self._after = self._after, self.pace
        self.lag += self._tick * (1.0 - 0.5 * (self._before + self._after))
        self.lags.append(self.lag)

    def ask(self, pace: float) -> None:
        """Let time run at a pace from the end of this tick on; the slowest that is asked for in a tick counts."""
        self.pace = min(self.pace, pace) if self._asked else pace
        self._asked = True

    def at(self, times: ArrayLike) -> Array:
        """The clip's time at `times` of this tick [s]."""
        times = np.asarray(times, dtype=np.float64)
        if self._before == self._after == 1.0 and self._behind == 0.0:
            return times
        since, change = times - self._begin, self._after - self._before
        return np.asarray(times - (self._behind + (1.0 - self._before) * since - 0.5 * change / self._tick * since**2))

    def now(self, time: float) -> float:
        """The clip's time at one time of this tick [s]: `at`, without what an array costs."""
        if self._before == self._after == 1.0 and self._behind == 0.0:
            return time
        since, change = time - self._begin, self._after - self._before
        return time - (self._behind + (1.0 - self._before) * since - 0.5 * change / self._tick * since**2)

    def rates(self, time: float) -> tuple[float, float]:
        """Pace at a time of this tick, and how fast it changes [1/s]."""
        change = (self._after - self._before) / self._tick
        return self._before + change * (time - self._begin), change

    def save(self) -> ClipTime:
        """See `ClipTime`."""
        return ClipTime(self.pace, self._after, self.lag, len(self.lags))

    def restore(self, saved: ClipTime) -> None:
        """Go back to what `save` gave."""
        self.pace, self._after, self.lag = saved.pace, saved.reached, saved.lag
        del self.lags[saved.ticks :]
