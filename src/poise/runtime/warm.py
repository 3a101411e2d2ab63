"""Kernels are compiled or loaded before a run is timed: numba does so when one is first called, once per machine.

What a run needs depends on its scene, so the scene itself is rehearsed. Nothing is compiled for a scene that does not call it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

from numba.core import event

from poise.errors import RunError
from poise.runtime.session import Session

__all__ = ["CompileWatch", "warm_up", "watch_compilation"]

_LOADED_AFTER = 2
"""Ticks after which what is needed at every tick was called."""
_REHEARSED = 3600
"""Ticks rehearsed at most [1]; a minute of motion meets what there is to meet."""


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


def warm_up(session: Session) -> None:
    """Have everything compiled and loaded that the session will call, and leave the session where it was.

    The first ticks are played and taken back. Where something had to be compiled for them, it is the first time here, and the
    rest is rehearsed too: what only a hit or a step calls is then compiled as well.
    """
    start = session.save()
    with watch_compilation() as watch:
        try:
            session.run(min(_LOADED_AFTER, session.tick_count - session.count))
            if watch.count:
                session.run(max(min(_REHEARSED, session.tick_count - session.count), 0))
        except RunError:
            pass  # It will be told when it happens in earnest.
    session.restore(start)
