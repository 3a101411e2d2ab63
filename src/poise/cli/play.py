"""Play a scene, write everything that comes out, and tell it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from poise.characters.character import Character
from poise.cli.preflight import check_writable
from poise.cli.terminal import compiling, complain, escape, is_verbose, print_json, progress_bar, say, working
from poise.cli.timed_run import timed_run
from poise.report.clip_warnings import clip_warnings, made_in_place
from poise.report.outputs import Outputs, protect_sources, remove_stale, write_outputs
from poise.report.page import write_report
from poise.report.run_summary import summarize_run
from poise.report.side_results import write_side_results
from poise.report.strip import write_strip
from poise.report.video import NoEncoder, write_video
from poise.runtime.session import Session
from poise.scenes import Scene
from poise.scenes.budget import LIMIT, check_budget, estimate
from poise.world.render import NoRenderer

__all__ = ["Played", "Wanted", "play"]

_LONG = 20.0
"""A run that takes longer says so before it begins [s]."""
_MOST, _EVERYTHING = 12, 10_000
"""Contacts and events that are told, and with --verbose."""


class Wanted(NamedTuple):
    """What is to come out beside motion, recording, metrics and report.

    Args:
        strip: Moments of a contact sheet, 0 for none.
        video: Whether to make a film.
        json: Whether everything is told as JSON.
        limit: Memory the run may take [GB].
    """

    strip: int = 0
    video: bool = False
    json: bool = False
    limit: float = LIMIT


class Played(NamedTuple):
    """What came out: the files, the numbers, and what broke the run off, if something did, or whether somebody."""

    files: tuple[Path, ...]
    metrics: dict[str, Any]
    failure: str
    interrupted: bool


def play(scene: Scene, folder: Path, wanted: Wanted) -> Played:
    """Play a scene and write its results into a folder.

    Raises:
        InputError: The folder cannot be written, a result would lie over its source, or the run would take too much.
    """
    check_writable(folder)
    protect_sources(folder, scene.name, scene.characters)
    budget = estimate(scene.characters, scene.setting, scene.substep)
    check_budget(budget, wanted.limit)
    if budget.work > _LONG:
        say(f"[dim]{escape(str(budget))}[/]", quiet=wanted.json)
    with compiling(quiet=wanted.json):
        with working(f"{scene.name}: getting ready", quiet=wanted.json):
            session = scene.session()
        with progress_bar(scene.name, quiet=wanted.json) as progress:
            run = timed_run(session, progress)
        with working(f"{scene.name}: measuring and writing", quiet=wanted.json):
            outputs = write_outputs(folder, scene.name, session, run.seconds)
            files, notes = list(outputs.files), _notes(scene, outputs)
            side, said = write_side_results(folder, scene.name, session, scene.wading)
        files, notes = [*files, *side], [*notes, *said]
        files += _pictures(folder, scene, session, wanted, outputs, notes)
    remove_stale(folder, files)
    _tell(scene, session, outputs, files, notes, json=wanted.json)
    if run.failure:
        complain(f"{run.failure}; the {len(session.recording())} good ticks before it were saved in {folder}")
    return Played(tuple(files), _with_timings(outputs), run.failure, run.interrupted)


def _with_timings(outputs: Outputs) -> dict[str, Any]:
    """The metrics with how long it took among the facts of the run."""
    return {**outputs.metrics, "run": {**outputs.metrics["run"], **outputs.timings}}


def _notes(scene: Scene, outputs: Outputs) -> list[str]:
    """What there is to say about the clips and the scene."""
    about = (_about(who, waded=name in scene.wading) for name, who in scene.characters.items())
    return [*(note for notes in about for note in notes), *outputs.notes, *scene.notes]


def _about(who: Character, *, waded: bool) -> list[str]:
    """What there is to say about a clip.

    One that was waded was made for its ground, which need not be flat; one that comes of no file is as it was meant.
    """
    if not who.clip.source.path:
        return []
    doubts = () if waded else (*clip_warnings(who.plan, who.clip, who.floor), *made_in_place(who.plan, who.clip))
    return [*who.clip.source.notes, *who.prepared.notes, *doubts]


def _pictures(
    folder: Path, scene: Scene, session: Session, wanted: Wanted, outputs: Outputs, notes: list[str]
) -> list[Path]:
    """Contact sheet, report and film; what cannot be made is noted."""
    if not len(session.recording()):
        notes.append("no report: a clip of one frame has nothing to play")
        return []
    files: list[Path] = []
    sheet = folder / f"{scene.name}.png"
    if wanted.strip:
        try:
            with working(f"{scene.name}: contact sheet", quiet=wanted.json):
                write_strip(sheet, session, moments=wanted.strip, title=scene.name)
            files.append(sheet)
        except NoRenderer as error:
            notes.append(f"no contact sheet: {error}")
    page = folder / "report.html"
    with working(f"{scene.name}: report", quiet=wanted.json):
        write_report(page, session, outputs.metrics, sheet if files else None, title=scene.name, notes=notes)
    files.append(page)
    if wanted.video:
        film = folder / f"{scene.name}.mp4"
        try:
            with progress_bar("film", quiet=wanted.json) as progress:
                write_video(film, session, progress)
            files.append(film)
        except (NoRenderer, NoEncoder) as error:
            notes.append(f"no film: {error}")
    return files


def _tell(scene: Scene, session: Session, outputs: Outputs, files: list[Path], notes: list[str], *, json: bool) -> None:
    if json:
        facts = {"scene": scene.name, **_with_timings(outputs), "notes": notes}
        print_json({**facts, "files": [str(file) for file in files]})
        return
    most = _EVERYTHING if is_verbose() else _MOST
    for line in summarize_run(scene.name, session, _with_timings(outputs), most):
        say(line)
    for note in notes:
        say(f"  [dim]{escape(note)}[/]")
    say("Written:")
    for file in files:
        say(f"  {escape(str(file))}")
