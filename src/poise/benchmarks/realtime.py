"""How fast scenes play against real time, headless, by the processor's time: nothing in a session runs in parallel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from time import process_time

import numpy as np

from poise.benchmarks.bare_step import asked, beside_bare_steps
from poise.benchmarks.result import Result, at_most, noted
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
    """Simulated time over what a whole run takes of a core, recording and result included.

    Of each tick, and of all results, the least over repetitions counts, as of bare steps: a median over seconds would measure
    what else the machine does.
    """
    start, ticks = session.save(), np.zeros((repetitions, session.tick_count))
    results = np.zeros(repetitions)
    for number, row in enumerate(ticks):
        session.restore(start)
        for tick in range(len(row)):
            begin = process_time()
            session.tick()
            row[tick] = process_time() - begin
        begin = process_time()
        for character in session.characters:
            session.result(character)
        results[number] = process_time() - begin
    return session.tick_count * session.clock.tick / float(ticks.min(axis=0).sum() + results.min())


def real_time(repetitions: int) -> list[Result]:
    """Responsive clips against real time, the worst, and the demo; then what behaviors make of it."""
    found = {name: _with_bare_steps(make(), repetitions) for name, make in _RESPONSIVE.items()}
    spent = {name: 1.0 / factor / step for name, (factor, step) in found.items()}
    worst = max(spent, key=lambda name: spent[name])
    factors = {name: factor for name, (factor, _) in found.items()}
    factors |= {name: real_time_factor(_named_session(name), 1) for name in _STAGED}
    return [
        at_most(f"a second of the demo ({_DEMO})", spent[_DEMO], "bare steps", asked(1.0 / 30.0)),
        at_most(f"a second of the worst responsive scene ({worst})", spent[worst], "bare steps", asked(1.0 / 20.0)),
        *(noted(f"real time, {name}", factor, "×") for name, factor in factors.items()),
    ]


def _with_bare_steps(session: Session, repetitions: int) -> tuple[float, float]:
    """Real-time factor, and the time of a bare step in the same seconds [s]."""
    return beside_bare_steps(lambda: real_time_factor(session, repetitions))
