"""Pictures of experiments: plots, and strips of painted moments; written whole or not at all.

matplotlib is asked for only when a plot is drawn.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from poise.errors import InputError
from poise.io.files import write_bytes
from poise.motion.skin import SkinnedMesh
from poise.signals import FluidSheet
from poise.world.render import Painter
from poise.world.world import World

__all__ = ["PICTURE", "Strip", "figure", "painter", "save_figure", "save_image", "save_strips", "shrunk"]

PICTURE = (230, 300)
"""Width and height of one moment [pixels]."""
_FINER = 2
"""Moments are painted this much larger and reduced, which smooths their edges."""
_MARGIN, _GAP, _TITLE, _CAPTION = 16, 4, 44, 26
_INK, _PALE = (30, 34, 40), (96, 102, 112)


@dataclass(frozen=True, eq=False)
class Strip:
    """One line of pictures.

    Args:
        label: What it shows.
        pictures: Its moments, each of the size `PICTURE`.
        captions: Below each.
    """

    label: str
    pictures: Sequence[Image.Image]
    captions: Sequence[str]


def painter(world: World, skins: Mapping[str, SkinnedMesh] | None = None, sheets: Sequence[FluidSheet] = ()) -> Painter:
    """Paints a world's moments for `shrunk`, in skins and with fluids; raises `NoRenderer` where nothing draws offscreen."""
    return Painter(world, _FINER * PICTURE[0], _FINER * PICTURE[1], skins=skins, sheets=sheets)


def shrunk(pixels: NDArray[np.uint8]) -> Image.Image:
    """What `painter` painted, as a picture of the size `PICTURE`."""
    return Image.fromarray(pixels).reduce(_FINER)


def save_strips(folder: Path, name: str, title: str, strips: Sequence[Strip]) -> Path:
    """Write strips one above the other as `name`.png into `folder`; its path."""
    count, tall = max(len(strip.pictures) for strip in strips), PICTURE[1] + 2 * _CAPTION
    wide = PICTURE[0] + _GAP
    sheet = Image.new("RGB", (2 * _MARGIN + count * wide, 2 * _MARGIN + _TITLE + len(strips) * tall), "white")
    draw = ImageDraw.Draw(sheet)
    draw.text((_MARGIN, _MARGIN), title, fill=_INK, font=ImageFont.load_default(24))
    for number, strip in enumerate(strips):
        top = _MARGIN + _TITLE + number * tall
        draw.text((_MARGIN, top), strip.label, fill=_INK, font=ImageFont.load_default(18))
        for index, (picture, caption) in enumerate(zip(strip.pictures, strip.captions, strict=True)):
            left = _MARGIN + index * wide
            sheet.paste(picture, (left, top + _CAPTION))
            place = (left, top + _CAPTION + PICTURE[1] + 2)
            draw.text(place, caption, fill=_PALE, font=ImageFont.load_default(16))
    return save_image(sheet, folder, name)


def save_image(image: Image.Image, folder: Path, name: str) -> Path:
    """Write an image as `name`.png into `folder`; its path."""
    content = io.BytesIO()
    image.save(content, format="PNG", optimize=True)
    return _write(content, folder, name)


def figure(title: str, rows: int, columns: int, *, size: tuple[float, float] = (7.0, 4.0)) -> tuple[Any, Any]:
    """A matplotlib figure of `size` [inches] and its axes, shape (rows, columns).

    Raises:
        InputError: matplotlib is not installed.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise InputError("pictures need matplotlib; install it with: pip install 'poise[pictures]'") from error
    sheet = Figure(figsize=size, layout="constrained")
    FigureCanvasAgg(sheet)
    sheet.suptitle(title, fontsize=11)
    axes = sheet.subplots(rows, columns, squeeze=False)
    for one in axes.flat:
        one.grid(alpha=0.3)
    return sheet, axes


def save_figure(sheet: Any, folder: Path, name: str) -> Path:
    """Write a figure as `name`.png into `folder`; its path."""
    content = io.BytesIO()
    sheet.savefig(content, format="png", dpi=110)
    return _write(content, folder, name)


def _write(content: io.BytesIO, folder: Path, name: str) -> Path:
    path = folder / f"{name}.png"
    write_bytes(path, content.getvalue())
    return path
