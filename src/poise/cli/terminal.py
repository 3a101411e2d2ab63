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

__all__ = ["complain", "console", "print_json", "progress_bar", "say"]

console = Console(highlight=False, soft_wrap=True)
_errors = Console(stderr=True, highlight=False, soft_wrap=True)


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

        def advance(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield advance
