"""What is measured of a walk on uneven ground: feet in the ground, over it and sliding on it, knees, and the pelvis' jerk."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.body.capsules import sole_points
from poise.body.coordinates import body_frames, generalized_from_clip
from poise.body.limits import anatomical, swing_twist_angles
from poise.body.plan import BodyPlan
from poise.locomotion.soles import FEET, find_sole
from poise.math import quat
from poise.metrics import jerk
from poise.runtime import Character
from poise.scenes.terrain import noise_field
from poise.signals import Ground
from poise.world import TerrainGround

__all__ = ["FootQuality", "footing", "knee_flexion", "rough_ground", "sole_heights"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class FootQuality:
    """Of a motion on a ground: lengths in metres, angles in degrees."""

    deepest: float
    """Heel or ball in the ground."""
    hover: float
    """Nearest part of a standing sole over the ground."""
    slide: float
    """Standing heel or ball from frame to frame."""
    knees: Array
    """Flexion, shape (T, 2)."""
    jerk: float
    """Mean of the pelvis [m/s³]."""


def footing(who: Character, mask: NDArray[np.bool_], ground: Ground) -> FootQuality:
    """Measure a character's clip on a ground.

    Args:
        who: The character.
        mask: Which of heels and balls stand, in the order of `poise.locomotion.CONTACTS`, shape (T, 4).
        ground: What it walks on.
    """
    plan, clip = who.plan, who.clip
    keys = generalized_from_clip(plan, clip)
    frames = body_frames(plan, keys)
    points = sole_points(plan, frames)
    depth = ground.height(points[..., :2]) - points[..., 2]
    soles = sole_heights(plan, keys, ground, clip.times)
    hovers = [soles[f][mask[:, 2 * f : 2 * f + 2].any(axis=1)].min(axis=1) for f in range(2)]
    ends = points.reshape(len(clip), 4, 2, 3).mean(axis=2)
    slides = np.linalg.norm(np.diff(ends, axis=0), axis=-1) * (mask[:-1] & mask[1:])
    return FootQuality(
        deepest=float(depth.max()),
        hover=float(max(each.max(initial=0.0) for each in hovers)),
        slide=float(slides.max()),
        knees=knee_flexion(plan, keys),
        jerk=float(jerk(frames.positions[:, :1], clip.rate).mean()),
    )


def sole_heights(plan: BodyPlan, keys: Array, ground: Ground, times: Array) -> list[Array]:
    """Heights over the ground of points all over each sole, toes bent up to the level of the ball, (T, 21) each."""
    frames, result = body_frames(plan, keys), []
    for role in FEET:
        sole = find_sole(plan, role)
        points = frames.positions[:, sole.body, None] + quat.rotate(frames.rotations[:, sole.body, None], sole.grid())
        points[:, 18:, 2] = np.maximum(points[:, 18:, 2], points[:, 15:18, 2])
        result.append(points[..., 2] - ground.height(points[..., :2], np.broadcast_to(times[:, None], (len(keys), 21))))
    return result


def knee_flexion(plan: BodyPlan, keys: Array) -> Array:
    """Flexion of left and right knee [degrees] at generalized positions (T, nq), shape (T, 2)."""
    angles = swing_twist_angles(anatomical(keys[:, 3:].reshape(len(keys), -1, 4), plan.neutral))
    return np.asarray(np.degrees(angles[:, list(plan.with_role("left_shank", "right_shank")), 1]))


def rough_ground(who: Character, amplitude: float, seed: int) -> TerrainGround:
    """Rolling ground all over the clip's way, as high as its floor on average.

    Args:
        who: The character.
        amplitude: Half the height between valleys and hills [m].
        seed: Of the ground.
    """
    places = generalized_from_clip(who.plan, who.clip)[:, :2]
    x, y = 0.5 * (places.min(axis=0) + places.max(axis=0))
    low = who.floor - amplitude
    field = noise_field("field", (x, y, low), (14.0, 14.0), cell=0.5, amplitude=amplitude, seed=seed, rim=False)
    return TerrainGround([field], None)
