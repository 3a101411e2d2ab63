"""Pages and pictures in one call each, from a script or in a notebook."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

from poise.errors import InputError
from poise.io import read_character, write_bytes
from poise.motion.clip import Clip
from poise.motion.skin import SkinnedMesh
from poise.report.motion_comparison import Side, compare_sides, make_side
from poise.report.page.comparison import comparison_html
from poise.report.page.write import report_html
from poise.report.quality import session_quality
from poise.report.strip import write_strip
from poise.report.verdict import verdict
from poise.runtime.session import Session

__all__ = ["Shown", "save_comparison", "save_report", "save_strip", "show"]


class Shown:
    """A page: shown by notebooks in a frame of its own, written by `save`.

    Args:
        html: The page.
        height: Of the frame [pixels].
        title: What it is about.
    """

    def __init__(self, html: str, height: int, title: str) -> None:
        self.html, self.height, self.title = html, height, title

    def __repr__(self) -> str:
        return f"<Page about {self.title}, {len(self.html) / 1e6:.1f} MB; save(path) writes it>"

    def _repr_html_(self) -> str:
        return (
            f'<iframe title="{escape(self.title, quote=True)}" srcdoc="{escape(self.html, quote=True)}" '
            f'style="width:100%;height:{self.height}px;border:0" allowfullscreen></iframe>'
        )

    def save(self, path: Path | str) -> Path:
        """Write the page; raises `InputError` where that cannot be."""
        write_bytes(Path(path), self.html.encode("utf-8", "replace"))
        return Path(path)


def show(first: Session | Clip | Path | str, second: Clip | Path | str | None = None, *, height: int = 720) -> Shown:
    """A page to look at: the report of a finished session, or two motions beside one another.

    In a notebook `poise.show(session)` as the last line of a cell shows it there.

    Args:
        first: A session that was run, or a motion (a clip or its file).
        second: With a motion, another one to compare it with.
        height: Of the frame in a notebook [pixels].

    Raises:
        InputError: Nothing was run yet, a motion stands alone, or a file cannot be read.
    """
    if isinstance(first, Session):
        if second is not None:
            raise InputError("a session is shown alone; compare clips, such as session.result(…)")
        title = ", ".join(first.characters)
        metrics = {"characters": session_quality(first)}
        return Shown(report_html(first, metrics, title=title), height, title)
    if second is None:
        raise InputError("a motion is shown beside another one; give two, or a session that was run")
    begins = _side(first, "first")
    sides = (begins, _side(second, "second", begins))
    report: dict[str, Any] = compare_sides(*sides)
    report["verdict"] = verdict(*sides, report)
    return Shown(comparison_html(*sides, report), height, f"{sides[0].name} and {sides[1].name}")


def save_report(session: Session, path: Path | str = "report.html") -> Path:
    """Write the report of a finished session: replay, quality, charts.

    Raises:
        InputError: Nothing was run yet, or the file cannot be written.
    """
    return show(session).save(path)


def save_strip(session: Session, path: Path | str = "strip.png", *, moments: int = 8) -> Path:
    """Write a contact sheet of a finished session: its strongest contacts and what lies between.

    Raises:
        InputError: Nothing was run yet, there are too many moments, or the file cannot be written.
        NoRenderer: There is no OpenGL library to paint with.
    """
    write_strip(path, session, moments=moments)
    return Path(path)


def save_comparison(first: Clip | Path | str, second: Clip | Path | str, path: Path | str = "compare.html") -> Path:
    """Write a page with both motions: numbers, charts, a replay, and which does what better.

    Raises:
        InputError: A motion cannot be read or has no body, or the file cannot be written.
    """
    return show(first, second).save(path)


def _side(motion: Clip | Path | str, otherwise: str, like: Side | None = None) -> Side:
    mesh: SkinnedMesh | None = None
    if isinstance(motion, Clip):
        return make_side(motion.name or otherwise, motion, like=like)
    clip, mesh = read_character(Path(motion))
    return make_side(clip.name or otherwise, clip, mesh, like=like)
