"""The `poise` command: what it offers, and how errors leave it."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

import poise
from poise.cli import bench, compare, convert, inspect, reproduce, run
from poise.cli.terminal import complain
from poise.errors import InputError, PoiseError

__all__ = ["app", "main"]

app = typer.Typer(
    name="poise",
    help="A motion clip, a character and a scene go in; the motion as that body would really have moved comes out.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"poise {poise.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Options that hold for every command."""


app.command("demo")(run.demo)
app.command("run")(run.run)
app.command("inspect")(inspect.inspect)
app.command("compare")(compare.compare)
app.command("convert")(convert.convert)
app.command("reproduce")(reproduce.reproduce)
app.command("bench")(bench.bench)


def main() -> None:
    """Run the command line: exit code 2 for bad input, 1 for a run that failed."""
    try:
        app(args=with_strip_count(sys.argv[1:]), prog_name="poise")
    except InputError as error:
        complain(str(error))
        sys.exit(2)
    except PoiseError as error:
        complain(str(error))
        sys.exit(1)
    except MemoryError:
        complain("memory ran out; a shorter clip, fewer characters or fewer props take less")
        sys.exit(1)


def with_strip_count(arguments: list[str]) -> list[str]:
    """Let `--strip` stand alone: put the usual number of pictures behind it where none is given."""
    result: list[str] = []
    for position, argument in enumerate(arguments):
        result.append(argument)
        following = arguments[position + 1] if position + 1 < len(arguments) else ""
        if argument == "--strip" and not following.isdigit():
            result.append(str(run.STRIP_MOMENTS))
    return result
