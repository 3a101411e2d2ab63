"""Rows measured bundle by bundle, in one process or in several: checks that share plays stay together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from importlib import import_module
from multiprocessing import get_context
from typing import NamedTuple

from poise.reproductions.check import Check
from poise.reproductions.once import forget
from poise.reproductions.row import Row

__all__ = ["Bundle", "Progress", "alone", "bundles", "together"]

Checks = Sequence[Check | Callable[[], Row]]
Progress = Callable[[int, int], None]


class Bundle(NamedTuple):
    """Checks of a paper that are measured on the same plays, by their places in what the paper lists."""

    paper: str
    places: tuple[int, ...]


def bundles(paper: str, checks: Checks, shared: Mapping[str, str]) -> Iterator[Bundle]:
    """The checks of a paper by their modules.

    Args:
        paper: Its name.
        checks: What it lists.
        shared: Modules whose checks are measured on the same plays, each with what those have for a name.
    """
    found: dict[str, list[int]] = {}
    for place, check in enumerate(checks):
        module = (check.measure if isinstance(check, Check) else check).__module__.rpartition(".")[2]
        found.setdefault(shared.get(module, module), []).append(place)
    return (Bundle(paper, tuple(places)) for places in found.values())


def alone(
    papers: Mapping[str, Checks], work: Sequence[Bundle], progress: Progress, *, ablate: bool, quick: bool
) -> Iterator[tuple[Bundle, list[Row]]]:
    """The rows of each bundle in turn; what was played for one is let go of before the next."""
    total, done = sum(len(bundle.places) for bundle in work), 0
    for bundle in work:
        rows = []
        for place in bundle.places:
            progress(done, total)
            rows.append(_measured(papers[bundle.paper][place], ablate, quick))
            done += 1
        forget()
        yield bundle, rows
    progress(total, total)


def together(
    work: Sequence[Bundle], jobs: int, progress: Progress, *, ablate: bool, quick: bool
) -> Iterator[tuple[Bundle, list[Row]]]:
    """The rows of each bundle as it is done, each in a process of its own, so many at a time."""
    total, done = sum(len(bundle.places) for bundle in work), 0
    progress(done, total)
    with ProcessPoolExecutor(jobs, get_context("spawn"), max_tasks_per_child=1) as pool:
        waiting = {pool.submit(_rows, bundle, ablate, quick): bundle for bundle in work}
        for future in as_completed(waiting):
            yield waiting[future], future.result()
            done += len(waiting[future].places)
            progress(done, total)


def _rows(bundle: Bundle, ablate: bool, quick: bool) -> list[Row]:
    checks: Checks = import_module(f"poise.reproductions.{bundle.paper}").CHECKS
    return [_measured(checks[place], ablate, quick) for place in bundle.places]


def _measured(check: Check | Callable[[], Row], ablate: bool, quick: bool) -> Row:
    return check.row(ablate=ablate, quick=quick) if isinstance(check, Check) else check()
