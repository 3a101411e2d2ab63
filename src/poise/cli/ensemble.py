"""The crowd behind a scene: all of it is played, told in a few numbers and drawn once; its soloist is the scene itself."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from PIL import Image

from poise.cli.terminal import progress_bar
from poise.io import write_bytes
from poise.scenes.orchestra import Orchestra, Performance
from poise.world.crowd_picture import paint_crowd
from poise.world.render import Camera, NoRenderer

__all__ = ["Ensemble", "play_crowd"]

_MOST_FALLS = 12


class Ensemble(NamedTuple):
    """What came out: the files, the numbers, and what there is to say."""

    files: tuple[Path, ...]
    facts: dict[str, Any]
    notes: tuple[str, ...]


def play_crowd(folder: Path, name: str, players: Orchestra, *, quiet: bool) -> Ensemble:
    """Play everybody and write numbers and a picture into a folder that is there.

    Raises:
        InputError: A file cannot be written.
    """
    with progress_bar(f"{len(players.crowd)} conductors", quiet=quiet) as progress:
        performance = players.play(progress)
    facts = {
        "count": len(players.crowd),
        "simulated_s": performance.seconds,
        "real_time_factor": performance.real_time_factor,
        "standing": performance.standing,
        "slip_m": performance.slip,
        "events": [event._asdict() for event in performance.falls],
    }
    files, notes = [folder / f"{name}_crowd.json"], list(_story(len(players.crowd), performance))
    write_bytes(files[0], (json.dumps(facts, indent=1, allow_nan=False) + "\n").encode())
    try:
        buffer = BytesIO()
        Image.fromarray(_picture(players)).save(buffer, format="png")
        files.append(folder / f"{name}_crowd.png")
        write_bytes(files[-1], buffer.getvalue())
    except NoRenderer as error:
        notes.append(f"no picture of everybody: {error}")
    return Ensemble(tuple(files), facts, tuple(notes))


def _story(count: int, performance: Performance) -> list[str]:
    falls = [f"{event.time:.2f} s: {event.subject} fell" for event in performance.falls]
    more = len(falls) - _MOST_FALLS
    return [
        f"{count} conductors, {performance.seconds:g} s simulated at {performance.real_time_factor:.2f} × real time "
        "(200 Hz, exact coupling)",
        f"{performance.standing} of {count} stand; no foot slid farther than {100.0 * performance.slip:.2f} cm",
        *falls[:_MOST_FALLS],
        *([f"… and {more} more falls in the crowd's numbers"] if more > 0 else []),
    ]


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
