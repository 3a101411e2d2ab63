"""What the command line says: results to standard output, everything else to standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.status import Status

from poise.runtime.warm import CompileWatch, watch_compilation

__all__ = ["compiling", "complain", "console", "print_json", "progress_bar", "say"]

console = Console(highlight=False, soft_wrap=True)
_errors = Console(stderr=True, highlight=False, soft_wrap=True)
_bars: list[str] = []
"""Progress bars on the screen; there is room for one live line."""


def say(text: str, *, quiet: bool = False) -> None:
    """Print a line for people; rich markup is honoured."""
    if not quiet:
        console.print(text)


def complain(text: str) -> None:
    """One line to standard error."""
    _errors.print(f"[bold red]error:[/] {escape(' '.join(text.split()))}")


def print_json(value: Any) -> None:
    """Machine-readable output."""
    typer.echo(json.dumps(value, indent=1, allow_nan=False))


@contextmanager
def progress_bar(label: str, *, quiet: bool) -> Iterator[Callable[[int, int], None] | None]:
    """A progress callback on a terminal, None elsewhere."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=_errors, transient=True) as bar:
        task = bar.add_task(label, total=None)
        _bars.append(label)

        def advance(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        try:
            yield advance
        finally:
            _bars.remove(label)


@contextmanager
def compiling(*, quiet: bool) -> Iterator[CompileWatch]:
    """Say that kernels are compiled while they are, and at the end how long it took, if it took long enough to wonder."""
    status: Status | None = None

    def notify(count: int) -> None:
        nonlocal status
        line = f"compiling for the first run of this kind on this machine: {count} kernels"
        if status is None and not quiet and sys.stderr.isatty() and not _bars:
            status = Status(line, console=_errors)
            status.start()
        elif status is not None:
            status.update(line)

    def done() -> None:
        nonlocal status
        if status is not None:
            status.stop()
            status = None

    with watch_compilation(notify, done) as watch:
        yield watch
    if watch.seconds > 1.0:
        say(
            f"[dim]compiled {watch.count} kernels in {watch.seconds:.1f} s; this happens once per machine[/]",
            quiet=quiet,
        )
