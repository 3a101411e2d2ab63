"""Runs that are timed: kernels are compiled or loaded before the clock starts.

What a run needs depends on its scene, so the scene itself is tried; nothing is compiled for a scene that does not call it.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import NamedTuple

from poise.errors import RunError
from poise.math.compile_watch import watch_compilation
from poise.runtime.session import Session

__all__ = ["TimedRun", "timed_run"]

_LOADED_AFTER = 2
"""Ticks after which what is needed at every tick was called."""


class TimedRun(NamedTuple):
    """How a run went: how long it took [s], without compilation, and what broke it off, if something did."""

    seconds: float
    failure: str


def timed_run(session: Session, progress: Callable[[int, int], None] | None = None) -> TimedRun:
    """Play a session to its end; what it calls is compiled and loaded before the clock starts.

    The first ticks are played and taken back. Where something that they did not call had to be compiled later, which happens
    once per machine, the whole run was a rehearsal: it is taken back and played again, which gives the same bits.

    Args:
        session: At its beginning, or wherever it is to go on from.
        progress: Called with ticks done and ticks in all, now and then.
    """
    start = session.save()
    _play(session, min(_LOADED_AFTER, max(session.tick_count - session.count, 0)), None)
    session.restore(start)
    for rehearsed in (False, True):
        begun = perf_counter()
        with watch_compilation() as watch:
            failure = _play(session, None, progress)
        elapsed = perf_counter() - begun - watch.seconds
        if rehearsed or failure or not watch.count:
            break
        session.restore(start)
    return TimedRun(elapsed, failure)


def _play(session: Session, ticks: int | None, progress: Callable[[int, int], None] | None) -> str:
    """Play; what broke it off, or nothing."""
    try:
        session.run(ticks, progress)
    except RunError as error:
        return str(error)
    except KeyboardInterrupt:
        return f"interrupted at {session.count * session.clock.tick:.2f} s"
    return ""
