"""The ground a clip was recorded on: where feet stand, and whether that drifts over the take."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.body.capsules import sole_points
from poise.body.coordinates import BodyFrames
from poise.body.plan import BodyPlan

__all__ = ["ground_drift", "ground_height"]

Array = NDArray[np.float64]

_LEVEL = 0.015
"""Heights this near to one another are one level [m]: soles roll, and capture is noisy."""
_STAYS = 0.3
"""A level counts where feet are at it this often, as a share of the level where they are most often."""
_WINDOW = 0.3
"""A stretch of a take in which some foot stands [s]."""
_MOST = 300
"""Stretches whose pairs are compared."""
_STRETCHES = 6
"""Fewer do not tell a drift from steps."""


def ground_height(plan: BodyPlan, frames: BodyFrames) -> float:
    """Height of the ground a clip was recorded on [m].

    It is the 5th percentile over time of the lowest sole point, without the moments below the lowest level at which feet stay:
    a foot that sinks for a moment is not where the ground is.
    """
    lowest = np.sort(sole_points(plan, frames)[..., 2].min(axis=1))
    near = np.searchsorted(lowest, lowest + _LEVEL, side="right") - np.arange(len(lowest))
    stays = int(np.argmax(near >= _STAYS * near.max()))
    return float(np.percentile(lowest[stays:], 5.0))


def ground_drift(plan: BodyPlan, frames: BodyFrames, rate: float) -> Array:
    """How far the level of the standing feet has drifted at each frame [m], shape (T,); zeros where it does not, or steadily.

    The line through the lowest soles of each third of a second that most pairs of them agree on (Theil and Sen).
    """
    lowest = sole_points(plan, frames)[..., 2].min(axis=1)
    width = max(1, round(_WINDOW * rate))
    count = len(lowest) // width
    if count < _STRETCHES:
        return np.zeros(len(lowest))
    levels = lowest[: count * width].reshape(count, width).min(axis=1)
    middles: Array = (np.arange(float(count)) + 0.5) * width
    slope = _usual_slope(levels, middles)
    spread = np.abs(levels - np.median(levels)).mean()
    straight = levels - slope * middles
    if np.abs(straight - np.median(straight)).mean() > 0.5 * spread:
        return np.zeros(len(lowest))
    drift: Array = slope * np.arange(float(len(lowest)))
    return drift


def _usual_slope(levels: Array, at: Array) -> float:
    """The median of the slopes between all pairs, or of a few hundred spread evenly where there are more."""
    picked = np.unique(np.linspace(0, len(levels) - 1, _MOST).astype(int))
    first, second = np.triu_indices(len(picked), 1)
    one, other = picked[first], picked[second]
    return float(np.median((levels[other] - levels[one]) / (at[other] - at[one])))
