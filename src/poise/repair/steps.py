"""Steps from frame to frame that nobody makes: of where the body is, and of how a joint is turned."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Pieces", "bad_steps", "pieces"]

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

_AROUND = 3
"""Steps on each side that say what is ordinary."""
_BRIEF = 0.5
"""What is off for longer is where the body is from then on [s]."""


def bad_steps(steps: Array, most: float) -> Flags:
    """Which steps differ by more than `most` from what is ordinary around them.

    Args:
        steps: From each frame to the next, shape (T-1, J, 3).
        most: In the unit of the steps.

    Returns:
        Flags, shape (T-1, J). Ordinary is the median, coordinate by coordinate, of three steps before and three after.
    """
    count = len(steps)
    padded = np.pad(steps, ((_AROUND, _AROUND), (0, 0), (0, 0)), constant_values=np.nan)
    suspects = np.linalg.norm(steps, axis=-1) > 0.5 * most
    bad = np.zeros(suspects.shape, bool)
    # Few steps are large at all, and medians are dear.
    rows, columns = np.nonzero(suspects)
    offsets = np.array([k for k in range(2 * _AROUND + 1) if k != _AROUND])
    for start in range(0, len(rows), 65536):
        row, column = rows[start : start + 65536], columns[start : start + 65536]
        near = padded[np.clip(row[:, None] + offsets, 0, count + 2 * _AROUND - 1), column[:, None]]
        bad[row, column] = np.linalg.norm(steps[row, column] - np.nanmedian(near, axis=1), axis=-1) > most
    return bad


class Pieces(NamedTuple):
    """What bad steps leave of a course.

    Args:
        lost: Frames that are off for a moment and then back, shape (T,).
        jumps: Frames from which on the course is elsewhere.
    """

    lost: Flags
    jumps: list[int]


def pieces(places: Array, bad: Flags, most: float, rate: float) -> Pieces:
    """Tell moments that are lost from jumps that stay.

    Args:
        places: Where the course is, shape (T, D); distances in it are compared with `most`.
        bad: Which of its steps are bad, shape (T-1,).
        most: How far it may be moved by what is lost.
        rate: Frames per second [Hz].
    """
    count, brief = len(places), max(1, round(_BRIEF * rate))
    lost, jumps = np.zeros(count, bool), list[int]()
    cuts = (np.flatnonzero(bad) + 1).tolist()
    bounds = [0, *cuts, count]
    runs = [(start, stop) for start, stop in pairwise(bounds) if stop > start]
    # The longest run is believed, and from there on both ways whatever goes on where it left off, or where its speed leads.
    main = max(range(len(runs)), key=lambda i: runs[i][1] - runs[i][0])
    for way in (1, -1):
        last = runs[main]
        for start, stop in runs[main + 1 :] if way > 0 else runs[:main][::-1]:
            gap = start - last[1] + 1 if way > 0 else last[0] - stop + 1
            here, there = (last[1] - 1, start) if way > 0 else (last[0], stop - 1)
            before = max(here - _AROUND, last[0]) if way > 0 else min(here + _AROUND, last[1] - 1)
            apart, ordinary = places[there] - places[here], (places[here] - places[before]) / max(abs(here - before), 1)
            if min(_length(apart), _length(apart - gap * ordinary)) <= most * (1.0 + 0.25 * gap):
                last = (start, stop)
            elif stop - start > brief:
                jumps.append(start if way > 0 else stop)
                last = (start, stop)
            else:
                lost[start:stop] = True
    return Pieces(lost, sorted(jumps))


def _length(way: Array) -> float:
    return float(np.linalg.norm(way))
