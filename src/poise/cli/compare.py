"""`poise compare`: two motions side by side, in numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from poise.cli import options
from poise.cli.terminal import console, print_json, say
from poise.io import read_character
from poise.report.versus import compare_clips

__all__ = ["compare"]


def compare(
    first: Annotated[Path, typer.Argument(help="A clip.")],
    second: Annotated[Path, typer.Argument(help="Another clip.")],
    roles: options.RoleMap = None,
    json: options.Json = False,
) -> None:
    """Compare two motions: every quality number of both and their difference."""
    overrides = options.role_overrides(roles)
    a, b = read_character(first), read_character(second)
    report = compare_clips(a.clip, b.clip, overrides)
    if json:
        print_json({"first": str(first), "second": str(second), **report})
        return
    say(f"[bold]{escape(str(first))}[/] and [bold]{escape(str(second))}[/]")
    table = Table(box=None, pad_edge=False)
    for title, justify in (("", "left"), ("first", "right"), ("second", "right"), ("difference", "right")):
        table.add_column(title, justify=justify)  # type: ignore[arg-type]
    for name, entry in _leaves(report):
        table.add_row(name, *(_shown(entry[key]) for key in ("before", "after", "difference")))
    console.print(table)
    for name, value in report.get("tracking", {}).items():
        if value is not None:
            say(f"  {name.replace('_', ' ')}: {value:.4g}")
    for path, reason in report.get("reasons", {}).items():
        if path.startswith("tracking"):
            say(f"  [dim]no tracking error: {escape(str(reason))}[/]")
            break


def _leaves(report: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every number that both motions have, with its dotted path."""
    for key, value in report.items():
        if not isinstance(value, Mapping) or key in ("reasons", "tracking"):
            continue
        path = f"{prefix}{key}"
        if set(value) == {"before", "after", "difference"}:
            yield path.replace("_", " "), value
        else:
            yield from _leaves(value, f"{path}.")


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.4g}"
