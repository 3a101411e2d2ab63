"""`poise reproduce`: every check of the papers, measured, and the pictures of their experiments."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Annotated, Any

import typer

from poise.cli import options
from poise.cli.terminal import console, escape, print_json, progress_bar, say
from poise.reproductions.papers import check_paper
from poise.reproductions.row import Row

__all__ = ["reproduce", "table_lines"]

_FOLDER = Path("out/reproduce")
_WIDEST = 110
"""Claims are wrapped at the terminal's width, and at this on wider ones."""


def reproduce(
    paper: Annotated[
        str | None, typer.Argument(help="A paper, such as alvarado2022, or motion (quality); all without one.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder for pictures of the experiments; none are drawn without it.")
    ] = None,
    ablate: Annotated[
        bool, typer.Option("--ablate", help="Measure each row again with the method it credits switched off.")
    ] = False,
    html: Annotated[
        bool,
        typer.Option("--html", help="Draw into out/reproduce where no --out is given; with motion a page of all runs."),
    ] = False,
    quick: Annotated[bool, typer.Option("--quick", help="A sample: shipped clips and 20 seeds.")] = False,
    jobs: Annotated[
        int, typer.Option("--jobs", min=1, help="So many processes at a time; each measures an experiment and ends.")
    ] = 1,
    json: options.Json = False,
) -> None:
    """Measure what the papers claim; exits with 1 if a row fails that is not open, or survives without its method."""
    check_paper(paper)
    # Slow to import (docs/architecture.md, decision 12).
    from poise.reproductions import draw_pictures, run_checks

    with progress_bar("checks", quiet=json) as progress:
        rows = run_checks(paper, progress, ablate=ablate, quick=quick, jobs=jobs)
    if json:
        print_json([{key: _finite(value) for key, value in row._asdict().items()} for row in rows])
    else:
        for line in table_lines(rows, min(console().width, _WIDEST)):
            console().print(line)
    if out is None and html:
        out = _FOLDER
    if out is not None:
        with progress_bar("pictures", quiet=json) as progress:
            files = draw_pictures(out, paper, progress)
        for file in files:
            say(f"wrote {escape(str(file))}", quiet=json)
    if any(row.fault for row in rows):
        raise typer.Exit(1)


def _finite(value: Any) -> Any:
    """The value, None for a number that JSON does not know: what was never measured is as far off as can be."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def table_lines(rows: Sequence[Row], width: int) -> Iterator[str]:
    """Lines for people: each check with its number, and below it what is claimed, wrapped at `width`."""
    names = [row.id.partition("/") for row in rows]
    longest = max((len(name) for _, _, name in names), default=0)
    paper = ""
    for row, (of, _, name) in zip(rows, names, strict=True):
        if of != paper:
            yield f"[bold]{escape(of)}[/]" if not paper else f"\n[bold]{escape(of)}[/]"
            paper = of
        stated = f"{row.paper:g}" if isinstance(row.paper, float) else row.paper
        said = f"   paper: {stated} {row.unit}".rstrip() if stated else ""
        yield f"{_mark(row)} {name:{longest}}  {row.measured:.4g} {escape(row.unit + said)}".rstrip()
        for text in (row.claim, _credit(row), row.fault and f"!! {row.fault}"):
            for line in wrap(text, width - 4):
                yield f"    [dim]{escape(line)}[/]"
    yield f"\n{_totals(rows)}"


def _mark(row: Row) -> str:
    if row.fault:
        return "[red]✗[/]"
    return "[yellow]○[/]" if row.kind == "open" and not row.holds else "[green]✓[/]"


def _credit(row: Row) -> str:
    """What a row credits, on how much it stands, and what is left without it."""
    parts = [f"credits {row.method}"] if row.method and row.kind == "claim" else []
    if row.kind == "invariant":
        parts.append("invariant")
    if row.kind == "open":
        parts.append(f"open: {row.aim}")
    if row.cases:
        parts.append(f"{row.cases} held out")
    if row.off:
        parts.append(f"off: {row.off}")
    if row.fails_without is not None:
        number = "nothing" if row.without is None else f"{row.without:.4g} {row.unit}".rstrip()
        parts.append(f"then {number}, {'falls' if row.fails_without else 'survives'}")
    return "; ".join(parts)


def _totals(rows: Sequence[Row]) -> str:
    sure = [row for row in rows if row.kind != "open"]
    parts = [f"{sum(row.holds for row in sure)} of {len(sure)} hold"]
    tried = [row for row in sure if row.fails_without is not None]
    if tried:
        parts.append(f"{sum(bool(row.fails_without) for row in tried)} of {len(tried)} fall without their method")
    if len(sure) < len(rows):
        open_rows = [row for row in rows if row.kind == "open"]
        parts.append(f"{len(open_rows)} open, of which {sum(row.holds for row in open_rows)} hold by now")
    return ", ".join(parts)
