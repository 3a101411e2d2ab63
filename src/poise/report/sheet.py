"""Pictures in a grid, with captions, a heading and a legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from poise.signals import Mode
from poise.world.render import FORCE_COLOR, GHOST_COLOR, MARKER_COLOR, METERS_PER_NEWTON, MODE_COLORS

__all__ = ["Panel", "compose"]

_COLUMNS = 4
_MARGIN, _GAP = 24, 16
_HEADING, _CAPTION, _LINE = 84, 86, 22
_PAPER, _INK, _FAINT = (255, 255, 255), (30, 34, 40), (96, 102, 112)
_SWATCH = 20


@dataclass(frozen=True, eq=False)
class Panel:
    """One picture: what it shows in bold, and lines that tell more."""

    picture: Image.Image
    head: str
    lines: Sequence[str]


def compose(
    panels: Sequence[Panel],
    heading: str,
    *,
    driven: str | None = "follows the clip",
    ghost: str = "the source",
    markers: bool = False,
) -> Image.Image:
    """All panels, of one size, in rows of up to four.

    Args:
        panels: The pictures.
        heading: First line.
        driven: Who moves bodies that are driven exactly; None where colors do not say it, as those of skins of their own.
        ghost: What ghosts show.
        markers: Whether there are markers.
    """
    columns = min(_COLUMNS, len(panels))
    rows = -(-len(panels) // columns)
    width, height = panels[0].picture.size
    size = (
        2 * _MARGIN + columns * width + (columns - 1) * _GAP,
        _MARGIN + _HEADING + rows * (height + _CAPTION) + _MARGIN // 2,
    )
    sheet = Image.new("RGB", size, _PAPER)
    draw = ImageDraw.Draw(sheet)
    _text(draw, (_MARGIN, _MARGIN - 4), heading, 28, _INK, size[0] - 2 * _MARGIN)
    _legend(draw, _MARGIN + 42, driven, ghost, markers)
    for index, panel in enumerate(panels):
        left = _MARGIN + (index % columns) * (width + _GAP)
        top = _MARGIN + _HEADING + (index // columns) * (height + _CAPTION)
        sheet.paste(panel.picture, (left, top))
        _text(draw, (left, top + height + 6), panel.head, 20, _INK, width)
        for line, text in enumerate(panel.lines[:3]):
            _text(draw, (left + 80, top + height + 7 + line * _LINE), text, 18, _FAINT, width - 80)
    return sheet


def _legend(draw: ImageDraw.ImageDraw, top: int, driven: str | None, ghost: str, markers: bool) -> None:
    newtons = round(0.1 / METERS_PER_NEWTON)
    modes = [(MODE_COLORS[Mode.MOTION], driven), (MODE_COLORS[Mode.TORQUE], "physical")] if driven else []
    entries = [
        *modes,
        (GHOST_COLOR, f"thin ghost: {ghost}, where it is over 3 cm away"),
        *([(MARKER_COLOR, "marker")] if markers else ()),
        (FORCE_COLOR, f"contact force, 10 cm = {newtons} N"),
    ]
    left = float(_MARGIN)
    for color, text in entries:
        box = (left, top + 2, left + _SWATCH, top + 2 + _SWATCH)
        draw.rounded_rectangle(box, radius=4, fill=tuple(int(value) for value in np.multiply(color, 255.0).round()))
        font = ImageFont.load_default(18)
        draw.text((left + _SWATCH + 8, top), text, fill=_FAINT, font=font)
        left += _SWATCH + 8 + font.getlength(text) + 28


def _text(
    draw: ImageDraw.ImageDraw, place: tuple[int, int], text: str, size: int, color: tuple[int, int, int], room: int
) -> None:
    """A line of text, cut with dots where there is no room for it."""
    font = ImageFont.load_default(size)
    if font.getlength(text) > room:
        while text and font.getlength(text + "…") > room:
            text = text[:-1]
        text += "…"
    draw.text(place, text, fill=color, font=font)
