"""How often a motion has joints outside the range of a person's, and which."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import generalized_from_clip
from poise.body.plan import BodyPlan
from poise.body.range_of_motion import range_angles
from poise.motion.clip import Clip

__all__ = ["FAR", "LIMITS", "JointBeyond", "RangeSummary", "range_summary"]

LIMITS = (0.0, 3.0, 15.0)
"""Beyond how much frames are counted [deg]."""
FAR = LIMITS[-1]
"""Farther is more than people differ from one another: a choice, half more than the ten degrees we reckon with [deg]."""
_NOTHING = 1e-4
"""A pose at the end of a range is within it [deg]."""


class JointBeyond(NamedTuple):
    """One angle of a joint: who, which, shares of frames [%] beyond each of `LIMITS`, and the most [deg]."""

    joint: str
    role: str
    angle: str
    percent: tuple[float, ...]
    most_deg: float


class RangeSummary(NamedTuple):
    """Shares of frames [%] in which any joint is beyond each of `LIMITS`; the angles that ever are, those most often first."""

    percent: tuple[float, ...]
    joints: tuple[JointBeyond, ...]


def range_summary(plan: BodyPlan, clip: Clip) -> RangeSummary:
    """How often a clip leaves the range of a person's joints.

    Args:
        plan: Its body.
        clip: The motion.
    """
    measured = range_angles(plan, generalized_from_clip(plan, clip)[:, 3:].reshape(len(clip), len(plan), 4))
    outside = np.degrees(measured.outside)
    joints = [
        JointBeyond(
            plan.names[body],
            plan.body_roles[body] or "",
            kind,
            _percent(outside[:, column]),
            float(outside[:, column].max()),
        )
        for column, (body, kind) in enumerate(zip(measured.bodies, measured.kinds, strict=True))
        if outside[:, column].max() > _NOTHING
    ]
    joints.sort(key=lambda each: (each.percent[::-1], each.most_deg), reverse=True)
    return RangeSummary(_percent(outside.max(axis=1)), tuple(joints))


def _percent(outside: NDArray[np.float64]) -> tuple[float, ...]:
    return tuple(100.0 * float(np.mean(outside > max(limit, _NOTHING))) for limit in LIMITS)
