"""Small charts as SVG text. Colors come from the page's style; a vertical line shows the replay's time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Line", "Span", "Stems", "chart", "lanes", "nice_ticks"]

Array = NDArray[np.float64]

_WIDTH, _HEIGHT = 640, 220
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 628, 10, 192
_LANE, _LANE_LEFT, _LANE_NAME = 24, 220, 32
"""Height of a lane, where it begins, and how many letters of its name fit before it."""
_BUCKETS = 420
"""A line has at most four times as many points; each bucket keeps its extremes."""


@dataclass(frozen=True, eq=False)
class Line:
    """Values over time.

    Args:
        label: For the legend.
        times: [s], shape (n,).
        values: Shape (n,); NaN leaves a gap.
        style: Class of the line in the page's style: "before", "after" or "s0" … "s7".
    """

    label: str
    times: Array
    values: Array
    style: str


@dataclass(frozen=True, eq=False)
class Stems:
    """Upright lines from zero, as `Line`."""

    label: str
    times: Array
    values: Array
    style: str


class Span(NamedTuple):
    """A state from `start` to `end` [s], its style (a class of the page) and what it is called."""

    start: float
    end: float
    style: str
    words: str


def nice_ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Round numbers that cover low … high, at most `most` + 2 of them."""
    raw = max(high - low, 1e-12) / most
    power = 10.0 ** np.floor(np.log10(raw))
    step = next(factor * power for factor in (1.0, 2.0, 2.5, 5.0, 10.0) if factor * power >= raw * (1.0 - 1e-9))
    first, last = np.floor(low / step + 1e-9), np.ceil(high / step - 1e-9)
    return [float(step * k) for k in np.arange(first, last + 0.5)]


def chart(
    title: str,
    unit: str,
    series: Sequence[Line | Stems],
    end: float,
    *,
    note: str = "",
    level: tuple[float, str] | None = None,
    floor: float | None = 0.0,
) -> str:
    """A figure with a heading, a legend and axes.

    Args:
        title: Heading.
        unit: Of the values.
        series: What to draw, in order.
        end: Time at the right edge [s].
        note: A line that explains it.
        level: A horizontal line and what it means.
        floor: A value the axis must show, or None.
    """
    low, high = _range(series, level, floor)
    ticks = nice_ticks(low, high)
    low, high = ticks[0], max(ticks[-1], ticks[0] + 1e-9)

    def y(value: Array | float) -> Array:
        return np.asarray(_BOTTOM - (_BOTTOM - _TOP) * (np.asarray(value) - low) / (high - low))

    def x(time: Array | float) -> Array:
        return np.asarray(_LEFT + (_RIGHT - _LEFT) * np.asarray(time) / max(end, 1e-9))

    parts = [
        f'<line class="grid" x1="{_LEFT}" x2="{_RIGHT}" y1="{y(t):.1f}" y2="{y(t):.1f}"/>'
        f'<text class="tick" x="{_LEFT - 6}" y="{y(t) + 4:.1f}" text-anchor="end">{_number(t)}</text>'
        for t in ticks
    ]
    parts.append(_clock(end, _LEFT, _BOTTOM))
    if level is not None:
        parts.append(f'<line class="level" x1="{_LEFT}" x2="{_RIGHT}" y1="{y(level[0]):.1f}" y2="{y(level[0]):.1f}"/>')
    for each in series:
        draw = _stems(each, x, y) if isinstance(each, Stems) else _path(each, x, y)
        parts.append(f'<path class="{each.style}" d="{draw}"/>')
    parts.append(f'<line class="playhead" x1="{_LEFT}" x2="{_LEFT}" y1="{_TOP}" y2="{_BOTTOM}"/>')
    legend = "".join(f'<span class="key {each.style}">{escape(each.label)}</span>' for each in series if each.label)
    if level is not None:
        legend += f'<span class="key level">{escape(level[1])}</span>'
    return (
        f'<figure class="plot" data-left="{_LEFT / _WIDTH}" data-right="{_RIGHT / _WIDTH}">'
        f"<figcaption><b>{escape(title)}</b> <small>{escape(unit)}</small>{legend}</figcaption>"
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(title)} over time">{"".join(parts)}'
        f'<text class="tick" x="{_RIGHT}" y="{_HEIGHT - 1}" text-anchor="end">s</text></svg>'
        + (f"<p>{escape(note)}</p>" if note else "")
        + "</figure>"
    )


def lanes(title: str, rows: Mapping[str, Sequence[Span]], legend: str, end: float) -> str:
    """A figure with a bar for each row, which says what state it was in when.

    Args:
        title: Heading.
        rows: Spans of each row, by its name.
        legend: What the styles mean, as HTML.
        end: Time at the right edge [s].
    """
    left = _LANE_LEFT
    scale = (_RIGHT - left) / max(end, 1e-9)
    bottom = _TOP + _LANE * len(rows)
    parts = []
    for row, (name, spans) in enumerate(rows.items()):
        top = _TOP + _LANE * row
        short = name if len(name) <= _LANE_NAME else name[: _LANE_NAME - 1] + "…"
        parts.append(
            f'<text class="tick" x="{left - 8}" y="{top + 0.68 * _LANE:.1f}" text-anchor="end">{escape(short)}'
            f"<title>{escape(name)}</title></text>"
        )
        parts += [
            f'<rect class="{span.style}" x="{left + scale * span.start:.1f}" y="{top + 3}" '
            f'width="{max(scale * (min(span.end, end) - span.start), 0.5):.1f}" height="{_LANE - 6}">'
            f"<title>{escape(name)}: {escape(span.words)}, {span.start:.2f}–{span.end:.2f} s</title></rect>"
            for span in spans
        ]
    parts.append(_clock(end, left, bottom))
    parts.append(f'<line class="playhead" x1="{left}" x2="{left}" y1="{_TOP}" y2="{bottom}"/>')
    height = bottom + _HEIGHT - _BOTTOM
    return (
        f'<figure class="plot" data-left="{left / _WIDTH}" data-right="{_RIGHT / _WIDTH}">'
        f"<figcaption><b>{escape(title)}</b>{legend}</figcaption>"
        f'<svg viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{escape(title)} over time">{"".join(parts)}'
        f'<text class="tick" x="{_RIGHT}" y="{height - 1}" text-anchor="end">s</text></svg></figure>'
    )


def _clock(end: float, left: float, bottom: float) -> str:
    """Times below an axis that begins at `left`."""
    return "".join(
        f'<text class="tick" x="{left + (_RIGHT - left) * t / max(end, 1e-9):.1f}" y="{bottom + 18}" '
        f'text-anchor="middle">{_number(t)}</text>'
        for t in nice_ticks(0.0, end, 8)
        if t <= end * 1.0001
    )


def _range(series: Sequence[Line | Stems], level: tuple[float, str] | None, floor: float | None) -> tuple[float, float]:
    known = [each.values[np.isfinite(each.values)] for each in series]
    values = np.concatenate([*known, [] if floor is None else [floor], [] if level is None else [level[0]]])
    if not values.size:
        return 0.0, 1.0
    low, high = float(values.min()), float(values.max())
    return (low, high) if high - low > 1e-9 else (low, low + 1.0)


def _number(value: float) -> str:
    return f"{value:.6g}".replace("-", "−") if abs(value) > 1e-12 else "0"


def _path(line: Line, x: object, y: object) -> str:
    times, values = _thinned(line.times, line.values)
    across, up = x(times), y(values)  # type: ignore[operator]
    pieces, pen = [], "M"
    for place, height, known in zip(across, up, np.isfinite(values), strict=True):
        if known:
            pieces.append(f"{pen}{place:.1f} {height:.1f}")
        pen = "L" if known else "M"
    return "".join(pieces)


def _stems(stems: Stems, x: object, y: object) -> str:
    across, foot, tip = x(stems.times), y(0.0), y(stems.values)  # type: ignore[operator]
    return "".join(f"M{place:.1f} {foot:.1f}V{height:.1f}" for place, height in zip(across, tip, strict=True))


def _thinned(times: Array, values: Array) -> tuple[Array, Array]:
    """At most four points per bucket: first, least, greatest and last, so that no peak is lost."""
    if len(times) <= 2 * _BUCKETS:
        return times, values
    edges = np.linspace(0, len(times), _BUCKETS + 1).astype(int)
    keep: set[int] = set()
    for start, stop in pairwise(edges):
        part = values[start:stop]
        keep |= {int(start), int(stop) - 1}
        if np.isfinite(part).any():
            keep |= {int(start + np.nanargmin(part)), int(start + np.nanargmax(part))}
    rows = np.array(sorted(keep))
    return times[rows], values[rows]
