"""Strips of rendered poses: one line per version of a motion, moments side by side."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from poise.body.plan import BodyPlan
from poise.io.files import write_bytes
from poise.signals import Mode
from poise.world.render import Camera, Painter
from poise.world.scene import Setting, build_world

__all__ = ["Line", "write_film"]

Array = NDArray[np.float64]

_WIDTH, _HEIGHT, _FINER = 230, 300, 2
_MARGIN, _GAP, _TITLE, _CAPTION = 16, 4, 44, 26
_WHO = "walker"


@dataclass(frozen=True, eq=False)
class Line:
    """One line of pictures.

    Args:
        label: What it shows.
        rows: Generalized positions, one per picture, shape (n, nq).
        captions: Below each picture.
        cameras: Of each picture.
        ghosts: Generalized positions drawn translucently beside them, shape (n, nq), or None.
    """

    label: str
    rows: Array
    captions: Sequence[str]
    cameras: Sequence[Camera]
    ghosts: Array | None = field(default=None)


def write_film(
    folder: Path, name: str, title: str, plan: BodyPlan, lines: Sequence[Line], setting: Setting | None = None
) -> Path:
    """Write the lines as one PNG into `folder`; its path.

    Raises:
        NoRenderer: There is no OpenGL library that draws without a screen.
    """
    world = build_world({_WHO: plan}, setting or Setting(), 0.002)
    world.cut.set([f"{_WHO}/{body}" for body in plan.names], Mode.MOTION)
    at, count = world.layout(_WHO).positions, max(len(line.rows) for line in lines)
    tall = _HEIGHT + 2 * _CAPTION
    size = (2 * _MARGIN + count * (_WIDTH + _GAP), 2 * _MARGIN + _TITLE + len(lines) * tall)
    sheet = Image.new("RGB", size, "white")
    draw = ImageDraw.Draw(sheet)
    draw.text((_MARGIN, _MARGIN), title, fill=(30, 34, 40), font=ImageFont.load_default(24))
    whole = world.state().positions
    with Painter(world, _FINER * _WIDTH, _FINER * _HEIGHT) as painter:
        for number, line in enumerate(lines):
            top = _MARGIN + _TITLE + number * tall
            draw.text((_MARGIN, top), line.label, fill=(30, 34, 40), font=ImageFont.load_default(18))
            for index, (row, caption, camera) in enumerate(zip(line.rows, line.captions, line.cameras, strict=True)):
                whole[at] = row
                ghosts = None if line.ghosts is None else {_WHO: line.ghosts[index]}
                picture = Image.fromarray(painter.paint(whole, camera, ghosts=ghosts)).reduce(_FINER)
                left = _MARGIN + index * (_WIDTH + _GAP)
                sheet.paste(picture, (left, top + _CAPTION))
                place = (left, top + _CAPTION + _HEIGHT + 2)
                draw.text(place, caption, fill=(96, 102, 112), font=ImageFont.load_default(16))
    content = io.BytesIO()
    sheet.save(content, format="PNG", optimize=True)
    path = folder / f"hu2024_{name}.png"
    write_bytes(path, content.getvalue())
    return path
