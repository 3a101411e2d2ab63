"""The timeline below the replay and the list beside it; both jump."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from poise.report.page.moments import PageMoment

__all__ = ["moment_list", "timeline"]

_MOST_LANES = 9
_MOST_LISTED = 200


def timeline(moments: Sequence[PageMoment], end: float) -> str:
    """A lane for each thing that was touched or did something, busiest ones if there are many, in order of time."""
    lanes: dict[str, list[PageMoment]] = {}
    for moment in moments:
        lanes.setdefault(moment.lane, []).append(moment)
    busiest = sorted(lanes, key=lambda lane: -len(lanes[lane]))[:_MOST_LANES]
    rows = "".join(_lane(lane, lanes[lane], end) for lane in lanes if lane in busiest)
    left_out = len(lanes) - len(busiest)
    more = f'<p class="more">and {left_out} more in the list</p>' if left_out > 0 else ""
    return f'<div class="lanes">{rows}<div class="now"></div></div>{more}'


def _lane(name: str, moments: Sequence[PageMoment], end: float) -> str:
    marks = ""
    for moment in moments:
        left = 100.0 * moment.start / max(end, 1e-9)
        width = 100.0 * (moment.end - moment.start) / max(end, 1e-9)
        words = escape(f"{moment.time:.2f} s: {moment.text}", quote=True)
        marks += (
            f'<button class="mark {escape(moment.kind, quote=True)}" data-time="{moment.time:.4f}" title="{words}" '
            f'aria-label="{words}" style="left:{left:.3f}%;width:{width:.3f}%"></button>'
        )
    # Of many of a kind the number tells which, so that is what a narrow page must not cut off.
    kind, _, number = name.rpartition(" ") if " " in name and name[-1:].isdigit() else (name, "", "")
    words = f"<b>{escape(kind)}</b>{f'<b>&nbsp;{escape(number)}</b>' if number else ''}"
    return f'<div class="lane"><span title="{escape(name, quote=True)}">{words}</span><div>{marks}</div></div>'


def moment_list(moments: Sequence[PageMoment]) -> str:
    """Every moment as a button."""
    if not moments:
        return "<p>Nothing was touched and nothing else happened.</p>"
    items = "".join(
        f'<li><button data-time="{moment.time:.4f}"><time>{moment.time:.2f}</time>'
        f'<i class="{escape(moment.kind, quote=True)}"></i><span>{escape(moment.text)}</span></button></li>'
        for moment in moments[:_MOST_LISTED]
    )
    left_out = len(moments) - _MOST_LISTED
    more = f"<p>and {left_out} more in metrics.json</p>" if left_out > 0 else ""
    return f"<ol>{items}</ol>{more}"
