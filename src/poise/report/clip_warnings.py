"""What makes one doubt a clip once it has a body."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import BodyFrames, clip_frames
from poise.body.ground import flies, ground_drift, lowest_points
from poise.body.plan import BodyPlan
from poise.characters.in_place import find_travel
from poise.metrics import floating
from poise.motion.clip import Clip
from poise.report.joint_ranges import FAR, range_summary

__all__ = ["clip_warnings", "made_in_place"]

Array = NDArray[np.float64]

_FLOATS = 0.055
"""Height of whatever is lowest over the ground, in the mean without jumps, that no motion has, in statures."""
_FASTEST = 11.5
"""Speed of the fastest joint, one frame in twenty faster, that no motion has [statures per second]: sprints have 6."""
_STILL = 1e-3
"""A body of which nothing goes farther does not move [m]."""
_SUPPLE = 5.0
"""Frames with a joint far outside a person's range that are told [%]: the captured people in tests have fewer."""
_SIZES = (0.6, 2.5)
"""Statures that people have, from a year old [m]."""
_DRIFTS = 0.03
"""Drift of the ground over a take that is told [m]."""


def made_in_place(plan: BodyPlan, clip: Clip) -> list[str]:
    """A line about a cycle that was made in place; none where a clip moves over the ground, or stands on it.

    Args:
        plan: Its body.
        clip: The motion.
    """
    travel = find_travel(clip, plan)
    if not travel.in_place:
        return []
    return [
        f"in place: the standing foot slides, as if the ground moved by at {travel.speed:.2f} m/s; --cycles N plays it N times "
        f"over the ground, towards {round(np.degrees(travel.heading))}° from x"
    ]


def clip_warnings(plan: BodyPlan, clip: Clip, floor: float) -> list[str]:
    """What is odd, a line each: nobody moves, is so big or so fast, the ground drifts, feet hang, joints turn too far.

    Args:
        plan: Its body.
        clip: The motion.
        floor: Height of the ground it was recorded on [m].
    """
    frames = clip_frames(plan, clip)
    moves = float(np.ptp(frames.positions, axis=0).max(initial=0.0))
    if moves < _STILL:
        frames_named = "this one frame" if len(clip) == 1 else f"these {len(clip)} frames"
        return [
            *_odd_size(plan),
            f"nobody moves in {frames_named}: choose another animation or take (--animation), or put a motion onto this "
            f"character: poise run forest --character {Path(clip.source.path).name or 'FILE'}",
        ]
    return [
        *_odd_size(plan),
        *_too_fast(frames.positions, clip.rate, plan.stature),
        *_off_the_ground(plan, frames, clip, floor),
        *_beyond_range(plan, clip),
    ]


def _odd_size(plan: BodyPlan) -> list[str]:
    if _SIZES[0] <= plan.stature <= _SIZES[1]:
        return []
    return [
        f"the body is {plan.stature:.2f} m tall and has {plan.total_mass:.0f} kg, which nobody has: is the unit right "
        "(--unit)? What it is hit by, how fast it falls and what it can carry follow from its size"
    ]


def _too_fast(positions: Array, rate: float, stature: float) -> list[str]:
    if len(positions) < 3:
        return []
    fastest = np.linalg.norm(np.diff(positions, axis=0), axis=-1).max(axis=1) * rate
    usual = float(np.percentile(fastest, 95.0))
    if usual <= _FASTEST * stature:
        return []
    return [
        f"joints move at {usual:.0f} m/s, which nobody does: is the frame rate of {rate:g} Hz right (--rate), "
        "or the unit (--unit)?"
    ]


def _beyond_range(plan: BodyPlan, clip: Clip) -> list[str]:
    summary = range_summary(plan, clip)
    if summary.percent[-1] <= _SUPPLE:
        return []
    worst = summary.joints[0]
    return [
        f"joints are more than {FAR:g}° outside a person's range in {summary.percent[-1]:.0f} % of the frames ({worst.joint}: "
        f"{worst.angle}, by up to {worst.most_deg:.0f}°); physics lets them. If nobody is that supple here: are the "
        "roles right (--roles), or the turns of bones that the motion gave (--axes rest)?"
    ]


def _off_the_ground(plan: BodyPlan, frames: BodyFrames, clip: Clip, floor: float) -> list[str]:
    drift = float(ground_drift(plan, frames, clip.rate)[-1])
    if abs(drift) > _DRIFTS:
        return [
            f"the level that feet stand at {'rises' if drift > 0.0 else 'sinks'} steadily, by {100.0 * abs(drift):.0f} cm over "
            "the take: a slope, or a drift that --level takes out"
        ]
    points = np.zeros((len(clip), 1, 3))
    points[:, 0, 2] = lowest_points(plan, frames)
    gap = floating(points, floor, grounded=~flies(plan, frames, clip.rate))
    if not gap.mean_mm > 1e3 * _FLOATS * plan.stature:
        return []
    return [
        f"both feet are off the ground in {gap.frames_percent:.0f} % of the frames, {0.1 * gap.mean_mm:.0f} cm in the mean: "
        "the clip floats or its height changes; --floor, or `floor` in a scene file, says where the ground is"
    ]
