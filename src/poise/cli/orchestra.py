"""`poise run orchestra`: many conductors at once, headless."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from rich.markup import escape

from poise.body.mannequin import cache_folder, mannequin
from poise.cli.terminal import print_json, progress_bar, say
from poise.errors import InputError
from poise.io import write_bytes, write_character, write_clip
from poise.metrics import measure
from poise.report.measured import motion_of
from poise.report.words import digits, name_metric
from poise.scenes.orchestra import Orchestra, Performance, orchestra
from poise.world.crowd_picture import paint_crowd
from poise.world.render import Camera, NoRenderer

__all__ = ["NAME", "play_orchestra"]

NAME = "orchestra"
_LONGEST = 3600.0
_MEASURED, _MOST_FALLS = 3, 12
_NOT_WRITTEN = (
    "no report.html, contact sheet, film or recording: a crowd keeps no contacts, and of most members no motion; "
    "the motion written is that of conductor 0"
)


def play_orchestra(folder: Path, count: int, seconds: float, seed: int, quiet: bool) -> None:
    """Play `count` conductors for `seconds`; a picture of all, the motion of one and metrics go into `folder`.

    Raises:
        InputError: Count or seconds are out of range, or a file cannot be written.
    """
    if not 1.0 <= seconds <= _LONGEST:
        raise InputError(f"--seconds takes 1 to {_LONGEST:g}; got {seconds:g}")
    players = orchestra(count, seed=seed)
    with progress_bar(NAME, quiet=quiet) as progress:
        performance = players.play(seconds, range(min(count, _MEASURED)), progress)
    metrics = _metrics(count, players, performance)
    files, notes = _write(folder, players, performance, metrics)
    if quiet:
        print_json({"scene": NAME, **metrics, "notes": notes, "files": [str(f) for f in files]})
        return
    say(
        f"[bold]{NAME}[/]: {count} conductors, {performance.seconds:g} s simulated at "
        f"{performance.real_time_factor:.2f} × real time (200 Hz, exact coupling)"
    )
    say(f"  {performance.standing} of {count} stand; no foot slid farther than {100.0 * performance.slip:.2f} cm")
    for line in _quality(metrics["members"]):
        say(line)
    for event in performance.falls[:_MOST_FALLS]:
        say(f"  {event.time:6.2f} s  {event.kind}: {event.subject}")
    if len(performance.falls) > _MOST_FALLS:
        say(f"  … and {len(performance.falls) - _MOST_FALLS} more events in metrics.json")
    for note in notes:
        say(f"  [dim]{escape(note)}[/]")
    say("Written:")
    for file in files:
        say(f"  {escape(str(file))}")


def _metrics(count: int, players: Orchestra, performance: Performance) -> dict[str, Any]:
    """What `metrics.json` holds: the run, and the quality of a few members' motions."""
    run = {
        "count": count,
        "simulated_s": performance.seconds,
        "real_time_factor": performance.real_time_factor,
        "standing": performance.standing,
        "slip_m": performance.slip,
        "events": [event._asdict() for event in performance.falls],
    }
    members = {
        f"conductor {number}": measure(motion_of(players.whole, clip, 0.0))
        for number, clip in performance.soloists.items()
    }
    return {"run": run, "members": members}


def _quality(members: Mapping[str, Any]) -> Iterator[str]:
    """The first numbers of quality, the worst of the measured members'."""
    for path in ("feet.weighted_skate_m_s", "feet.penetration_max_mm", "smoothness.joint_jerk_mean_m_s3"):
        group, _, key = path.partition(".")
        values = [report[group][key] for report in members.values() if report[group][key] is not None]
        if values:
            label, unit, scale = name_metric(path)
            yield f"  {label}, at most of {len(members)} conductors: {digits(scale * max(values))} {unit}"


def _write(
    folder: Path, players: Orchestra, performance: Performance, metrics: Mapping[str, Any]
) -> tuple[list[Path], list[str]]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made: {error.strerror or error}", source=folder) from error
    files = [folder / f"{NAME}.bvh", folder / f"{NAME}.glb", folder / "metrics.json"]
    notes = write_clip(files[0], performance.soloists[0])
    mesh = mannequin(players.clip, players.whole, folder=cache_folder())
    notes += write_character(files[1], performance.soloists[0], mesh)
    write_bytes(files[2], (json.dumps(metrics, indent=1, allow_nan=False) + "\n").encode())
    notes.append(_NOT_WRITTEN)
    try:
        picture = folder / f"{NAME}.png"
        buffer = BytesIO()
        Image.fromarray(_picture(players)).save(buffer, format="png")
        write_bytes(picture, buffer.getvalue())
        files.append(picture)
    except NoRenderer as error:
        notes.append(f"no picture: {error}")
    return files, notes


def _picture(players: Orchestra) -> np.ndarray:
    """Everybody from where the listeners sit, the nearest row at the lower edge."""
    positions = players.placed()
    deep, wide = float(positions[:, 0].max()), float(np.abs(positions[:, 1]).max())
    camera = Camera(
        target=np.array([0.6 * deep, 0.0, 0.6]),
        azimuth=0.0,
        elevation=-0.35,
        distance=3.2 * max(wide, 0.5 * deep) + 5.0,
    )
    crowd = players.crowd
    return paint_crowd(crowd.plan, positions, [int(body) for body in crowd.gesture.bodies], camera)
