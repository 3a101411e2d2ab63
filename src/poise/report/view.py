"""Where to look at a character from, so that nothing stands before it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.body.capsules import body_capsules
from poise.body.coordinates import body_frames
from poise.body.plan import BodyPlan
from poise.math import quat
from poise.world.render import Camera, Painter

__all__ = ["choose_camera", "facing"]

Array = NDArray[np.float64]

_ANGLES = np.radians([50, -50, 65, -65, 35, -35, 85, -85, 20, -20, 105, -105, 130, -130])
"""Where the camera may stand, from straight before the character towards its left; liked best first."""
_LIKING = np.repeat([0.0, 0.01, 0.02, 0.05, 0.07, 0.12, 0.2], 2)
"""What each stand costs, as a share of the points seen."""
_ELEVATION = -0.17
_DISTANCE = 3.25
"""From the eye to the character, in statures, unless it reaches out further."""
_ROOM = 6.3
"""Least distance from the eye, in lengths from the middle of the character to what reaches furthest."""
_BESIDE = 0.1
"""How far beside a limb something counts as standing before it [m]."""
_ARMS = ("upper_arm", "forearm", "hand")


def facing(plan: BodyPlan, positions: Array) -> float:
    """Heading of the pelvis from x towards y [rad] at generalized positions of the character."""
    turn = quat.mul(positions[3:7], quat.conj(plan.neutral[0]))
    ahead = quat.rotate(turn, np.array([1.0, 0.0, 0.0]))
    return float(np.arctan2(ahead[1], ahead[0]))


def choose_camera(
    painter: Painter,
    plan: BodyPlan,
    positions: Array,
    whole: Array,
    points: Array,
    heading: float,
    skin: Array | None = None,
) -> Camera:
    """The stand from which most of the character, its arms above all, and of the contact points is seen.

    Args:
        painter: Who will paint.
        plan: The character to look at.
        positions: Its own generalized positions.
        whole: The world's generalized positions.
        points: Contact points on it [m], shape (k, 3).
        heading: Where it faces [rad].
        skin: Vertices of its own skin [m], shape (V, 3), which is to be in the picture.
    """
    frames = body_frames(plan, positions[None])
    capsules = body_capsules(plan, frames)
    ends = np.concatenate([capsules.starts[0], capsules.ends[0]])
    outline = ends if skin is None else np.concatenate([ends, skin])
    target = 0.5 * (outline.min(axis=0) + outline.max(axis=0))
    reach = float(np.linalg.norm(outline - target, axis=1).max())
    distance = max(_DISTANCE * plan.stature, _ROOM * reach)
    marks = np.concatenate([ends, points])
    arms = [any((plan.body_roles[body] or "").endswith(part) for part in _ARMS) for body in capsules.bodies]
    weights = np.where(arms, 2.0, 1.0)
    weights = np.concatenate([weights, weights, np.full(len(points), 8.0)])
    cameras = [
        Camera(
            target=target,
            azimuth=heading + float(angle) + np.pi,
            elevation=_ELEVATION,
            distance=distance,
        )
        for angle in _ANGLES
    ]
    seen = [_share_seen(painter, whole, camera, marks, weights) for camera in cameras]
    return cameras[int(np.argmax(np.array(seen) - _LIKING))]


def _share_seen(painter: Painter, whole: Array, camera: Camera, marks: Array, weights: Array) -> float:
    aside = _BESIDE * camera.right
    around = np.concatenate([marks, marks - aside, marks + aside])
    return float(np.tile(weights, 3) @ painter.visible(whole, camera, around) / (3.0 * weights.sum()))
