"""Kernels are compiled or loaded before a run is timed: numba does so when one is first called, once per machine.

What a run needs depends on its scene, so the scene itself is tried; nothing is compiled for a scene that does not call it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any, NamedTuple

from numba.core import event

from poise.errors import RunError
from poise.runtime.session import Session

__all__ = ["CompileWatch", "TimedRun", "timed_run", "watch_compilation"]

_LOADED_AFTER = 2
"""Ticks after which what is needed at every tick was called."""


class CompileWatch(event.Listener):  # type: ignore[misc]
    """Counts what is compiled and how long that takes.

    Args:
        notify: Called with the number of kernels begun so far whenever one is to be compiled.
        done: Called when none is any more.
    """

    def __init__(self, notify: Callable[[int], None] | None = None, done: Callable[[], None] | None = None) -> None:
        self.seconds = 0.0
        self.count = 0
        self._notify, self._done = notify, done
        self._depth = 0
        self._begun = 0.0

    def on_start(self, event: Any) -> None:
        """A kernel is about to be compiled, perhaps for another one."""
        self.count += 1
        if self._depth == 0:
            self._begun = perf_counter()
        self._depth += 1
        if self._notify is not None:
            self._notify(self.count)

    def on_end(self, event: Any) -> None:
        """It was compiled."""
        self._depth -= 1
        if self._depth == 0:
            self.seconds += perf_counter() - self._begun
            if self._done is not None:
                self._done()


@contextmanager
def watch_compilation(
    notify: Callable[[int], None] | None = None, done: Callable[[], None] | None = None
) -> Iterator[CompileWatch]:
    """Watch what is compiled within; see `CompileWatch`."""
    watch = CompileWatch(notify, done)
    event.register("numba:compile", watch)
    try:
        yield watch
    finally:
        event.unregister("numba:compile", watch)


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
