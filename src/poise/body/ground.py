"""The ground a clip was recorded on: where feet stand, and whether that drifts over the take."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.body.capsules import body_capsules, sole_points
from poise.body.coordinates import BodyFrames
from poise.body.plan import BodyPlan
from poise.math import quat

__all__ = ["flies", "ground_drift", "ground_height", "lowest_points"]

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
_GRAVITY = 9.81
_FALLS = 0.5
"""Who is accelerated downwards by more than this share of gravity's pull is hardly carried by anything: that is a jump."""
_ARC = 0.1
"""Time to either side over which acceleration is told [s]: capture is too noisy for less, and jumps last longer."""


def ground_height(plan: BodyPlan, frames: BodyFrames) -> float:
    """Height of the ground a clip was recorded on [m].

    It is the 5th percentile over time of the lowest sole point, without the moments below the lowest level at which feet stay:
    a foot that sinks for a moment is not where the ground is.
    """
    lowest = np.sort(sole_points(plan, frames)[..., 2].min(axis=1))
    near = np.searchsorted(lowest, lowest + _LEVEL, side="right") - np.arange(len(lowest))
    stays = int(np.argmax(near >= _STAYS * near.max()))
    return float(np.percentile(lowest[stays:], 5.0))


def lowest_points(plan: BodyPlan, frames: BodyFrames) -> Array:
    """Lowest point of the whole body in each frame, whatever it stands, sits or lies on [m], shape (T,)."""
    capsules = body_capsules(plan, frames)
    lowest = (np.minimum(capsules.starts[..., 2], capsules.ends[..., 2]) - capsules.radii).min(axis=1)
    return np.asarray(np.minimum(lowest, sole_points(plan, frames)[..., 2].min(axis=1)))


def flies(plan: BodyPlan, frames: BodyFrames, rate: float) -> NDArray[np.bool_]:
    """Whether a body is in the air by its own jump, shape (T,): its center of mass falls freely, upwards or downwards."""
    centres = frames.positions + quat.rotate(frames.rotations, plan.centres)
    height = centres[..., 2] @ plan.masses / plan.total_mass
    step = max(1, round(_ARC * rate))
    if len(height) <= 2 * step:
        return np.zeros(len(height), dtype=bool)
    bend = height[2 * step :] - 2.0 * height[step:-step] + height[: -2 * step]
    pulled = np.pad(bend * (rate / step) ** 2, step, mode="edge")
    return np.asarray(pulled < -_FALLS * _GRAVITY)


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
