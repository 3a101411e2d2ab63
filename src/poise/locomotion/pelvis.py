"""How the pelvis follows the feet: it moves with the ground under the standing foot, as far as both legs reach."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import BodyFrames
from poise.body.plan import BodyPlan
from poise.locomotion.curves import smoothest
from poise.locomotion.feet import FootTrack
from poise.locomotion.footholds import Foothold
from poise.locomotion.stances import Stance

__all__ = ["FootStances", "move_pelvis"]

Array = NDArray[np.float64]

_TIME = 0.16
"""What changes much faster than this is smoothed away [s]."""
_STRETCH, _UTMOST = 0.995, 0.9995
"""A leg reaches to the first share of its length, or as far as the clip has it, to the second at most."""
DEEPEST_FLEXION = float(np.radians(150.0))
"""How far a knee bends under load from outside [rad]; tables of active motion end near 113 degrees."""
_LEEWAY = 0.1
"""How long before and after a leg needs it the pelvis is low enough [s]."""
_NEAR = 0.12
"""How near the pelvis passes the middle of a stance to be drawn to its height: the width of a Gaussian [m]."""


@dataclass(frozen=True, eq=False)
class FootStances:
    """One foot's role, stances, footholds and track."""

    role: str
    stances: Sequence[Stance]
    footholds: Sequence[Foothold]
    track: FootTrack


def move_pelvis(plan: BodyPlan, frames: BodyFrames, feet: Sequence[FootStances], floor: float, rate: float) -> Array:
    """How much further the pelvis is than in the clip [m], shape (T, 3).

    While it passes a standing foot it is drawn to where that foot's ground lies; between stances it moves on the smoothest
    way, lower where a leg would not reach its foot.

    Args:
        plan: The character.
        frames: Its bodies over the clip.
        feet: Both feet.
        floor: Height of the clip's flat ground [m].
        rate: Frames per second [Hz].
    """
    # Slow to import (docs/architecture.md, decision 12).
    from scipy.ndimage import gaussian_filter1d, maximum_filter1d, minimum_filter1d

    count = len(frames.positions)
    weights, wishes = np.zeros(count), np.zeros((count, 3))
    for foot in feet:
        for stance, foothold in zip(foot.stances, foot.footholds, strict=True):
            flat = np.array([*stance.place, floor])
            span = stance.frames
            apart = np.linalg.norm(frames.positions[span, 0, :2] - stance.place, axis=1)
            near = np.exp(-0.5 * ((apart - apart.min()) / _NEAR) ** 2)
            weights[span] += near
            wishes[span] += near[:, None] * (foothold.position - flat)
    drawn = np.divide(wishes, weights[:, None], out=np.zeros_like(wishes), where=weights[:, None] > 0.0)
    free = np.zeros(count, dtype=bool)
    added = smoothest(rate, free, np.zeros((count, 3)), time=_TIME, order=3, weights=weights, wishes=drawn)
    bounds = [_reach(plan, frames, foot, added) for foot in feet]
    upper = np.min([high for _, high in bounds], axis=0)
    lower = np.minimum(np.max([low for low, _ in bounds], axis=0), upper)
    # The bounds themselves are made smooth, to the safe side, or the pelvis would jerk where it meets them.
    window = max(1, round(_LEEWAY * rate))
    upper = gaussian_filter1d(minimum_filter1d(upper, 2 * window + 1), 0.5 * window)
    lower = gaussian_filter1d(maximum_filter1d(lower, 2 * window + 1), 0.5 * window)
    lower = np.minimum(lower, upper)
    added[:, 2] = smoothest(
        rate, free, np.zeros(count), time=_TIME, order=3, weights=weights, wishes=drawn[:, 2], bounds=(lower, upper)
    )
    return added


def _reach(plan: BodyPlan, frames: BodyFrames, foot: FootStances, added: Array) -> tuple[Array, Array]:
    """How far the pelvis may sink and rise before a leg no longer meets its foot [m], shape (T,) each."""
    side = foot.role.removesuffix("_foot")
    thigh, shank, end = (plan.with_role(f"{side}_{part}")[0] for part in ("thigh", "shank", "foot"))
    hip, knee, ankle = (frames.positions[:, body] for body in (thigh, shank, end))
    upper, lower = np.linalg.norm(knee - hip, axis=1), np.linalg.norm(ankle - knee, axis=1)
    own = np.linalg.norm(ankle - hip, axis=1)
    longest = np.clip(own, _STRETCH * (upper + lower), _UTMOST * (upper + lower))
    bent = np.cos(DEEPEST_FLEXION - 0.05)
    shortest = np.minimum(own, np.sqrt(upper**2 + lower**2 + 2.0 * upper * lower * bent))
    aside = np.linalg.norm((foot.track.positions - hip - added)[:, :2], axis=1)
    highest = np.sqrt(np.maximum(longest**2 - aside**2, (0.3 * longest) ** 2))
    lowest = np.sqrt(np.maximum(shortest**2 - aside**2, 0.0))
    level = foot.track.positions[:, 2] - hip[:, 2]
    return level + lowest, level + highest
