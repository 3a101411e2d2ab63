"""When balls are thrown at whoever moves in surroundings made for a clip."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

__all__ = ["FIRST", "FLIGHT", "ball_times_in_a_ring", "ball_times_on_the_way", "fewest_balls"]

FIRST, FLIGHT = 1.0, 0.5
"""When something may happen at the earliest, and how long a ball flies [s]."""
_EVERY, _LONGEST_ALONE = 8.0, 4.0
"""How often a ball is thrown at somebody who walks, and how long nothing comes at most but in very long clips [s]."""
_MOST = 40
"""Over a long clip they come less often: each is there from the beginning, and the whole recording has a place for it."""


def ball_times_on_the_way(duration: float, passed: Sequence[float] = ()) -> list[float]:
    """When somebody who walks for so long [s] is hit [s]: now and then, and wherever else nothing would come for long.

    Args:
        duration: Of the clip [s].
        passed: When what stands along the way is passed [s]. Who turns back on the way, or stays for a while, passes little.
    """
    times = _now_and_then(duration)
    for before, after in pairwise(sorted([FIRST, *passed, *times, duration])):
        more = int((after - before) // _LONGEST_ALONE)
        times += [before + (number + 1) * (after - before) / (more + 1) for number in range(more)]
    return _thinned(sorted(times), duration)


def ball_times_in_a_ring(duration: float) -> list[float]:
    """When somebody who stays for so long [s] is hit [s]."""
    first = FIRST + FLIGHT + 0.2
    count = max(0, -int((first - duration) // _LONGEST_ALONE))
    return _thinned([first + number * _LONGEST_ALONE for number in range(count)], duration)


def fewest_balls(duration: float) -> int:
    """How many there are at least, wherever somebody goes."""
    return min(len(_thinned(_now_and_then(duration), duration)), len(ball_times_in_a_ring(duration)))


def _now_and_then(duration: float) -> list[float]:
    """When somebody who walks is hit, whatever else comes [s]."""
    count = max(1, int(duration / _EVERY))
    return [(number + 0.62) * duration / count for number in range(count)]


def _thinned(times: Sequence[float], duration: float) -> list[float]:
    """None before one has seen who moves."""
    late = [time for time in times if FIRST + FLIGHT <= time <= duration - 0.2]
    return late[:: max(1, -(-len(late) // _MOST))]
