"""What a tick of twenty characters costs that a scene file puts side by side, with the roots they have by themselves."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np

from poise.benchmarks.bare_step import asked, beside_bare_steps
from poise.benchmarks.result import Result, at_most, noted
from poise.runtime.session import Session
from poise.scenes import read_scene

__all__ = ["many_walkers", "walkers_session"]

_WALKERS, _TICKS = 20, 20
_APART, _ABREAST = 4.0, 0.8
"""Between two of them [m]: nobody takes note of anybody, and everybody yields to those beside."""


def walkers_session(apart: float, count: int = _WALKERS) -> Session:
    """People who walk abreast, so far `apart` [m], of a scene file."""
    lines = [
        f"  walker{number}: {{clip: 'shipped:walk', cycles: 2, at: [0, {number * apart:g}]}}" for number in range(count)
    ]
    with TemporaryDirectory() as folder:
        file = Path(folder) / "walkers.yaml"
        file.write_text("\n".join(["characters:", *lines]), encoding="utf-8")
        return read_scene(file).session()


def many_walkers(repetitions: int) -> list[Result]:
    """Asleep roots have a limit; awake ones are told."""
    cost, step = beside_bare_steps(partial(_tick, walkers_session(_APART), 2 * repetitions))
    awake = _tick(walkers_session(_ABREAST), repetitions)
    name = f"tick of {_WALKERS} walkers of a scene file"
    return [
        at_most(f"{name}, {_APART:g} m apart", cost / step, "bare steps", asked(5e-3)),
        noted(f"{name}, {_APART:g} m apart", 1e3 * cost, "ms"),
        noted(f"{name}, {_ABREAST:g} m apart and yielding", 1e3 * awake, "ms"),
    ]


def _tick(session: Session, repetitions: int) -> float:
    """Median over the ticks of the least processor time each took [s]: they are long enough for other work to come between."""
    start, times = session.save(), np.zeros((repetitions, _TICKS))
    for row in times:
        session.restore(start)
        for number in range(_TICKS):
            begin = process_time()
            session.tick()
            row[number] = process_time() - begin
    return float(np.median(times.min(axis=0)))
