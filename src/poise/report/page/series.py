"""What is plotted over time, measured frame by frame from a clip on a body."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.body.capsules import sole_points
from poise.body.coordinates import body_frames, generalized_from_clip
from poise.body.plan import BodyPlan
from poise.math import quat
from poise.metrics import centre_of_mass, foot_contacts, jerk, support_margin, weighted_steps
from poise.motion.clip import Clip
from poise.report.measured import ground_under
from poise.signals import Ground

__all__ = ["Course", "course_of"]

Array = NDArray[np.float64]


class Course(NamedTuple):
    """One motion over time.

    Args:
        times: Of the frames [s], shape (T,).
        bodies: Places of the bodies' joints [m], shape (T, B, 3).
        speed: Horizontal speed of the pelvis [m/s], shape (T,).
        height: Height of the centre of mass over the ground [m], shape (T,).
        margin: Distance of the centre of mass inside the support polygon [m], NaN without support, shape (T,).
        skate: Mean horizontal speed of the sole points, each by how near it is to the ground [m/s], shape (T,).
        jerk: Mean jerk of the bodies' joints [m/s³], NaN at the ends, shape (T,).
    """

    times: Array
    bodies: Array
    speed: Array
    height: Array
    margin: Array
    skate: Array
    jerk: Array


def course_of(plan: BodyPlan, clip: Clip, floor: float | Ground) -> Course:
    """Measure a clip on flat ground or terrain; the definitions are those of `poise.metrics` (stance within 3 cm)."""
    frames = body_frames(plan, generalized_from_clip(plan, clip))
    centres = frames.positions + quat.rotate(frames.rotations, plan.centres)
    feet = sole_points(plan, frames)
    ground = ground_under(floor, feet, clip.times)
    standing = foot_contacts(feet, ground)
    com = centre_of_mass(centres, plan.masses)
    return Course(
        times=clip.times,
        bodies=frames.positions,
        speed=_speeds(frames.positions[:, :1], clip.rate)[:, 0],
        height=com[:, 2] - np.broadcast_to(ground_under(floor, com[:, None], clip.times), (len(com), 1))[:, 0],
        margin=support_margin(com[:, :2], feet, standing),
        skate=np.append(np.nan, clip.rate * weighted_steps(feet, ground).mean(axis=1)),
        jerk=_mean_jerk(frames.positions, clip.rate),
    )


def _speeds(points: Array, rate: float) -> Array:
    """Horizontal speed of each point, the step before a frame and the step after it in the mean, shape (T, P)."""
    if len(points) < 2:
        return np.zeros(points.shape[:2])
    return np.asarray(np.linalg.norm(np.gradient(points[..., :2], axis=0), axis=-1) * rate)


def _mean_jerk(points: Array, rate: float) -> Array:
    """The third difference over frames t - 1 … t + 2 is put at t."""
    result = np.full(len(points), np.nan)
    values = jerk(points, rate).mean(axis=1)
    result[1 : 1 + len(values)] = values
    return result
