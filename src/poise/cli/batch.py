"""Many clips in one go: each into a folder of its own, a bad one does not stop the rest, and a summary of all."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rich.table import Table

from poise.cli.options import clip_file
from poise.cli.play import Wanted, play
from poise.cli.preflight import check_writable, free_folder
from poise.cli.request import RunRequest, scene_for
from poise.cli.terminal import complain, console, escape, muted, print_json, say, working
from poise.errors import InputError, PoiseError
from poise.io import write_bytes

__all__ = ["play_all"]

_BROKEN_OFF = "interrupted before everything was written"


class _Result(NamedTuple):
    """How one of many went: what it was, where its results are, what went wrong, and the numbers of its run.

    Args:
        what: Clip or scene, as it was asked for.
        folder: Where its results are; None where there are none.
        problem: What went wrong; empty where nothing did.
        run: Facts of the run.
        interrupted: Whether the user broke it off, or one before it.
    """

    what: str
    folder: Path | None
    problem: str
    run: dict[str, Any]
    interrupted: bool


def play_all(request: RunRequest, whats: Sequence[str], base: Path) -> int:
    """Play each clip or scene; `summary.json` in the folder of all has what became of them.

    Args:
        request: How.
        whats: Clips, scene files or names of scenes.
        base: Folder of all results.

    Returns:
        The exit code: 0 where all went well, 2 where something was bad input, 1 where a run failed or was interrupted, which
        ends all.
    """
    check_writable(base)
    results: list[_Result] = []
    for number, what in enumerate(whats, start=1):
        say(f"[dim]{number} of {len(whats)}:[/] {escape(what)}", quiet=request.json)
        results.append(_one(request, what, base, [each.folder for each in results if each.folder]))
        if results[-1].interrupted:
            break
    results += [_Result(what, None, "not played", {}, True) for what in whats[len(results) :]]
    rows = [each._asdict() | {"folder": None if each.folder is None else str(each.folder)} for each in results]
    base.mkdir(parents=True, exist_ok=True)
    write_bytes(base / "summary.json", (json.dumps(rows, indent=1, allow_nan=False) + "\n").encode())
    if request.json:
        print_json(rows)
    else:
        _tell(results, base / "summary.json")
    if any(each.problem and each.folder is None and not each.interrupted for each in results):
        return 2
    return 1 if any(each.problem for each in results) else 0


def _one(request: RunRequest, what: str, base: Path, taken: Sequence[Path]) -> _Result:
    try:
        with working(f"reading {what}", quiet=request.json):
            scene = scene_for(request, what)
        file = clip_file(what)
        folder = free_folder(base, scene.name, file if file.suffix else None, taken)
        with muted():
            wanted = Wanted(request.strip, request.video, False, request.limit)
            played = play(scene, folder, wanted)
    except PoiseError as error:
        complain(str(error) if isinstance(error, InputError) and error.source else f"{what}: {error}")
        return _Result(what, None, str(error), {}, False)
    except KeyboardInterrupt:  # While ticks are played `play` sees to it, and has results.
        complain(f"{what}: {_BROKEN_OFF}")
        return _Result(what, None, _BROKEN_OFF, {}, True)
    run = {key: value for key, value in played.metrics["run"].items() if key != "events"}
    return _Result(what, folder, played.failure, run, played.interrupted)


def _tell(results: Sequence[_Result], summary: Path) -> None:
    table = Table(box=None, pad_edge=False)
    table.add_column("", no_wrap=True)
    table.add_column("clip", overflow="fold")
    table.add_column("motion", justify="right")
    table.add_column("speed", justify="right")
    table.add_column("results", overflow="fold")
    for each in results:
        mark = "[red]✗[/]" if each.problem else "[green]✓[/]"
        length = f"{each.run['simulated_s']:.1f} s" if each.run else ""
        factor = each.run.get("real_time_factor")
        speed = f"{factor:.0f} × real time" if factor else ""
        where = each.folder or (each.problem if each.interrupted else "see the error above")
        table.add_row(mark, escape("/".join(Path(each.what).parts[-2:])), length, speed, escape(str(where)))
    console().print(table)
    good = sum(not each.problem for each in results)
    say(f"{good} of {len(results)} went well; {escape(str(summary))} has them all")
