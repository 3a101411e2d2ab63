"""Strips of moments from runs: one line per run, with whatever moved in it."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from poise.io.files import write_bytes
from poise.reproductions.hu2024.played import Played
from poise.world.render import Camera, Painter

__all__ = ["Moments", "write_album"]

_WIDTH, _HEIGHT, _FINER = 230, 300, 2
_MARGIN, _GAP, _TITLE, _CAPTION = 16, 4, 44, 26


@dataclass(frozen=True, eq=False)
class Moments:
    """One line of pictures.

    Args:
        label: What it shows.
        played: The run.
        times: Of each picture [s].
        captions: Below each picture.
        camera: Of all pictures; its target is relative to the pelvis' place in the source.
        ghost: Whether the source is drawn translucently.
    """

    label: str
    played: Played
    times: Sequence[float]
    captions: Sequence[str]
    camera: Camera
    ghost: bool = False


def write_album(folder: Path, name: str, title: str, lines: Sequence[Moments]) -> Path:
    """Write the lines as one PNG into `folder`; its path.

    Raises:
        NoRenderer: There is no OpenGL library that draws without a screen.
    """
    count, tall = max(len(line.times) for line in lines), _HEIGHT + 2 * _CAPTION
    size = (2 * _MARGIN + count * (_WIDTH + _GAP), 2 * _MARGIN + _TITLE + len(lines) * tall)
    sheet = Image.new("RGB", size, "white")
    draw = ImageDraw.Draw(sheet)
    draw.text((_MARGIN, _MARGIN), title, fill=(30, 34, 40), font=ImageFont.load_default(24))
    for number, line in enumerate(lines):
        top = _MARGIN + _TITLE + number * tall
        draw.text((_MARGIN, top), line.label, fill=(30, 34, 40), font=ImageFont.load_default(18))
        for index, picture in enumerate(_pictures(line)):
            left = _MARGIN + index * (_WIDTH + _GAP)
            sheet.paste(picture, (left, top + _CAPTION))
            place = (left, top + _CAPTION + _HEIGHT + 2)
            draw.text(place, line.captions[index], fill=(96, 102, 112), font=ImageFont.load_default(16))
    content = io.BytesIO()
    sheet.save(content, format="PNG", optimize=True)
    path = folder / f"hu2024_{name}.png"
    write_bytes(path, content.getvalue())
    return path


def _pictures(line: Moments) -> list[Image.Image]:
    played, result = line.played, []
    session, source = played.session, played.rows("source")
    who = session.actors[0].layout.name
    with Painter(session.world, _FINER * _WIDTH, _FINER * _HEIGHT) as painter:
        for time in line.times:
            state = played.at(time)
            camera = Camera(
                target=np.asarray(source[state, :3] + line.camera.target),
                azimuth=line.camera.azimuth,
                elevation=line.camera.elevation,
                distance=line.camera.distance,
            )
            ghosts = {who: source[state]} if line.ghost else None
            picture = painter.paint(played.recording.positions[state], camera, ghosts=ghosts)
            result.append(Image.fromarray(picture).reduce(_FINER))
    return result
