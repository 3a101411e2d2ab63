"""When balls are thrown at whoever moves in surroundings made for a clip."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["FIRST", "FLIGHT", "ball_times_in_a_ring", "ball_times_on_the_way", "fewest_balls"]

FIRST, FLIGHT = 1.0, 0.5
"""When something may happen at the earliest, and how long a ball flies [s]."""
_EVERY, _IN_RING_EVERY = 8.0, 4.0
"""How often a ball is thrown at somebody who walks, and at somebody who stays [s]."""
_MOST = 40
"""Over a long clip they come less often: each is there from the beginning, and the whole recording has a place for it."""


def ball_times_on_the_way(duration: float) -> list[float]:
    """When somebody who walks for so long [s] is hit [s]."""
    count = max(1, int(duration / _EVERY))
    return _thinned([(number + 0.62) * duration / count for number in range(count)], duration)


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
