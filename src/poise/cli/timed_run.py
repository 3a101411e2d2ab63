"""Runs that are timed: kernels are compiled or loaded before the clock starts.

What a run needs depends on its scene, so the scene itself is tried; nothing is compiled for a scene that does not call it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from time import perf_counter
from typing import NamedTuple

from poise.errors import RunError
from poise.math.compile_watch import watch_compilation
from poise.runtime.session import Session

__all__ = ["TimedRun", "timed_run"]

_LOADED_AFTER = 2
"""Ticks after which what is needed at every tick was called."""


class TimedRun(NamedTuple):
    """How a run went.

    Args:
        seconds: How long it took, without compilation.
        failure: What broke it off, if something did.
        interrupted: Whether that was the user.
    """

    seconds: float
    failure: str = ""
    interrupted: bool = False


def timed_run(session: Session, progress: Callable[[int, int], None] | None = None) -> TimedRun:
    """Play a session to its end; what it calls is compiled and loaded before the clock starts.

    The first ticks are played and taken back; who interrupts those, which may take long, ends the program. Where something that
    they did not call had to be compiled later, which happens once per machine, the whole run was a rehearsal: it is taken back
    and played again, which gives the same bits.

    Args:
        session: At its beginning, or wherever it is to go on from.
        progress: Called with ticks done and ticks in all, now and then.
    """
    start = session.save()
    with suppress(RunError):  # which comes again when the clock runs, and is told then
        session.run(min(_LOADED_AFTER, max(session.tick_count - session.count, 0)))
    session.restore(start)
    for rehearsed in (False, True):
        begun = perf_counter()
        with watch_compilation() as watch:
            ended = _play(session, progress)
        elapsed = perf_counter() - begun - watch.seconds
        if rehearsed or ended.failure or not watch.count:
            break
        session.restore(start)
    return ended._replace(seconds=elapsed)


def _play(session: Session, progress: Callable[[int, int], None] | None) -> TimedRun:
    """Play to the end, not timed."""
    try:
        session.run(None, progress)
    except RunError as error:
        return TimedRun(0.0, str(error))
    except KeyboardInterrupt:
        return TimedRun(0.0, f"interrupted at {session.count * session.clock.tick:.2f} s", interrupted=True)
    return TimedRun(0.0)
