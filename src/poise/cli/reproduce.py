"""`poise reproduce`: every check of the papers, measured, and the pictures of their experiments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Annotated

import typer
from rich.markup import escape

from poise.cli import options
from poise.cli.terminal import console, print_json, progress_bar, say
from poise.reproductions import Row, draw_pictures, run_checks

__all__ = ["reproduce", "told"]

_WIDEST = 110
"""Claims are wrapped at the terminal's width, and at this on wider ones."""


def reproduce(
    paper: Annotated[str | None, typer.Argument(help="A paper, such as alvarado2022; all without one.")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder for pictures of the experiments; none are drawn without it.")
    ] = None,
    json: options.Json = False,
) -> None:
    """Measure what the papers claim; exits with 1 if a check does not hold."""
    with progress_bar("checks", quiet=json) as progress:
        rows = run_checks(paper, progress)
    if json:
        print_json([row._asdict() for row in rows])
    else:
        for line in told(rows, min(console.width, _WIDEST)):
            console.print(line)
    if out is not None:
        with progress_bar("pictures", quiet=json) as progress:
            files = draw_pictures(out, paper, progress)
        for file in files:
            say(f"wrote {escape(str(file))}", quiet=json)
    if not all(row.holds for row in rows):
        raise typer.Exit(1)


def told(rows: Sequence[Row], width: int) -> Iterator[str]:
    """Lines for people: each check with its number, and below it what is claimed, wrapped at `width`."""
    names = [row.id.partition("/") for row in rows]
    longest = max((len(name) for _, _, name in names), default=0)
    paper = ""
    for row, (of, _, name) in zip(rows, names, strict=True):
        if of != paper:
            yield f"[bold]{escape(of)}[/]" if not paper else f"\n[bold]{escape(of)}[/]"
            paper = of
        mark = "[green]✓[/]" if row.holds else "[red]✗[/]"
        stated = f"{row.paper:g}" if isinstance(row.paper, float) else row.paper
        said = f"   paper: {stated} {row.unit}".rstrip() if stated else ""
        yield f"{mark} {name:{longest}}  {row.measured:.4g} {escape(row.unit + said)}".rstrip()
        for line in wrap(row.claim, width - 4):
            yield f"    [dim]{escape(line)}[/]"
    held = sum(row.holds for row in rows)
    yield f"\n{held} of {len(rows)} hold"
