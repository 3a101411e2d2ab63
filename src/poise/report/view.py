"""Where to look at a character from, so that nothing stands before it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.body.capsules import body_capsules
from poise.body.coordinates import body_frames
from poise.body.plan import BodyPlan
from poise.math.smoothing import smoothed
from poise.world.render import Camera, Painter

__all__ = ["Shot", "choose_cameras", "common_heading", "standing_before"]

Array = NDArray[np.float64]

_ANGLES = np.radians([50, -50, 65, -65, 35, -35, 85, -85, 20, -20, 105, -105, 130, -130])
"""Where the camera may stand, from straight before the character towards its left; liked best first."""
_LIKING = np.repeat([0.0, 0.03, 0.05, 0.12, 0.18, 0.3, 0.5], 2)
"""What each stand costs, as a share of the points seen."""
_ELEVATION = -0.17
_DISTANCE = 3.25
"""From the eye to the character, in statures, unless it reaches out further."""
_ROOM = 6.3
"""Least distance from the eye, in lengths from the middle of the character to what reaches furthest."""
_BELOW_PELVIS = 0.03
"""Middle of a picture below the pelvis, in statures."""
_ONE_WAY = 0.6
"""Length of the mean of unit vectors along the headings from which on one heading stands for all."""
_BESIDE = 0.1
"""How far beside a limb something counts as standing before it [m]."""
_ARMS = ("upper_arm", "forearm", "hand")


class Shot(NamedTuple):
    """What one picture is to show.

    Args:
        plan: The character to look at.
        positions: Its own generalized positions.
        whole: The world's generalized positions.
        points: Contact points on it [m], shape (k, 3).
        heading: Where it faces [rad].
        skin: Vertices of its skin [m], shape (V, 3), which is to be in the picture.
    """

    plan: BodyPlan
    positions: Array
    whole: Array
    points: Array
    heading: float
    skin: Array | None = None


def common_heading(headings: Array) -> Array:
    """Headings [rad] to stand by, shape (n,): one for all where the character mostly faces one way, else its own, calmed.

    A camera that turned with every sway would make pictures hard to compare.
    """
    mean = np.exp(1j * headings).mean()
    if abs(mean) > _ONE_WAY:
        return np.full(len(headings), np.angle(mean))
    return smoothed(np.unwrap(headings)[:, None], max(0.05 * len(headings), 1.0))[:, 0]


def standing_before(painter: Painter, shot: Shot, camera: Camera) -> frozenset[int]:
    """Geoms of props that hide some of the character or of what touches it."""
    return painter.between(shot.whole, camera, _framed(shot).marks)


def choose_cameras(painter: Painter, shots: Sequence[Shot]) -> list[Camera]:
    """Cameras that look at all shots alike: from the same side, as far away and as high.

    The stand is the one from which most of the characters, their arms above all, and of the contact points is seen.

    Args:
        painter: Who will paint.
        shots: What the pictures are to show, at least one.
    """
    frames = [_framed(shot) for shot in shots]
    distance = max(frame.distance for frame in frames)
    best, liked = np.radians(50.0), -np.inf
    for angle, cost in zip(_ANGLES, _LIKING, strict=True):
        cameras = [_camera(shot, frame, float(angle), distance) for shot, frame in zip(shots, frames, strict=True)]
        seen = np.mean([_share_seen(painter, *each) for each in zip(shots, cameras, frames, strict=True)])
        if seen - cost > liked:
            best, liked = float(angle), float(seen - cost)
    return [_camera(shot, frame, best, distance) for shot, frame in zip(shots, frames, strict=True)]


def _camera(shot: Shot, frame: _Frame, angle: float, distance: float) -> Camera:
    return Camera(target=frame.target, azimuth=shot.heading + angle + np.pi, elevation=_ELEVATION, distance=distance)


class _Frame(NamedTuple):
    """Middle of a shot [m], how far away one has to stand for it [m], what is to be seen [m] (n, 3), and how much of each."""

    target: Array
    distance: float
    marks: Array
    weights: Array


def _framed(shot: Shot) -> _Frame:
    plan = shot.plan
    capsules = body_capsules(plan, body_frames(plan, shot.positions[None]))
    ends = np.concatenate([capsules.starts[0], capsules.ends[0]])
    outline = ends if shot.skin is None else np.concatenate([ends, shot.skin])
    target = 0.5 * (outline.min(axis=0) + outline.max(axis=0))
    # Up and down goes the body, not the camera, unless the body leaves the picture.
    height = shot.positions[2] - _BELOW_PELVIS * plan.stature
    target[2] = np.clip(height, target[2] - 0.1 * plan.stature, target[2] + 0.1 * plan.stature)
    reach = float(np.linalg.norm(outline - target, axis=1).max())
    arms = [any((plan.body_roles[body] or "").endswith(part) for part in _ARMS) for body in capsules.bodies]
    weights = np.where(arms, 2.0, 1.0)
    return _Frame(
        target,
        max(_DISTANCE * plan.stature, _ROOM * reach),
        np.concatenate([ends, shot.points]),
        np.concatenate([weights, weights, np.full(len(shot.points), 8.0)]),
    )


def _share_seen(painter: Painter, shot: Shot, camera: Camera, frame: _Frame) -> float:
    aside = _BESIDE * camera.right
    around = np.concatenate([frame.marks, frame.marks - aside, frame.marks + aside])
    seen = painter.visible(shot.whole, camera, around)
    return float(np.tile(frame.weights, 3) @ seen / (3.0 * frame.weights.sum()))
