"""The phases of a gait: when each foot leaves the ground and lands, looked up at any time of a clip.

Found from a clip's contact phases (`poise.locomotion.contacts`), so that whoever plans steps (after a push, over rough ground,
through water) plans with the clip's own ones.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.locomotion.contacts import ContactPhases, runs

__all__ = ["Gait", "gait_of"]

Array = NDArray[np.float64]


class Gait(NamedTuple):
    """When feet leave the ground and land; left before right.

    Args:
        rate: Frames per second [Hz].
        lifts: At each frame in which a foot is in the air, when it left [s], NaN while it stands, shape (T, 2).
        lands: And when it lands [s], infinite where the clip ends before, NaN while it stands, shape (T, 2).
        next_lift: At each frame, when either foot is in the air next, the frame's own time where one is [s], shape (T,).
    """

    rate: float
    lifts: Array
    lands: Array
    next_lift: Array

    def row(self, time: float) -> int:
        """The frame at or before `time` [s]."""
        return int(min(max(int(time * self.rate + 1e-9), 0), len(self.next_lift) - 1))


def gait_of(phases: ContactPhases) -> Gait:
    """The gait of a clip: a foot stands while its heel or its ball does."""
    down = np.stack([phases.mask[:, :2].any(axis=1), phases.mask[:, 2:].any(axis=1)], axis=1)
    count = len(down)
    lifts, lands = np.full((count, 2), np.nan), np.full((count, 2), np.nan)
    for foot in range(2):
        for first, last in runs(~down[:, foot]):
            lifts[first : last + 1, foot] = max(first - 1, 0) / phases.rate
            lands[first : last + 1, foot] = (last + 1) / phases.rate if last + 1 < count else np.inf
    next_lift, coming = np.empty(count), np.inf
    for frame in range(count - 1, -1, -1):
        coming = frame / phases.rate if not down[frame].all() else coming
        next_lift[frame] = coming
    return Gait(phases.rate, lifts, lands, next_lift)
