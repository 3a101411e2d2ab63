"""Pictures of runs: what happened in each, one run above the other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image

from poise.reproductions.alvarado2022.played import Played
from poise.reproductions.pictures import Strip, painter, save_strips, shrunk
from poise.world.render import Camera

__all__ = ["save_runs"]

_AZIMUTH, _ELEVATION, _DISTANCE = float(np.radians(155.0)), -0.12, 5.2


def save_runs(folder: Path, name: str, heading: str, runs: Sequence[tuple[str, Played]], *, moments: int = 8) -> Path:
    """Write moments of several runs, one run above the other, as `alvarado2022_name.png`; its path.

    Moments are spread over the time in which something is answered or touched.

    Args:
        folder: Where to.
        name: Of the experiment.
        heading: What it is.
        runs: Title and run.
        moments: Pictures of each.

    Raises:
        NoRenderer: There is no OpenGL library that draws without a screen.
    """
    strips = []
    for title, played in runs:
        states = _moments(played, moments)
        captions = [f"{played.recording.times[state]:.2f} s" for state in states]
        strips.append(Strip(title, _paint(played, states), captions))
    return save_strips(folder, f"alvarado2022_{name}", heading, strips)


def _moments(played: Played, count: int) -> list[int]:
    """States from a little before the first answer or touch to a little after the last."""
    times = [event.time for event in played.recording.events if event.kind in ("reach", "release", "startled")]
    times += [float(time) for time in played.recording.contacts.start[played.contacts(*_PARTS)]]
    begin, end = (min(times) - 0.1, max(times) + 0.3) if times else (0.0, played.recording.times[-1])
    return [played.at(time) for time in np.linspace(max(begin, 0.0), end, count)]


_PARTS = ("head", "left_hand", "right_hand", "left_forearm", "right_forearm", "spine")


def _paint(played: Played, states: Sequence[int]) -> list[Image.Image]:
    recording, name, result = played.recording, played.session.layouts[0].name, []
    with painter(played.session.world) as paints:
        for state in states:
            source = recording.source[state, played.session.layouts[0].positions]
            camera = Camera(
                target=source[:3] + np.array([0.1, 0.0, 0.15]),
                azimuth=_AZIMUTH,
                elevation=_ELEVATION,
                distance=_DISTANCE,
            )
            result.append(shrunk(paints.paint(recording.positions[state], camera, ghosts={name: source})))
    return result
