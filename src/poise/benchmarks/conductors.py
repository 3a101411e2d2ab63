"""How many conductors play in real time: each with its own tempo, size and balance, exact coupling, 200 Hz, all cores."""

from __future__ import annotations

from functools import partial
from time import perf_counter
from typing import NamedTuple

import numpy as np

from poise.benchmarks.bare_step import asked, beside_bare_steps
from poise.benchmarks.result import Result, at_most, noted
from poise.crowd import STEP, Crowd
from poise.scenes.orchestra import orchestra

__all__ = ["conductors"]

_COUNTS = (1, 10, 30, 100, 300, 1000)
_ASKED, _FACTOR = 300, 1.3
"""How many are asked for, and at how many times real time."""
_WARM_UP = 0.5
_MEMBER_STEPS = 3000
_WINDOWS = 4


class _Cost(NamedTuple):
    """Time per step of a whole crowd [s] in its fastest window: everything, and the physics step inside."""

    whole: float
    physics: float


def _cost(crowd: Crowd, windows: int) -> _Cost:
    """The fastest of `windows` of about 30 ms.

    All cores work in step, so that whatever else the machine does on one of them holds up all: a median would measure that.
    """
    steps = max(3, _MEMBER_STEPS // len(crowd))
    whole, physics = np.zeros(windows), np.zeros(windows)
    for window in range(windows):
        begin = perf_counter()
        for _ in range(steps):
            crowd.control()
            middle = perf_counter()
            crowd.world.step()
            physics[window] += perf_counter() - middle
        whole[window] = perf_counter() - begin
    best = int(np.argmin(whole))
    return _Cost(float(whole[best]) / steps, float(physics[best]) / steps)


def conductors(repetitions: int) -> list[Result]:
    """Real-time factor at 300, the largest crowd in real time, and what a conductor costs from 1 to 1000."""
    costs, steps = {}, {}
    for count in _COUNTS:
        crowd = orchestra(count).crowd
        crowd.run(_WARM_UP)
        costs[count], steps[count] = beside_bare_steps(partial(_cost, crowd, _WINDOWS * repetitions))
    cost, name = costs[_ASKED], f"orchestra, {_ASKED} conductors at 200 Hz"
    return [
        at_most(f"{name}, a step", cost.whole / steps[_ASKED], "bare steps", asked(STEP / _FACTOR)),
        noted(f"{name}, real time", STEP / cost.whole, "×"),
        noted("orchestra, most conductors in real time", STEP / cost.whole * _ASKED, ""),
        at_most("orchestra, a step over the physics step inside it", cost.whole / cost.physics, "×", 1.1),
        *(noted(f"orchestra, {count} conductors, each", 1e6 * c.whole / count, "µs") for count, c in costs.items()),
    ]
