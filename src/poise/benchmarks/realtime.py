"""How fast scenes play against real time, headless, on one core (nothing in a session runs in parallel)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from time import perf_counter

import numpy as np

from poise.benchmarks.result import Result, at_least, noted
from poise.benchmarks.wading import wading_session
from poise.runtime.session import Session
from poise.scenes import named_scene

__all__ = ["real_time", "real_time_factor"]

_DEMO = "forest"


def _named_session(name: str) -> Session:
    return named_scene(name).session()


_RESPONSIVE: Mapping[str, Callable[[], Session]] = {
    **{name: partial(_named_session, name) for name in ("forest", "jog", "rough")},
    "70 plants": wading_session,
}
"""Scenes of responsive clips, the worst of which has a limit."""
_STAGED = ("garden", "conductor", "rough_physical", "blocks")
"""Scenes with behaviors, some at steps of 1 ms, played once and noted."""


def real_time_factor(session: Session, repetitions: int) -> float:
    """Simulated time over the time a whole run takes, recording and result included; the median of repetitions."""
    start, times = session.save(), []
    for _ in range(repetitions):
        session.restore(start)
        begin = perf_counter()
        session.run()
        for character in session.characters:
            session.result(character)
        times.append(perf_counter() - begin)
    return session.tick_count * session.clock.tick / float(np.median(times))


def real_time(repetitions: int) -> list[Result]:
    """Responsive clips against real time, the worst, and the demo; then what behaviors make of it."""
    factors = {name: real_time_factor(make(), repetitions) for name, make in _RESPONSIVE.items()}
    worst = min(factors, key=lambda name: factors[name])
    others = {name: factor for name, factor in factors.items() if name != _DEMO}
    others |= {name: real_time_factor(_named_session(name), 1) for name in _STAGED}
    return [
        at_least(f"real time, the demo ({_DEMO})", factors[_DEMO], "×", 30.0),
        at_least(f"real time, the worst responsive scene ({worst})", factors[worst], "×", 20.0),
        *(noted(f"real time, {name}", factor, "×") for name, factor in others.items()),
    ]
