"""What anticipation costs: the garden of seventy plants, walked with eyes open (Alvarado 2022, Fig. 14)."""

from __future__ import annotations

import numpy as np

from poise.benchmarks.bare import compare
from poise.benchmarks.bare_step import asked, beside_bare_steps
from poise.benchmarks.result import Result, at_most, noted
from poise.runtime.timings import Timings
from poise.scenes import named_scene

__all__ = ["garden_ticks"]


def garden_ticks(repetitions: int) -> list[Result]:
    """A walk through the garden with everything on."""
    session = named_scene("garden").session()
    start, ticks = session.save(), session.tick_count
    session.run(ticks)  # Compiled loops are loaded on their first use, which is no part of a tick.
    session.restore(start)
    rooms = Timings(*session.run(ticks).timings[-ticks:].sum(axis=0))
    session.restore(start)
    times, step = beside_bare_steps(lambda: compare(session, ticks, repetitions))
    share = (rooms.behaviors + rooms.split + rooms.control) / rooms.total
    # The paper: 25 ms a frame for this scene, 6 ms of it without physics.
    middle = float(np.median(times.tick))
    return [
        at_most("tick of the garden with anticipation, median", middle / step, "bare steps", asked(1.0e-3)),
        at_most("anticipation and control in the garden, share of a tick", 100.0 * share, "%", 25.0),
        at_most("tick of the garden with anticipation over its bare physics steps", times.ratio, "×", 1.8),
        noted("tick of the garden with anticipation, median", 1e3 * middle, "ms"),
    ]
