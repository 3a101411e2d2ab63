"""Colliders as capsules, for distances between bodies without a physics engine; and the soles of the feet."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import BodyFrames
from poise.body.plan import BodyPlan, Collider
from poise.math import quat

__all__ = ["BodyCapsules", "body_capsules", "sole_points"]

Array = NDArray[np.float64]


class BodyCapsules(NamedTuple):
    """Capsules of a moving body: cap centres [m] (T, C, 3) each, radii [m] (C,), and the body each belongs to (C,)."""

    starts: Array
    ends: Array
    radii: Array
    bodies: NDArray[np.int64]


def _segment(collider: Collider) -> tuple[Array, Array, float]:
    """Cap centres in the body's frame and radius; a box becomes the capsule along its longest edge."""
    axis = int(np.argmax(collider.size)) if collider.kind == "box" else 2
    if collider.kind == "sphere":
        return collider.position, collider.position, float(collider.size[0])
    if collider.kind == "capsule":
        radius, half = float(collider.size[0]), float(collider.size[1])
    else:
        radius = float(np.min(collider.size))
        half = float(collider.size[axis]) - radius
    along = quat.rotate(collider.rotation, half * np.eye(3)[axis])
    return collider.position - along, collider.position + along, radius


def body_capsules(plan: BodyPlan, frames: BodyFrames) -> BodyCapsules:
    """The plan's colliders at the given body frames, as capsules."""
    bodies = [body for body, shapes in enumerate(plan.colliders) for _ in shapes]
    segments = [_segment(collider) for shapes in plan.colliders for collider in shapes]
    place, turn = frames.positions[:, bodies], frames.rotations[:, bodies]
    starts = place + quat.rotate(turn, np.array([start for start, _, _ in segments]))
    ends = place + quat.rotate(turn, np.array([end for _, end, _ in segments]))
    return BodyCapsules(starts, ends, np.array([radius for _, _, radius in segments]), np.array(bodies))


def sole_points(plan: BodyPlan, frames: BodyFrames) -> Array:
    """Outer and inner corner of heel and ball of the left, then of the right foot, on the sole [m], shape (T, 8, 3)."""
    points = []
    for side in ("left_foot", "right_foot"):
        body = plan.with_role(side)[0]
        box = next(collider for collider in plan.colliders[body] if collider.kind == "box")
        for front, across in ((-0.8, 0.8), (-0.8, -0.8), (0.6, 0.8), (0.6, -0.8)):
            corner = box.position + quat.rotate(box.rotation, box.size * np.array([front, across, -1.0]))
            points.append(frames.positions[:, body] + quat.rotate(frames.rotations[:, body], corner))
    return np.stack(points, axis=1)
