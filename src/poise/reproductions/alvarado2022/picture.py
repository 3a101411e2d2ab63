"""Pictures of the experiments: strips of runs one above the other, and plots."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from poise.io.files import write_bytes
from poise.reproductions.alvarado2022.played import Played
from poise.world.render import Camera, Painter

__all__ = ["save_plot", "save_strips"]

_WIDTH, _HEIGHT, _FINER = 260, 300, 2
_LINE = 28
_AZIMUTH, _ELEVATION, _DISTANCE = float(np.radians(155.0)), -0.12, 5.2


def save_strips(folder: Path, name: str, runs: Sequence[tuple[str, Played]], *, moments: int = 8) -> Path:
    """Write moments of several runs, one run above the other, as `alvarado2022_name.png`; its path.

    Moments are spread over the time in which something is answered or touched.

    Args:
        folder: Where to.
        name: Of the experiment.
        runs: Title and run.
        moments: Pictures of each.

    Raises:
        NoRenderer: There is no OpenGL library that draws without a screen.
    """
    tall = _HEIGHT + 2 * _LINE
    sheet = Image.new("RGB", (moments * _WIDTH, len(runs) * tall), "white")
    draw = ImageDraw.Draw(sheet)
    for number, (title, played) in enumerate(runs):
        top = number * tall
        draw.text((8, top + 4), title, fill=(30, 34, 40), font=ImageFont.load_default(18))
        states = _moments(played, moments)
        for column, (state, picture) in enumerate(zip(states, _paint(played, states), strict=True)):
            sheet.paste(picture, (column * _WIDTH, top + _LINE))
            caption = f"{played.recording.times[state]:.2f} s"
            place = (column * _WIDTH + 8, top + _LINE + _HEIGHT + 4)
            draw.text(place, caption, fill=(96, 102, 112), font=ImageFont.load_default(15))
    content = io.BytesIO()
    sheet.save(content, format="PNG", optimize=True)
    return _write(folder, name, content)


def _moments(played: Played, count: int) -> list[int]:
    """States from a little before the first answer or touch to a little after the last."""
    times = [event.time for event in played.recording.events if event.kind in ("reach", "release", "startled")]
    times += [float(time) for time in played.recording.contacts.start[played.contacts(*_PARTS)]]
    begin, end = (min(times) - 0.1, max(times) + 0.3) if times else (0.0, played.recording.times[-1])
    return [played.at(time) for time in np.linspace(max(begin, 0.0), end, count)]


_PARTS = ("head", "left_hand", "right_hand", "left_forearm", "right_forearm", "spine")


def _paint(played: Played, states: Sequence[int]) -> list[Image.Image]:
    recording, name, result = played.recording, played.session.actors[0].layout.name, []
    with Painter(played.session.world, _FINER * _WIDTH, _FINER * _HEIGHT) as painter:
        for state in states:
            source = recording.source[state, played.session.actors[0].layout.positions]
            camera = Camera(
                target=source[:3] + np.array([0.1, 0.0, 0.15]),
                azimuth=_AZIMUTH,
                elevation=_ELEVATION,
                distance=_DISTANCE,
            )
            picture = painter.paint(recording.positions[state], camera, ghosts={name: source})
            result.append(Image.fromarray(picture).reduce(_FINER))
    return result


def save_plot(sheet: Any, folder: Path, name: str) -> Path:
    """Write a matplotlib figure as `alvarado2022_name.png`; its path."""
    content = io.BytesIO()
    sheet.savefig(content, format="png", dpi=110)
    return _write(folder, name, content)


def _write(folder: Path, name: str, content: io.BytesIO) -> Path:
    path = folder / f"alvarado2022_{name}.png"
    write_bytes(path, content.getvalue())
    return path
