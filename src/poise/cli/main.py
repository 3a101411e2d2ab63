"""The `poise` command: what it offers, and how errors leave it."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

import poise
from poise.cli import bench, compare, convert, inspect, parameters, reproduce, run
from poise.cli.terminal import Level, complain, set_level
from poise.errors import InputError, PoiseError, likeliest, plainly

__all__ = ["app", "main"]

app = typer.Typer(
    name="poise",
    help="A motion clip, a character and a scene go in; the motion as that body would really have moved comes out.",
    epilog=(
        "\b\nBegin with:\n  poise demo                        a walk through a forest, in out/forest/\n"
        "  poise inspect my.bvh              what is in a file\n  poise run my.bvh --strip          your own clip\n"
        "  poise COMMAND --help              examples and options of a command\n"
    ),
    no_args_is_help=True,
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


app.command(
    "demo",
    short_help="Walk through a forest; results in out/forest/.",
    epilog="\b\nExample:\n  poise demo --out /tmp/forest\n",
)(run.demo)
app.command("run", short_help="Play clips or scenes with their physics.", epilog=run.EXAMPLES)(run.run)
app.command("inspect", short_help="Show what is in a clip and what is made of it.", epilog=inspect.EXAMPLES)(
    inspect.inspect
)
app.command("compare", short_help="Say which of two motions does what better.", epilog=compare.EXAMPLES)(
    compare.compare
)
app.command("convert", short_help="Write a clip in another format or on another character.", epilog=convert.EXAMPLES)(
    convert.convert
)
app.command("parameters", short_help="List what can be set, with defaults and ranges.", epilog=parameters.EXAMPLES)(
    parameters.parameters
)
app.command(
    "reproduce",
    short_help="Measure what the papers claim.",
    epilog="\b\nExample:\n  poise reproduce alvarado2022 --out evidence\n",
)(reproduce.reproduce)
app.command(
    "bench", short_help="Measure speed against the bare physics step.", epilog="\b\nExample:\n  poise bench --quick\n"
)(bench.bench)

_USAGE: type[Exception] = typer.BadParameter.__mro__[2]
"""What typer raises for everything wrong about a command line."""


def main() -> None:
    """Run the command line: exit code 2 for bad input, 1 for a run that failed."""
    set_level(Level.NORMAL)
    arguments = with_strip_count(sys.argv[1:])
    try:
        command = typer.main.get_command(app)
        code = command.main(args=arguments, prog_name="poise", standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except InputError as error:
        complain(str(error))
        sys.exit(2)
    except PoiseError as error:
        complain(str(error))
        sys.exit(1)
    except typer.Abort:
        complain("interrupted")
        sys.exit(130)
    except _USAGE as error:
        _tell_usage(error)
        sys.exit(2)


def _tell_usage(error: Exception) -> None:
    """A wrong command line in one line, in the form of all errors."""
    if type(error).__name__ == "NoArgsIsHelpError":
        typer.echo(str(getattr(error, "message", error)))
        return
    context = getattr(error, "ctx", None)
    where = context.command_path if context is not None else "poise"
    format_message = getattr(error, "format_message", None)
    said = (format_message() if format_message else str(error)).rstrip(".").replace("\n", " ")
    said = plainly(said)
    if said.startswith("No such command"):
        name = said.split("'")[1]
        commands = [command.name or "" for command in app.registered_commands]
        said = f"there is no command {name!r}{likeliest(name, commands)}; commands: {', '.join(commands)}"
    if said.startswith("No such option: ") and context is not None:
        name = said.split(": ")[1].split(" ")[0]
        said = f"No such option: {name}{likeliest(name, _options_of(context.command))}"
    complain(f"{where}: {said[:1].lower()}{said[1:]}; {where} --help tells more")


def _options_of(command: Any) -> list[str]:
    return [name for option in command.params for name in (*option.opts, *option.secondary_opts) if name[:1] == "-"]


def with_strip_count(arguments: list[str]) -> list[str]:
    """Let `--strip` stand alone: put the usual number of pictures behind it where none is given."""
    result: list[str] = []
    for position, argument in enumerate(arguments):
        result.append(argument)
        following = arguments[position + 1] if position + 1 < len(arguments) else ""
        if argument == "--strip" and not following.isdigit():
            result.append(str(run.STRIP_MOMENTS))
    return result
