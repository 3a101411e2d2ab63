"""What a tick costs."""

from __future__ import annotations

import numpy as np

from poise.assets import clip_path
from poise.benchmarks.bare import compare
from poise.benchmarks.bare_step import asked, beside_bare_steps
from poise.benchmarks.result import Result, at_most, noted
from poise.benchmarks.wading import wading_session
from poise.characters.character import Character
from poise.io import read_clip
from poise.motion.edit import loop
from poise.runtime.session import Session

__all__ = ["forest_ticks", "walking_ticks"]


def walking_ticks(repetitions: int) -> list[Result]:
    """One character of 21 joints with dynamic arms and recording, nothing around it."""
    session = Session({"walker": Character.from_clip(loop(read_clip(clip_path("walk")), 4))})
    times = compare(session, session.tick_count, 2 * repetitions)
    return [
        at_most("tick of one walker with dynamic arms over its bare physics steps", times.ratio, "×", 1.25),
        noted("tick of one walker with dynamic arms", 1e3 * float(np.median(times.tick)), "ms"),
    ]


def forest_ticks(repetitions: int) -> list[Result]:
    """The same character wading through 70 plants."""
    session = wading_session()
    times, step = beside_bare_steps(lambda: compare(session, session.tick_count, repetitions))
    middle, most = np.percentile(times.tick, [50, 95])
    return [
        at_most("tick of a walk through 70 plants, median", middle / step, "bare steps", asked(0.8e-3)),
        at_most("tick of a walk through 70 plants, 95 of 100", most / step, "bare steps", asked(1.2e-3)),
        noted("tick of a walk through 70 plants, median", 1e3 * float(middle), "ms"),
        noted("tick of a walk through 70 plants over its bare physics steps", times.ratio, "×"),
    ]
