"""What the metrics need to know of a clip on a body."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.body.capsules import body_capsules, sole_points
from poise.body.coordinates import BodyFrames, clip_frames, generalized_from_clip
from poise.body.ground import flies
from poise.body.plan import BodyPlan
from poise.body.range_of_motion import range_angles
from poise.math import quat
from poise.math.spline import PositionSpline, RotationSpline
from poise.metrics import Bodies, ContactLog, JointAngles, Motion
from poise.metrics.penetration import pair_penetration
from poise.motion.clip import Clip
from poise.signals import Ground

__all__ = ["ground_under", "motion_of", "moving_bodies"]

Array = NDArray[np.float64]


def motion_of(
    plan: BodyPlan,
    clip: Clip,
    floor: float | Ground,
    *,
    contacts: ContactLog | None = None,
    efforts: tuple[Array, Array] | None = None,
    shallow: bool = False,
) -> Motion:
    """What the metrics need to know of a clip on a body.

    Args:
        plan: The body.
        clip: Its motion.
        floor: Height of the ground [m], or the ground itself where it is not flat.
        contacts: What touched, where physics was run.
        efforts: Joint torques [N m] and velocities [rad/s] at the clip's frames, shape (T, B-1, 3) each.
        shallow: Whether masses in motion and overlaps are left out. `energy`, `balance` and `penetration` are then not
            measured, and neither splines nor compiled loops are loaded for them.
    """
    keys = generalized_from_clip(plan, clip)
    frames = clip_frames(plan, clip)
    torques, velocities = efforts if efforts is not None else (None, None)
    feet = sole_points(plan, frames)
    return Motion(
        rate=clip.rate,
        positions=clip.world()[1],
        rotations=clip.rotations,
        feet=feet,
        floor=ground_under(floor, feet, clip.times),
        aloft=flies(plan, frames, clip.rate),
        root=int(plan.joints[0]),
        bodies=None if shallow else moving_bodies(plan, clip.times, frames),
        angles=_angles(plan, keys),
        penetration=None if shallow else _self_penetration(plan, frames),
        contacts=contacts,
        torques=torques,
        velocities=velocities,
    )


def ground_under(floor: float | Ground, points: Array, times: Array) -> float | Array:
    """Height of the ground [m]: one number, or under each of the points (T, F, 3) at its time, shape (T, F).

    Over a hole it is the point's own, so that it counts as clear.
    """
    if isinstance(floor, float):
        return floor
    heights = floor.height(points[..., :2], times[:, None])
    return np.where(np.isnan(heights), points[..., 2], heights)


def moving_bodies(plan: BodyPlan, times: Array, frames: BodyFrames) -> Bodies:
    """Masses and motion of a body at `times` [s], shape (T,), by splines through its frames."""
    centres = frames.positions + quat.rotate(frames.rotations, plan.centres)
    spin = RotationSpline(times, frames.rotations).angular_velocity(times)
    return Bodies(
        masses=plan.masses,
        inertias=plan.inertias,
        positions=centres,
        orientations=frames.rotations,
        velocities=PositionSpline(times, centres)(times, 1),
        angular_velocities=quat.rotate(frames.rotations, spin),
    )


def _angles(plan: BodyPlan, keys: Array) -> JointAngles:
    """Against the range of people's joints, which the clip itself may exceed; the simulation's are wide enough for the clip."""
    measured = range_angles(plan, keys[:, 3:].reshape(len(keys), len(plan), 4))
    return JointAngles(measured.angles, measured.lower, measured.upper)


def _self_penetration(plan: BodyPlan, frames: BodyFrames) -> Array:
    """Overlap of every pair of bodies that are more than three joints apart [m], shape (T, P).

    Nearer ones meet at a joint, where capsules overlap by design.
    """
    capsules = body_capsules(plan, frames)
    count = len(capsules.bodies)
    pairs = [
        (i, j)
        for i in range(count)
        for j in range(i + 1, count)
        if sum(plan.joints_between(int(capsules.bodies[i]), int(capsules.bodies[j]))) > 3
    ]
    return np.asarray(pair_penetration(capsules.starts, capsules.ends, capsules.radii, np.array(pairs)))
