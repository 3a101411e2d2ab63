"""What is plotted over time, measured frame by frame from a clip on a body."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.body.capsules import sole_points
from poise.body.coordinates import body_frames, generalized_from_clip
from poise.body.plan import BodyPlan
from poise.math import quat
from poise.metrics import centre_of_mass, foot_contacts, support_margin
from poise.motion.clip import Clip

__all__ = ["Course", "course_of"]

Array = NDArray[np.float64]


class Course(NamedTuple):
    """One motion over time.

    Args:
        times: Of the frames [s], shape (T,).
        bodies: Places of the bodies' joints [m], shape (T, B, 3).
        speed: Horizontal speed of the pelvis [m/s], shape (T,).
        margin: Distance of the centre of mass inside the support polygon [m], NaN without support, shape (T,).
        skate: Mean horizontal speed of the sole points that stand [m/s], NaN where none does, shape (T,).
    """

    times: Array
    bodies: Array
    speed: Array
    margin: Array
    skate: Array


def course_of(plan: BodyPlan, clip: Clip, floor: float) -> Course:
    """Measure a clip; the definitions are those of `poise.metrics` (stance within 3 cm of the ground)."""
    frames = body_frames(plan, generalized_from_clip(plan, clip))
    centres = frames.positions + quat.rotate(frames.rotations, plan.centres)
    feet = sole_points(plan, frames)
    standing = foot_contacts(feet, floor)
    com = centre_of_mass(centres, plan.masses)
    return Course(
        times=clip.times,
        bodies=frames.positions,
        speed=_speeds(frames.positions[:, :1], clip.rate)[:, 0],
        margin=support_margin(com[:, :2], feet, standing),
        skate=_standing_speed(feet, standing, clip.rate),
    )


def _speeds(points: Array, rate: float) -> Array:
    """Horizontal speed of each point, the step before a frame and the step after it in the mean, shape (T, P)."""
    if len(points) < 2:
        return np.zeros(points.shape[:2])
    return np.asarray(np.linalg.norm(np.gradient(points[..., :2], axis=0), axis=-1) * rate)


def _standing_speed(feet: Array, standing: NDArray[np.bool_], rate: float) -> Array:
    result = np.full(len(feet), np.nan)
    steps = np.linalg.norm(np.diff(feet[..., :2], axis=0), axis=-1) * rate
    both = standing[:-1] & standing[1:]
    some = both.any(axis=1)
    result[1:][some] = (steps * both).sum(axis=1)[some] / both.sum(axis=1)[some]
    return result
