"""What numba compiles and how long that takes: it does so when a kernel is first called, once per machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

from numba.core import event

__all__ = ["CompileWatch", "watch_compilation"]


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
