"""Which moments of a run are worth a picture."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from poise.report.contact_summary import GROUND, BodyContact

__all__ = ["choose_moments"]

Array = NDArray[np.float64]

_APART = 0.2
"""Least time between two moments that are shown for a reason [s]."""
_DIFFERENT = 0.01
"""Least distance from the source worth a picture [m]."""


def choose_moments(
    touches: Sequence[BodyContact], away: Array, tick: float, count: int, told: Sequence[int] = ()
) -> list[int]:
    """States to show, in time.

    First the one furthest from the source; then up to half are the strongest contacts, up to a quarter others far from the
    source (a blow shows only after it has fallen), the rest fill the gaps between them. Of contacts, first comes the strongest
    moment with each thing touched, then what else was strong; where somebody else than a clip is in command, those that answer
    an input. Feet on the ground and a body that touches itself are not counted
    as contacts here.

    Args:
        touches: The contacts of the run.
        away: Distance of each state from the source [m], shape (N+1,).
        tick: Time between two states [s].
        count: Moments wanted; fewer come back where there are fewer states.
        told: States in which inputs have been answered, in time.
    """
    outer = [touch for touch in touches if not touch.inner and touch.other != GROUND]
    strongest = sorted(outer, key=lambda touch: (-touch.strength, touch.state))
    seen: set[str] = set()
    firsts: list[BodyContact] = []
    for touch in strongest:
        if touch.other not in seen:
            firsts.append(touch)
            seen.add(touch.other)
    chosen: list[int] = [int(away.argmax())] if count > 2 and away.max() >= _DIFFERENT else []
    _take(chosen, [*(touch.state for touch in [*firsts, *strongest]), *told], tick, count // 2)
    inside = (away[1:-1] >= away[:-2]) & (away[1:-1] > away[2:]) & (away[1:-1] >= _DIFFERENT)
    peaks = np.flatnonzero(inside) + 1
    _take(chosen, [int(state) for state in peaks[np.argsort(-away[peaks], kind="stable")]], tick, count // 4)
    return sorted(_fill(chosen, len(away), min(count, len(away))))


def _take(chosen: list[int], candidates: Sequence[int], tick: float, most: int) -> None:
    """Add up to `most` of the candidates, best first, that are far enough from all chosen."""
    full = len(chosen) + most
    for state in candidates:
        if len(chosen) < full and all(abs(state - other) * tick >= _APART for other in chosen):
            chosen.append(state)


def _fill(chosen: list[int], states: int, count: int) -> list[int]:
    """Add states, each as far as can be from all others; without any to begin with, evenly from first to last."""
    if not chosen:
        return [int(state) for state in np.linspace(0, states - 1, count).round()]
    every = np.arange(states)
    result = list(chosen)
    while len(result) < count:
        away = np.abs(every[:, None] - np.array(result)).min(axis=1)
        result.append(int(away.argmax()))
    return result
