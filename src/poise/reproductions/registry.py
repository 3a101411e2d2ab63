"""Which checks there are, and running them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from poise.errors import unknown_name
from poise.reproductions import alvarado2022
from poise.reproductions.row import Row

__all__ = ["PAPERS", "run_checks"]

PAPERS: Mapping[str, tuple[Callable[[], Row], ...]] = {"alvarado2022": alvarado2022.CHECKS}
"""Paper to its checks."""


def run_checks(paper: str | None = None, progress: Callable[[int, int], None] | None = None) -> list[Row]:
    """Measure every claim of a paper.

    Args:
        paper: Its key in `PAPERS`; None for all.
        progress: Called with checks done and checks in all, before each and at the end.

    Raises:
        InputError: There is no such paper.
    """
    if paper is not None and paper not in PAPERS:
        raise unknown_name("paper", paper, PAPERS)
    checks = [check for key, checks in PAPERS.items() if paper in (None, key) for check in checks]
    rows = []
    for done, check in enumerate(checks):
        if progress is not None:
            progress(done, len(checks))
        rows.append(check())
    if progress is not None:
        progress(len(checks), len(checks))
    return rows
