"""Where a robot's feet go: planted while the source's stand, level on what they stand on, scaled by the legs in between."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import maximum_filter1d, uniform_filter1d

from poise.math import quat
from poise.robots.soles import Sole

__all__ = ["FootPath", "SourceFoot", "plant"]

Array = NDArray[np.float64]

_EASE, _EASE_ROLL = 0.08, 0.25
"""Time in which a foot goes over from swinging to standing, and in which it rolls level [s]."""
_NEAR = 0.004
"""Of heel and ball the lower one is the pivot; this much difference decides [statures]."""
_STANDS, _SWINGS = 0.006, 0.03
"""Below the first height a foot stands, above the second it swings freely [statures]."""
_RETURN = 0.1
"""Time in which a swinging foot forgets where it stood [s]."""


class SourceFoot(NamedTuple):
    """A foot of the source over its clip.

    Args:
        ankle: Where the ankle is, scaled by the legs [m], shape (T, 3).
        ends: Where heel and ball are on the sole, scaled [m], shape (T, 2, 3).
        turns: Turn of the foot from standing level and facing x, shape (T, 4).
        contact: Whether heel and ball stand, shape (T, 2).
        stature: Of the source, scaled [m].
        floor: Height of the ground, scaled [m].
    """

    ankle: Array
    ends: Array
    turns: Array
    contact: NDArray[np.bool_]
    stature: float
    floor: float


class FootPath(NamedTuple):
    """Where a robot's foot goes on ground at height 0.

    Args:
        ankle: [m], shape (T, 3).
        turns: From lying level and facing x, shape (T, 4).
        stands: How firmly it stands, 0 to 1, shape (T,).
    """

    ankle: Array
    turns: Array
    stands: Array


def plant(foot: SourceFoot, sole: Sole, aside: Array, rate: float) -> FootPath:
    """The way of a robot's foot.

    While heel or ball of the source stand, that end of the robot's sole stays at one point of the ground; while both do the
    foot lies level. A swinging foot comes back to the scaled place of the source's ankle.

    Args:
        foot: Of the source.
        sole: Of the robot's foot.
        aside: How far the robot's foot is beside the source's since its hips are wider [m], shape (T, 3).
        rate: Frames per second [Hz].
    """
    firm = _eased(foot.contact, rate, _EASE)
    stands = firm.max(axis=1)
    heights = np.maximum(foot.ends[..., 2] - foot.floor, 0.0)
    lowest = heights.min(axis=1)
    free = np.clip((lowest / foot.stature - _STANDS) / (_SWINGS - _STANDS), 0.0, 1.0) * (1.0 - stands)
    keep = np.exp(-free / (_RETURN * rate))
    turns = _laid(foot.turns, firm, _eased(foot.contact, rate, _EASE_ROLL).max(axis=1), keep)
    ends = quat.rotate(turns[:, None], sole.ends)
    heights = heights * (1.0 - firm)
    near = heights / (_NEAR * foot.stature)
    share = np.exp(near.min(axis=1, keepdims=True) - near)
    share /= share.sum(axis=1, keepdims=True)
    ankle = foot.ankle + aside
    steps = np.diff(foot.ends, axis=0) * (1.0 - np.maximum(firm[1:], firm[:-1]))[..., None]
    drift = steps - np.diff(ends, axis=0) - np.diff(ankle, axis=0)[:, None]
    middle = 0.5 * (share[1:] + share[:-1])
    away = _leaking((middle[..., None] * drift[..., :2]).sum(axis=1), keep)
    place = ankle.copy()
    place[:, :2] += away
    place[:, 2] = (share * (heights + sole.radii - ends[..., 2])).sum(axis=1)
    # Whatever else of the sole would be below the ground lifts the foot.
    corners = quat.rotate(turns[:, None], sole.corners)[..., 2] - sole.corner_radii
    place[:, 2] = np.maximum(place[:, 2], -corners.min(axis=1))
    return FootPath(place, turns, stands)


def _eased(contact: NDArray[np.bool_], rate: float, time: float) -> Array:
    """Contacts (T, 2) that begin and end gradually, around the frames in which they hold."""
    width = 2 * round(0.5 * time * rate) + 1
    wider = maximum_filter1d(contact.astype(float), width, axis=0, mode="nearest")
    ramp = uniform_filter1d(uniform_filter1d(wider, max(1, width // 2), axis=0), max(1, width - width // 2), axis=0)
    return np.asarray(np.clip(ramp, 0.0, 1.0))


def _leaking(steps: Array, keep: Array) -> Array:
    """Sum of steps (T - 1, ...) that is forgotten as `keep` (T,) says, shape (T, ...)."""
    total = np.zeros((len(keep), *steps.shape[1:]))
    for frame, step in enumerate(steps, start=1):
        total[frame] = keep[frame] * (total[frame - 1] + step)
    return total


def _laid(turns: Array, firm: Array, one: Array, keep: Array) -> Array:
    """Turns (T, 4) that are level where both ends stand, do not roll where one does, and keep their heading there."""
    # The twist about the vertical: unlike where toes point it is there for a foot that points straight down.
    heading = np.unwrap(2.0 * np.arctan2(turns[:, 3], turns[:, 0]))
    up = np.array([0.0, 0.0, 1.0])
    tilt = quat.log(quat.mul(quat.conj(quat.from_axis_angle(up, heading)), turns))
    flat = firm.min(axis=1)
    tilt = tilt * np.stack([1.0 - one, 1.0 - flat, 1.0 - one], axis=1)
    held = 0.5 * (flat[1:] + flat[:-1])
    heading = heading + _leaking(-held * np.diff(heading), keep)
    return np.asarray(quat.mul(quat.from_axis_angle(up, heading), quat.exp(tilt)))
