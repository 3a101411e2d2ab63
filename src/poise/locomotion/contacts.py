"""When heels and balls of the feet are on the ground, told from a clip by height and speed with hysteresis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.body.capsules import sole_points
from poise.body.coordinates import BodyFrames
from poise.body.plan import BodyPlan
from poise.errors import InputError, unknown_name
from poise.locomotion.contact_names import CONTACTS

__all__ = ["ContactPhases", "Phase", "contact_phases", "stated_phases"]

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

_LAND, _LIFT = 0.20, 0.50
"""A point is slow below the first speed and fast above the second [m/s], for a stature of 1.75 m."""
_LOW, _HIGH = 0.025, 0.05
"""A point is low below the first height over where it rests and high above the second [m], likewise."""
_SHORTEST = 0.08
"""Gaps and contacts shorter than this are taken for noise [s]."""


class Phase(NamedTuple):
    """One contact: of which of `CONTACTS`, from when to when [s]."""

    contact: str
    start: float
    end: float


@dataclass(frozen=True, eq=False)
class ContactPhases:
    """Which points of the feet are on the ground, frame by frame.

    Args:
        rate: Frames per second [Hz].
        mask: In the order of `CONTACTS`, shape (T, 4).
    """

    rate: float
    mask: Mask

    def intervals(self) -> tuple[Phase, ...]:
        """Every contact from its first to its last frame, by point and then in time."""
        return tuple(
            Phase(name, first / self.rate, last / self.rate)
            for point, name in enumerate(CONTACTS)
            for first, last in runs(self.mask[:, point])
        )


def runs(mask: Mask) -> list[tuple[int, int]]:
    """First and last frame of every stretch of True."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    return [(int(first), int(last) - 1) for first, last in zip(edges[::2], edges[1::2], strict=True)]


def contact_phases(plan: BodyPlan, frames: BodyFrames, rate: float, floor: float) -> ContactPhases:
    """Tell from a clip on flat ground when heels and balls are on it.

    A point is down from when it gets low and slow until it gets high or fast; a contact then begins and ends with the
    frames in which it still was low and slow. Low is meant over the height at which the point itself rests, since soles
    seldom lie flat in captured clips.

    Args:
        plan: The character.
        frames: Its bodies over the clip.
        rate: Frames per second [Hz].
        floor: Height of the ground the clip was recorded on [m].
    """
    points = sole_points(plan, frames).reshape(len(frames.positions), 4, 2, 3).mean(axis=2)
    size = plan.size
    height, speed = (points[..., 2] - floor) / size, _speeds(points, rate) / size
    height = height - [_resting_height(height[:, k], speed[:, k]) for k in range(4)]
    mask = np.stack([_switched(height[:, k], speed[:, k]) for k in range(4)], axis=1)
    for point in range(4):
        _clean(mask[:, point], round(_SHORTEST * rate))
    return ContactPhases(rate, mask)


def _speeds(points: Array, rate: float) -> Array:
    """The slower of a point's steps to the frames before and after [m/s], shape (T, P)."""
    steps = np.linalg.norm(np.diff(points, axis=0), axis=-1) * rate
    if len(steps) == 0:
        return np.zeros(points.shape[:2])
    return np.asarray(np.minimum(np.concatenate([steps[:1], steps]), np.concatenate([steps, steps[-1:]])))


def _resting_height(height: Array, speed: Array) -> float:
    """Median height of the slow frames that are not far above the ground; the lowest where there are none."""
    resting = height[(speed < _LAND) & (height < 0.1)]
    return float(np.median(resting)) if len(resting) else float(height.min())


def _switched(height: Array, speed: Array) -> Mask:
    lands, leaves = (height < _LOW) & (speed < _LAND), (height > _HIGH) | (speed > _LIFT)
    mask = np.zeros(len(height), dtype=bool)
    for first, last in runs(~leaves):
        rests = first + np.flatnonzero(lands[first : last + 1])
        if len(rests):
            mask[rests[0] : rests[-1] + 1] = True
    return mask


def _clean(mask: Mask, shortest: int) -> None:
    """Close short gaps, then drop short contacts that do not touch the ends of the clip; in place."""
    for value in (False, True):
        for first, last in runs(mask == value):
            if last - first + 1 < shortest and first > 0 and last < len(mask) - 1:
                mask[first : last + 1] = not value


def stated_phases(intervals: Mapping[str, Sequence[tuple[float, float]]], count: int, rate: float) -> ContactPhases:
    """Contact phases as someone states them, in place of detected ones.

    Args:
        intervals: By names of `CONTACTS`, start and end of each contact [s]; names left out never touch.
        count: Frames of the clip.
        rate: Frames per second [Hz].

    Raises:
        InputError: A name is unknown, or an interval is not finite or ends before it starts.
    """
    mask = np.zeros((count, len(CONTACTS)), dtype=bool)
    for name, spans in intervals.items():
        if name not in CONTACTS:
            raise unknown_name("contact", name, CONTACTS)
        for start, end in spans:
            if not (np.isfinite([start, end]).all() and 0.0 <= start <= end):
                raise InputError(
                    f"a contact must start at 0 s or later and not end before it starts; got {start}…{end}"
                )
            mask[int(np.ceil(start * rate - 1e-6)) : int(np.floor(end * rate + 1e-6)) + 1, CONTACTS.index(name)] = True
    return ContactPhases(rate, mask)
