"""What the command line says: results to standard output, everything else to standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from functools import cache
from typing import TYPE_CHECKING, Any

import typer

from poise.errors import visible

if TYPE_CHECKING:
    from rich.console import Console

    from poise.math.compile_watch import CompileWatch

__all__ = [
    "Level",
    "compiling",
    "complain",
    "console",
    "escape",
    "is_verbose",
    "muted",
    "print_json",
    "progress_bar",
    "say",
    "set_level",
    "working",
]


class Level(IntEnum):
    """How much is said."""

    QUIET = 0
    """Errors alone."""
    NORMAL = 1
    """Results."""
    VERBOSE = 2
    """Results with everything there is to say about them."""


class _State:
    """How much is said now, and what is on the screen: there is room for one live line."""

    level = Level.NORMAL
    muted = False
    live: Callable[[str | None], None] | None = None
    """Changes what the live line says; None for its own words."""


def _console(*, errors: bool = False) -> Console:
    # Slow to import (docs/architecture.md, decision 12).
    from rich.console import Console

    return Console(stderr=errors, highlight=False, soft_wrap=True)


@cache
def _results() -> Console:
    return _console()


@cache
def _errors() -> Console:
    return _console(errors=True)


def console() -> Console:
    """Where results go; quiet while nothing but errors is to be said."""
    results = _results()
    results.quiet = _State.muted or _State.level == Level.QUIET
    return results


def set_level(level: Level) -> None:
    """Say so much from now on."""
    _State.level = level


def is_verbose() -> bool:
    """Whether everything is to be said."""
    return _State.level == Level.VERBOSE


@contextmanager
def muted() -> Iterator[None]:
    """Say nothing but errors and progress within."""
    before, _State.muted = _State.muted, True
    try:
        yield
    finally:
        _State.muted = before


def escape(text: str) -> str:
    """The text without anything that is markup to rich, or does something to a terminal."""
    # Slow to import (docs/architecture.md, decision 12).
    from rich.markup import escape

    return escape(visible(text))


def say(text: str, *, quiet: bool = False) -> None:
    """Print a line for people; rich markup is honoured."""
    if not quiet:
        console().print(text)


def complain(text: str) -> None:
    """One line to standard error."""
    line = visible(" ".join(text.split()))
    if sys.stderr.isatty():
        _errors().print(f"[bold red]error:[/] {escape(line)}")
    else:
        sys.stderr.write(f"error: {line}\n")


def print_json(value: Any) -> None:
    """Machine-readable output."""
    typer.echo(json.dumps(value, indent=1, allow_nan=False))


def _silent(quiet: bool) -> bool:
    return quiet or _State.level == Level.QUIET or not sys.stderr.isatty()


@contextmanager
def progress_bar(label: str, *, quiet: bool) -> Iterator[Callable[[int, int], None] | None]:
    """A progress callback on a terminal, None elsewhere."""
    if _silent(quiet):
        yield None
        return
    # Slow to import (docs/architecture.md, decision 12).
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=_errors(), transient=True) as bar:
        label = escape(label)
        task = bar.add_task(label, total=None)

        def advance(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        with _alive(lambda text: bar.update(task, description=escape(text) if text else label)):
            yield advance


@contextmanager
def working(doing: str, *, quiet: bool) -> Iterator[None]:
    """Say on a terminal what is being done while it is, where nobody can say how far it is."""
    if _silent(quiet) or _State.live is not None:
        yield
        return
    # Slow to import (docs/architecture.md, decision 12).
    from rich.status import Status

    with Status(escape(doing), console=_errors()) as status, _alive(lambda text: status.update(text or escape(doing))):
        yield


@contextmanager
def _alive(change: Callable[[str | None], None]) -> Iterator[None]:
    before, _State.live = _State.live, change
    try:
        yield
    finally:
        _State.live = before


@contextmanager
def compiling(*, quiet: bool) -> Iterator[CompileWatch]:
    """Say that kernels are compiled while they are, and at the end how long it took, if it took long enough to wonder."""
    # Slow to import (docs/architecture.md, decision 12).
    from poise.math.compile_watch import watch_compilation

    def notify(count: int) -> None:
        if _State.live is not None:
            _State.live(f"compiling for the first run of this kind on this machine: {count} kernels")

    def done() -> None:
        if _State.live is not None:
            _State.live(None)

    with watch_compilation(notify, done) as watch:
        yield watch
    if watch.seconds > 1.0:
        say(
            f"[dim]compiled {watch.count} kernels in {watch.seconds:.1f} s; this happens once per machine[/]",
            quiet=quiet,
        )
