"""One HTML file that tells everything about a run and needs nothing else, not even a network."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from poise.io.files import read_bytes, write_bytes
from poise.report.contact_summary import find_contacts
from poise.report.movers import driven_by
from poise.report.page.changes import change_plots
from poise.report.page.facts import fact_cards, subtitle
from poise.report.page.frame import fill_page
from poise.report.page.moments import moments_of
from poise.report.page.plots import character_plots, muscle_table
from poise.report.page.replay import replay_of
from poise.report.page.table import contact_table, quality_table, tracking_table
from poise.report.page.timeline import moment_list, timeline
from poise.runtime import Session
from poise.world.render import METERS_PER_NEWTON

__all__ = ["report_html", "write_report"]


def report_html(
    session: Session,
    metrics: Mapping[str, Any] | None = None,
    strip_png: bytes | Path | None = None,
    *,
    title: str | None = None,
    notes: Sequence[str] = (),
) -> str:
    """A report of a finished session as a page: replay, timeline, quality, charts, contact sheet and what ran.

    The page loads nothing: a content security policy forbids it. Where the browser has no WebGL 2 the replay says so and
    the rest is there all the same. Same session and metrics, same bytes.

    Args:
        session: What was run.
        metrics: `poise.report.outputs.Outputs.metrics`; without it there is no table of quality.
        strip_png: The contact sheet, as bytes or where it lies.
        title: Heading; by default the characters' names.
        notes: What else there is to say, one line each.

    Raises:
        InputError: Nothing was run yet, the contact sheet cannot be read.
    """
    touches = find_contacts(session)
    moments = moments_of(session, touches)
    end = len(session.recording()) * session.clock.tick
    heading = title or ", ".join(session.characters)
    return fill_page(
        "page.html",
        replay_of(session, touches),
        end=end,
        stops=sorted({round(moment.time, 4) for moment in moments}),
        title=escape(heading),
        subtitle=escape(subtitle(session)),
        events=moment_list(moments),
        timeline=timeline(moments, end),
        quality="".join(_quality(session, name, metrics) for name in session.characters),
        plots=_plots(session, end),
        sheet=_sheet(strip_png),
        facts=fact_cards(session, notes),
        markers="" if session.setting.markers is None else '<span><i class="marker"></i>marker</span>',
        driven=driven_by(session),
        newtons=f"{0.1 / METERS_PER_NEWTON:.0f}",
    )


def write_report(path: str | Path, *arguments: Any, **options: Any) -> None:
    """Write the page that `report_html` makes of the other arguments.

    Args:
        path: Where to, usually `report.html`.
        arguments: See `report_html`.
        options: See `report_html`.

    Raises:
        InputError: As there, or the file cannot be written.
    """
    write_bytes(Path(path), report_html(*arguments, **options).encode("utf-8", "replace"))


def _quality(session: Session, name: str, metrics: Mapping[str, Any] | None) -> str:
    heading = f"<h3>{escape(name)}</h3>" if len(session.characters) > 1 else ""
    report = (metrics or {}).get("characters", {}).get(name)
    if report is None:
        return f"{heading}<p>Nothing was measured.</p>"
    beside = tracking_table(report) + contact_table(report, session.characters[name])
    return f'{heading}<div class="columns"><div>{quality_table(report)}</div><div>{beside}</div></div>'


def _plots(session: Session, end: float) -> str:
    text = ""
    for name in session.characters:
        heading = f"<h3>{escape(name)}</h3>" if len(session.characters) > 1 else ""
        plots = character_plots(session, name, end) + change_plots(session, name, end)
        text += heading + f'<div class="plots">{"".join(plots)}</div>'
        text += muscle_table(session, name)
    return text


def _sheet(strip_png: bytes | Path | None) -> str:
    if strip_png is None:
        return "<p>No contact sheet was drawn.</p>"
    content = strip_png if isinstance(strip_png, bytes) else read_bytes(Path(strip_png))
    encoded = base64.b64encode(content).decode("ascii")
    return f'<img alt="Moments of the run" src="data:image/png;base64,{encoded}">'
