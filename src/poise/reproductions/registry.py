"""Which checks and pictures there are, and running them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TypeVar

from poise.errors import InputError
from poise.reproductions.check import Check
from poise.reproductions.papers import PAPER_NAMES, check_paper
from poise.reproductions.row import Row

__all__ = ["PAPERS", "PICTURES", "draw_pictures", "run_checks"]

T = TypeVar("T")
Progress = Callable[[int, int], None]

_PACKAGES = {name: import_module(f"poise.reproductions.{name}") for name in PAPER_NAMES}
PAPERS: Mapping[str, tuple[Check | Callable[[], Row], ...]] = {name: each.CHECKS for name, each in _PACKAGES.items()}
"""Paper, or what else is measured, to its checks."""
PICTURES: Mapping[str, tuple[Callable[[Path], Path], ...]] = {name: each.PICTURES for name, each in _PACKAGES.items()}
"""Paper to what draws its experiments into a folder."""


def run_checks(
    paper: str | None = None, progress: Progress | None = None, *, ablate: bool = False, quick: bool = False
) -> list[Row]:
    """Measure every claim of a paper.

    Args:
        paper: Its key in `PAPERS`; None for all.
        progress: Called with checks done and checks in all, before each and at the end.
        ablate: Whether each is measured a second time with the method it credits switched off.
        quick: Whether a sample will do: shipped clips and 20 seeds.

    Raises:
        InputError: There is no such paper.
    """
    return [_row(check, ablate, quick) for check in _in_turn(_of(paper, PAPERS), progress)]


def _row(check: Check | Callable[[], Row], ablate: bool, quick: bool) -> Row:
    return check.row(ablate=ablate, quick=quick) if isinstance(check, Check) else check()


def draw_pictures(folder: Path, paper: str | None = None, progress: Progress | None = None) -> list[Path]:
    """Draw every experiment of a paper that has a picture.

    Args:
        folder: Where to; made if it is not there.
        paper: Its key in `PAPERS`; None for all.
        progress: Called with pictures done and pictures in all, before each and at the end.

    Returns:
        The files written.

    Raises:
        InputError: There is no such paper, a file cannot be written, or matplotlib is not installed.
        NoRenderer: There is no OpenGL library that draws without a screen.
    """
    pictures = _of(paper, PICTURES)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made a folder: {error.strerror}", source=folder) from None
    return [picture(folder) for picture in _in_turn(pictures, progress)]


def _of(paper: str | None, table: Mapping[str, Sequence[T]]) -> list[T]:
    """What a table lists for a paper, or for all."""
    check_paper(paper)
    return [entry for key, entries in table.items() if paper in (None, key) for entry in entries]


def _in_turn(entries: Sequence[T], progress: Progress | None) -> Iterator[T]:
    """Each entry, with the progress told before each and at the end."""
    for done, entry in enumerate(entries):
        if progress is not None:
            progress(done, len(entries))
        yield entry
    if progress is not None:
        progress(len(entries), len(entries))
