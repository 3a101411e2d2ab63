"""`poise bench`: speed, as ratios measured in one run."""

from __future__ import annotations

from typing import Annotated

import typer

from poise.cli import options
from poise.cli.terminal import console, print_json

__all__ = ["bench"]


def bench(
    quick: Annotated[bool, typer.Option("--quick", help="Fewer repetitions; under 40 s.")] = False,
    json: options.Json = False,
) -> None:
    """Measure speed against the bare physics step; exits with 1 if a limit is missed."""
    # Slow to import (docs/architecture.md, decision 12).
    from rich.table import Table

    from poise.benchmarks import run_benchmarks

    results = run_benchmarks(quick=quick)
    if json:
        print_json([result._asdict() for result in results])
    else:
        table = Table(box=None, pad_edge=False)
        for title in ("", "what", "measured", "limit"):
            table.add_column(title)
        for result in results:
            mark = "[green]✓[/]" if result.holds else "[red]✗[/]"
            limit = "" if result.limit is None else f"{result.limit:.3g} {result.unit}"
            measured = "" if result.value is None else f"{result.value:.3g} {result.unit}"
            table.add_row(mark, result.name, measured, limit)
        console().print(table)
    if not all(result.holds for result in results):
        raise typer.Exit(1)
