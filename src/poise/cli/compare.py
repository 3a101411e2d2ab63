"""`poise compare`: two motions side by side, in numbers and on a page."""

from __future__ import annotations

import json as json_
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from poise.body.options import BodyOptions
from poise.cli import options
from poise.cli.preflight import check_writable
from poise.cli.terminal import console, escape, print_json, say, working
from poise.errors import InputError
from poise.report.words import digits, name_metric

if TYPE_CHECKING:
    from poise.motion.clip import Clip
    from poise.report.motion_comparison import Side

__all__ = ["EXAMPLES", "compare"]

EXAMPLES = """\b
Examples:
  poise compare take.bvh out/take/take.bvh                 which motion does what better
  poise compare take.bvh cleaned.bvh --out out/compared    the same as a page with a replay of both
"""


def compare(
    first: Annotated[Path, typer.Argument(parser=options.clip_file, help="A clip.")],
    second: Annotated[Path, typer.Argument(parser=options.clip_file, help="Another clip.")],
    out: Annotated[Path | None, typer.Option("--out", help="Folder for a page with a replay of both.")] = None,
    roles: options.RoleMap = None,
    unit: options.Unit = None,
    up: options.Up = None,
    animation: Annotated[
        str | None, typer.Option("--animation", help="Which animation of the first, a glTF file.")
    ] = None,
    second_animation: Annotated[
        str | None, typer.Option("--second-animation", help="Which animation of the second, a glTF file.")
    ] = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> None:
    """Compare two motions: every quality number of both and their difference; with --out as a page with a replay."""
    if out is not None:
        check_writable(out)
    # Slow to import (docs/architecture.md, decision 12).
    from poise.io import read_character

    overrides = options.role_overrides(roles)
    chosen = zip((first, second), (animation, second_animation), strict=True)
    with working(f"reading {first} and {second}", quiet=json):
        read = [read_character(path, unit=options.parse_unit(unit), up=up, animation=which) for path, which in chosen]
        for path, character in zip((first, second), read, strict=True):
            _check_body(path, character.clip, overrides)
    with working("comparing", quiet=json):
        # Slow to import (docs/architecture.md, decision 12).
        from poise.report.motion_comparison import compare_sides, make_side
        from poise.report.verdict import verdict

        names = _names(first, second)
        begins = make_side(names[0], *read[0], overrides)
        sides = [begins, make_side(names[1], *read[1], overrides, begins)]
        report = {"first": str(first), "second": str(second), **compare_sides(*sides)}
        report["verdict"] = verdict(sides[0], sides[1], report)
        files = [] if out is None else _write(out, sides[0], sides[1], report)
    if json:
        print_json({**report, "files": [str(file) for file in files]})
        return
    say(f"[bold]{escape(str(first))}[/] and [bold]{escape(str(second))}[/]")
    _tell(report)
    if files:
        say("Written:")
        for file in files:
            say(f"  {escape(str(file))}")


def _check_body(path: Path, clip: Clip, roles: Mapping[str, str | None] | None) -> None:
    """Raise `InputError` where no body can be made of a clip."""
    from poise.body.bones import measure_bones
    from poise.motion.roles import guess_roles

    own = {joint: role for joint, role in (roles or {}).items() if joint in clip.skeleton.names}
    try:
        measure_bones(clip, guess_roles(clip.skeleton, own or None), BodyOptions())
    except InputError as error:
        raise InputError(error.problem, source=path, place=error.place) from error


def _names(first: Path, second: Path) -> tuple[str, str]:
    """What to call the two: as little of their paths as tells them apart."""
    tails = [("/".join(first.parts[-n:]), "/".join(second.parts[-n:])) for n in range(1, 4)]
    for pair in ((first.stem, second.stem), *tails, (str(first), str(second))):
        if pair[0] != pair[1]:
            return pair
    return f"{first.stem} (first)", f"{second.stem} (second)"


def _write(folder: Path, first: Side, second: Side, report: Mapping[str, Any]) -> list[Path]:
    # Slow to import (docs/architecture.md, decision 12).
    from poise.io import write_bytes
    from poise.report.page import write_comparison

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made: {error.strerror or error}", source=folder) from error
    page, numbers = folder / "compare.html", folder / "compare.json"
    write_comparison(page, first, second, report)
    write_bytes(numbers, (json_.dumps(report, indent=1, allow_nan=False) + "\n").encode())
    return [page, numbers]


def _tell(report: Mapping[str, Any]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("", overflow="fold")
    for title in ("first", "second", "difference"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for path, entry in _leaves(report):
        label, unit, scale = name_metric(path)
        first, second, apart = (_shown(entry[key], scale) for key in ("before", "after", "difference"))
        table.add_row(label, first, second, apart, unit)
    console().print(table)
    for key, value in report["tracking"].items():
        if value is not None and key != "position_success":
            label, unit, scale = name_metric(f"tracking.{key}")
            say(f"  {label}: {digits(scale * value)} {unit}".rstrip())
    for path, reason in report["reasons"].items():
        if path.startswith("tracking"):
            say(f"  [dim]no tracking error: {escape(str(reason))}[/]")
            break
    same, alone = len(report["joints"]), [len(names) for names in report["unmatched"].values()]
    others = f"; the first has {alone[0]} more, the second {alone[1]}" if any(alone) else ""
    say(f"  [dim]{same} joints have the same name in both{others}[/]")
    for line in report["verdict"]:
        say(f"[bold]{escape(line)}[/]")


def _leaves(report: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every number that both motions have, with its dotted path."""
    for key, value in report.items():
        if not isinstance(value, Mapping) or key in ("reasons", "tracking", "joints", "unmatched"):
            continue
        path = f"{prefix}{key}"
        if set(value) == {"before", "after", "difference"}:
            yield path, value
        else:
            yield from _leaves(value, f"{path}.")


def _shown(value: float | None, scale: float) -> str:
    return "–" if value is None else digits(scale * value)
