"""All benchmarks, one after another."""

from __future__ import annotations

from collections.abc import Callable

from poise.benchmarks.conductors import conductors
from poise.benchmarks.first_run import compile_time
from poise.benchmarks.fluid import wading_ticks
from poise.benchmarks.garden import garden_ticks
from poise.benchmarks.goals import limb_goals
from poise.benchmarks.reading import reading_files
from poise.benchmarks.realtime import real_time
from poise.benchmarks.result import Result
from poise.benchmarks.start import start_up
from poise.benchmarks.ticks import forest_ticks, walking_ticks
from poise.benchmarks.waders import many_waders
from poise.benchmarks.walkers import many_walkers

__all__ = ["run_benchmarks"]

_BENCHMARKS: tuple[Callable[[int], list[Result]], ...] = (
    walking_ticks,
    forest_ticks,
    garden_ticks,
    many_walkers,
    limb_goals,
    reading_files,
    wading_ticks,
    many_waders,
    conductors,
    real_time,
    start_up,
    compile_time,
)
_QUICK, _THOROUGH = 5, 15


def run_benchmarks(quick: bool = False, progress: Callable[[int, int], None] | None = None) -> list[Result]:
    """Measure speed.

    Everything is played several times and the least or the median counts, so that what else the machine does matters little.
    Limits in time are told in bare physics steps of the same run (`bare_step`).

    Args:
        quick: Fewer repetitions; under 40 s.
        progress: Called with benchmarks done and benchmarks in all.
    """
    results = []
    for done, benchmark in enumerate(_BENCHMARKS):
        if progress is not None:
            progress(done, len(_BENCHMARKS))
        results += benchmark(_QUICK if quick else _THOROUGH)
    if progress is not None:
        progress(len(_BENCHMARKS), len(_BENCHMARKS))
    return results
