"""`poise parameters`: what can be set, with defaults and ranges."""

from __future__ import annotations

from textwrap import wrap
from typing import Annotated

import typer

from poise.cli import options
from poise.cli.terminal import console, escape, print_json
from poise.errors import InputError

__all__ = ["EXAMPLES", "parameters"]

EXAMPLES = """\b
Examples:
  poise parameters                        everything
  poise parameters anticipation.evasion   a group; one name shows one parameter
  poise parameters tension --json         for a program
"""


def parameters(
    name: Annotated[str | None, typer.Argument(help="A section, a group or one parameter.", metavar="NAME")] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the page of the docs.")] = False,
    json: options.Json = False,
) -> None:
    """List what can be set in a scene file and in Python: default, range, and whether it may change in a running session."""
    if markdown and (name is not None or json):
        raise InputError("--markdown prints the whole page; it takes no name and no --json")
    # Slow to import (docs/architecture.md, decision 12).
    from poise.scenes import parameter_list

    if markdown:
        typer.echo(parameter_list.markdown(), nl=False)
        return
    rows = parameter_list.listed(name)
    if json:
        print_json([row._asdict() for row in rows])
        return
    for row in rows:
        value, live = parameter_list.shown_value(row), ", live" if row.live else ""
        console().print(f"[bold]{escape(row.name)}[/bold]: {escape(value)} ({escape(row.allowed)}{live})")
        for line in wrap(row.says, console().width - 5):
            console().print(f"    {escape(line)}")
