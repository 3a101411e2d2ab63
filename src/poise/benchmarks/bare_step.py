"""The measure of all limits in time: one bare physics step of one walker, taken in the same run.

What a tick or a solve may take was asked for in milliseconds, on one machine. Here both sides are told in bare steps: what was
measured over the bare step of the same seconds, the limit over the bare step on that machine. So a machine that is slower
throughout fails no limit by that, and one that is quicker is spared nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TypeVar

import numpy as np

from poise.assets import clip_path
from poise.benchmarks.bare import Tape, play_bare, record
from poise.characters.character import Character
from poise.io import read_clip
from poise.runtime.session import Session

__all__ = ["asked", "bare_step", "beside_bare_steps"]

T = TypeVar("T")

_THERE = 18.2e-6
"""What it takes on the machine for which the limits were asked [s]: 27.0 µs on a quiet core of another, on which plain NumPy
(`reproductions.vaillant2017.pace`) and 300 conductors both take 1.48 times as long."""
_TICKS, _PASSES = 30, 12


@cache
def _walker() -> tuple[Session, Tape]:
    session = Session({"walker": Character.from_clip(read_clip(clip_path("walk")))})
    return session, record(session, _TICKS)


def bare_step() -> float:
    """Time of one bare step now [s]: of each tick's steps the least over a few passes, which other work hardly delays."""
    session, tape = _walker()
    passes = [play_bare(session, tape) for _ in range(_PASSES)]
    return float(np.min(passes, axis=0).mean()) / session.clock.substeps


def asked(seconds: float) -> float:
    """How many bare steps a time [s] is on the machine for which it was asked."""
    return seconds / _THERE


def beside_bare_steps(measure: Callable[[], T]) -> tuple[T, float]:
    """What `measure` gives, and the time of a bare step before or after it, the smaller one [s]."""
    before = bare_step()
    found = measure()
    return found, min(before, bare_step())
