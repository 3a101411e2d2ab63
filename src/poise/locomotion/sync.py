"""When feet stand and swing in any walking or running clip: the marks to which steps and clip are kept in time.

Contacts told by height and speed (`contacts`) miss the feet of runners, which hardly rest, and those of clips that walk in
place. There the foot's way against the pelvis tells: it lands about where it is farthest ahead and leaves where it is farthest
behind (Zeni, Richards and Higginson 2008).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.body.capsules import sole_points
from poise.body.coordinates import BodyFrames
from poise.body.plan import BodyPlan
from poise.locomotion.contacts import ContactPhases, contact_phases
from poise.math.smoothing import smoothed

__all__ = ["Marks", "carried", "facing", "foot_marks", "in_place_speed", "sync_phases"]

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

_SHORTEST_STEP = 0.25
"""Landings of one foot are at least this far apart [s]."""
_PROMINENCE = 0.4
"""An extreme counts when it stands out by this share of the foot's whole way."""
_LEAST_WAY = 0.15
"""A foot that goes less than this to and fro against the pelvis makes no steps [m]."""
_LOW = 0.035
"""A standing foot's lowest point is less than this above its lowest in the stance [m]."""
_TRAVELS = 0.3
"""A character that goes faster than this has a direction of travel [m/s]."""
_ENOUGH = 0.5
"""A contact that lasts at least this share of the time between landing and leaving is believed."""
_IN_PLACE = 0.35
"""A clip that travels at less than this share of the speed at which its feet go back walks in place."""


class Marks(NamedTuple):
    """Frames at which one foot is farthest ahead and farthest behind."""

    ahead: NDArray[np.int64]
    behind: NDArray[np.int64]

    def stances(self, count: int) -> list[tuple[int, int]]:
        """From each landing to the next leaving; a clip of `count` frames may begin or end within a stance."""
        found, lands = [], list(self.ahead)
        leaves = list(self.behind)
        if leaves and (not lands or leaves[0] < lands[0]):
            lands.insert(0, np.int64(0))
        for number, land in enumerate(lands):
            until = lands[number + 1] if number + 1 < len(lands) else count
            leave = next((at for at in leaves if land < at < until), None)
            if leave is not None or number + 1 == len(lands):
                found.append((int(land), count - 1 if leave is None else int(leave)))
        return found


def facing(plan: BodyPlan, frames: BodyFrames) -> Array:
    """Where the hips look to, level and of unit length, shape (T, 2)."""
    left, right = (frames.positions[:, plan.with_role(f"{side}_thigh")[0], :2] for side in ("left", "right"))
    across = left - right
    ahead = np.stack([across[:, 1], -across[:, 0]], axis=1)
    return np.asarray(ahead / np.maximum(np.linalg.norm(ahead, axis=1, keepdims=True), 1e-9))


def _direction(plan: BodyPlan, frames: BodyFrames, rate: float) -> Array:
    """Where the character goes to, or looks to where it stays, shape (T, 2)."""
    looks = facing(plan, frames)
    if len(looks) < 3:
        return looks
    velocity = np.gradient(smoothed(frames.positions[:, 0, :2], 0.2 * rate), axis=0) * rate
    speed = np.linalg.norm(velocity, axis=1, keepdims=True)
    return np.asarray(np.where(speed > _TRAVELS, velocity / np.maximum(speed, 1e-9), looks))


def _balls(plan: BodyPlan, frames: BodyFrames) -> Array:
    """Places of the feet's balls against the pelvis [m], shape (T, 2, 3)."""
    points = sole_points(plan, frames).reshape(len(frames.positions), 4, 2, 3).mean(axis=2)
    return np.asarray(points[:, [1, 3]] - frames.positions[:, :1])


def foot_marks(plan: BodyPlan, frames: BodyFrames, rate: float) -> tuple[Marks, Marks]:
    """Extremes of the left and of the right foot's way along the direction of travel."""
    from scipy.signal import find_peaks  # Slow to import (docs/architecture.md, decision 12).

    along = np.einsum("tfi,ti->tf", _balls(plan, frames)[..., :2], _direction(plan, frames, rate))
    found = []
    for foot in range(2):
        way = along[:, foot]
        spread = float(np.ptp(way))
        if spread < _LEAST_WAY or len(way) < 5:
            found.append(Marks(np.zeros(0, np.int64), np.zeros(0, np.int64)))
            continue
        apart = max(1, round(_SHORTEST_STEP * rate))
        ahead, behind = (
            find_peaks(sign * way, prominence=_PROMINENCE * spread, distance=apart)[0] for sign in (1.0, -1.0)
        )
        found.append(Marks(ahead, behind))
    return found[0], found[1]


def sync_phases(plan: BodyPlan, frames: BodyFrames, rate: float, floor: float) -> ContactPhases:
    """When heels and balls stand: as their contacts tell, and where those say too little as the feet's extremes do.

    Args:
        plan: The character.
        frames: Its bodies over the clip.
        rate: Frames per second [Hz].
        floor: Height of the ground the clip was recorded on [m].
    """
    phases_found = contact_phases(plan, frames, rate, floor)
    mask = phases_found.mask.copy()
    points = sole_points(plan, frames).reshape(len(mask), 4, 2, 3)[..., 2].mean(axis=2)
    size = plan.size
    for foot, marks in enumerate(foot_marks(plan, frames, rate)):
        heights = points[:, 2 * foot : 2 * foot + 2] / size
        for first, last in marks.stances(len(mask)):
            first, last = _low_part(heights.min(axis=1), first, last)
            span = slice(first, last + 1)
            stands = mask[span, 2 * foot : 2 * foot + 2]
            if stands.any(axis=1).mean() >= _ENOUGH:
                continue
            low = heights[span] < heights[span].min(axis=0) + _LOW
            low[:, 1] |= ~low.any(axis=1)
            mask[span, 2 * foot : 2 * foot + 2] |= low
    return ContactPhases(rate, mask)


def _low_part(height: Array, first: int, last: int) -> tuple[int, int]:
    """The part of a stretch of frames around its lowest in which the foot is low."""
    lowest = first + int(np.argmin(height[first : last + 1]))
    limit = height[lowest] + _LOW
    low, high = lowest, lowest
    while low > first and height[low - 1] < limit:
        low -= 1
    while high < last and height[high + 1] < limit:
        high += 1
    return low, high


def in_place_speed(plan: BodyPlan, frames: BodyFrames, rate: float) -> float:
    """How fast a clip that walks in place would go [m/s]: as fast as its standing feet go back; 0 where it travels itself."""
    looks = facing(plan, frames)
    balls = _balls(plan, frames)
    along = np.einsum("tfi,ti->tf", balls[..., :2], looks)
    back = -_rates(along, rate)
    ahead = np.einsum("ti,ti->t", _rates(frames.positions[:, 0, :2], rate), looks)
    speeds, own = [], []
    for foot, marks in enumerate(foot_marks(plan, frames, rate)):
        for first, last in marks.stances(len(along)):
            first, last = _low_part(balls[:, foot, 2] + frames.positions[:, 0, 2], first, last)
            inner = slice(first + (last - first) // 4, last + 1 - (last - first) // 4)
            speeds.append(float(np.median(back[inner, foot])))
            own.append(float(np.median(ahead[inner])))
    if not speeds:
        return 0.0
    speed = float(np.median(speeds))
    # Not by where the clip ends: who walks round a corner, or comes back, travels all the same.
    return speed if speed > _TRAVELS and float(np.median(own)) < _IN_PLACE * speed else 0.0


def _rates(values: Array, rate: float) -> Array:
    """How fast values change from frame to frame; 0 in a clip of one or two."""
    return np.gradient(values, axis=0) * rate if len(values) > 2 else np.zeros_like(values)


def carried(plan: BodyPlan, frames: BodyFrames, speed: float, rate: float) -> Array:
    """How far a clip that walks in place has to be carried on, frame by frame, to go at a speed [m], shape (T, 3)."""
    looks = facing(plan, frames).mean(axis=0)
    ahead = np.array([*(looks / max(float(np.linalg.norm(looks)), 1e-9)), 0.0])
    return np.asarray(np.arange(len(frames.positions))[:, None] / rate * speed * ahead)
