"""Which checks and pictures there are, and running them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TypeVar

from poise.errors import InputError
from poise.reproductions.check import Check
from poise.reproductions.papers import PAPER_NAMES, check_paper
from poise.reproductions.pool import Progress, alone, bundles, together
from poise.reproductions.row import Row

__all__ = ["PAPERS", "PICTURES", "draw_pictures", "run_checks"]

T = TypeVar("T")

_PACKAGES = {name: import_module(f"poise.reproductions.{name}") for name in PAPER_NAMES}
PAPERS: Mapping[str, tuple[Check | Callable[[], Row], ...]] = {name: each.CHECKS for name, each in _PACKAGES.items()}
"""Paper, or what else is measured, to its checks."""
PICTURES: Mapping[str, tuple[Callable[[Path], Path], ...]] = {name: each.PICTURES for name, each in _PACKAGES.items()}
"""Paper to what draws its experiments into a folder."""
_SHARED: Mapping[str, Mapping[str, str]] = {name: getattr(each, "TOGETHER", {}) for name, each in _PACKAGES.items()}
"""Paper to its modules whose checks are measured on the same plays."""


def run_checks(
    paper: str | None = None,
    progress: Progress | None = None,
    *,
    ablate: bool = False,
    quick: bool = False,
    jobs: int = 1,
) -> list[Row]:
    """Measure every claim of a paper.

    Args:
        paper: Its key in `PAPERS`; None for all.
        progress: Called with checks done and checks in all, before each and at the end.
        ablate: Whether each is measured a second time with the method it credits switched off.
        quick: Whether a sample will do: shipped clips and 20 seeds.
        jobs: How many processes share the work; rows are the same, those about times too where each has a core.

    Raises:
        InputError: There is no such paper.
    """
    check_paper(paper)
    chosen = {key: checks for key, checks in PAPERS.items() if paper in (None, key)}
    work = [bundle for key, checks in chosen.items() for bundle in bundles(key, checks, _SHARED.get(key, {}))]
    tell = progress or (lambda done, total: None)
    found = (
        alone(chosen, work, tell, ablate=ablate, quick=quick)
        if jobs == 1
        else together(work, jobs, tell, ablate=ablate, quick=quick)
    )
    rows = {
        (bundle.paper, place): row for bundle, each in found for place, row in zip(bundle.places, each, strict=True)
    }
    return [rows[key, place] for key, checks in chosen.items() for place in range(len(checks))]


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
