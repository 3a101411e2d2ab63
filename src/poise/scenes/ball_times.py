"""When balls are thrown at whoever moves in surroundings made for a clip."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

__all__ = ["FIRST", "FLIGHT", "ball_times_in_a_ring", "ball_times_on_the_way", "fewest_balls"]

FIRST, FLIGHT = 1.0, 0.5
"""When something may happen at the earliest, and how long a ball flies [s]."""
_EVERY, _IN_RING_EVERY = 8.0, 4.0
"""How often a ball is thrown at somebody who walks, and at somebody who stays [s]."""
_LULL = 4.0
"""For so long somebody who walks may meet nothing [s]."""
_MOST = 40
"""Over a long clip they come less often: each is there from the beginning, and the whole recording has a place for it."""


def ball_times_on_the_way(duration: float, met: Sequence[float] = ()) -> list[float]:
    """When somebody who walks for so long is hit: now and then, and where nothing else is met for a while.

    Args:
        duration: How long [s].
        met: When arms meet something else [s].
    """
    count = max(1, int(duration / _EVERY))
    usual = [max((number + 0.62) * duration / count, FIRST + FLIGHT) for number in range(count)]
    seen = sorted(time for time in (0.0, *usual, *met, duration) if time <= duration)
    for before, after in pairwise(seen):
        more = int((after - before) / _LULL)
        usual += [before + number * (after - before) / (more + 1) for number in range(1, more + 1)]
    return _thinned(sorted(usual), duration)


def ball_times_in_a_ring(duration: float) -> list[float]:
    """When somebody who stays for so long [s] is hit [s]."""
    first = FIRST + FLIGHT + 0.2
    count = max(0, -int((first - duration) // _IN_RING_EVERY))
    return _thinned([first + number * _IN_RING_EVERY for number in range(count)], duration)


def fewest_balls(duration: float) -> int:
    """How many there are at least, wherever somebody goes."""
    return min(len(ball_times_on_the_way(duration)), len(ball_times_in_a_ring(duration)))


def _thinned(times: Sequence[float], duration: float) -> list[float]:
    """None before one has seen who moves."""
    late = [time for time in times if FIRST + FLIGHT <= time <= duration - 0.2]
    return late[:: max(1, -(-len(late) // _MOST))]
