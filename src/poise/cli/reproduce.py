"""`poise reproduce`: every check of the papers, measured."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table

from poise.cli import options
from poise.cli.terminal import console, print_json, progress_bar
from poise.reproductions import run_checks

__all__ = ["reproduce"]


def reproduce(
    paper: Annotated[str | None, typer.Argument(help="A paper, such as alvarado2022; all without one.")] = None,
    json: options.Json = False,
) -> None:
    """Measure what the papers claim; exits with 1 if a check does not hold."""
    with progress_bar("checks", quiet=json) as progress:
        rows = run_checks(paper, progress)
    if json:
        print_json([row._asdict() for row in rows])
    else:
        table = Table(box=None, pad_edge=False)
        for title in ("", "check", "claim", "paper", "measured"):
            table.add_column(title, overflow="fold", no_wrap=title == "check")
        for row in rows:
            mark = "[green]✓[/]" if row.holds else "[red]✗[/]"
            stated = "" if row.paper is None else f"{row.paper:g}" if isinstance(row.paper, float) else str(row.paper)
            table.add_row(mark, row.id, row.claim, stated, f"{row.measured:.4g} {row.unit}")
        console.print(table)
    if not all(row.holds for row in rows):
        raise typer.Exit(1)
