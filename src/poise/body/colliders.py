"""Shapes fitted to bones: widths from stature, lengths from the skeleton, orientation from the neutral pose."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.body.plan import Collider
from poise.math import quat

__all__ = ["ANKLE_HEIGHT", "capsule", "fit_colliders"]

Array = NDArray[np.float64]

_Z = np.array([0.0, 0.0, 1.0])
ANKLE_HEIGHT = 0.039
"""Height of the ankle above the sole as a share of stature (Drillis and Contini, in Winter)."""
_FOOT_LENGTH, _HEEL, _FOOT_WIDTH = 0.152, 0.04, 0.055
_RADII = {
    "clavicle": 0.026,
    "upper_arm": 0.027,
    "forearm": 0.022,
    "hand": 0.020,
    "thigh": 0.044,
    "shank": 0.031,
    "neck": 0.032,
}
_HEAD_RADIUS, _HEAD_CENTRE = 0.064, 0.058
_TRUNK_RADIUS, _FLANK_RADIUS = 0.062, 0.056


def capsule(start: Array, end: Array, radius: float) -> Collider:
    """A capsule whose caps are centred on `start` and `end` [m]; a sphere where these are the same point."""
    along, middle = end - start, 0.5 * (start + end)
    length = float(np.linalg.norm(along))
    if length < 1e-6:
        return Collider("sphere", np.array([radius, 0.0, 0.0]), middle, quat.IDENTITY.copy())
    return Collider("capsule", np.array([radius, 0.5 * length, 0.0]), middle, quat.between(_Z, along))


def fit_colliders(
    role: str | None,
    bone: Array,
    neutral: Array,
    stature: float,
    *,
    half_width: float = 0.0,
    below_shoulders: float = 0.0,
) -> tuple[Collider, ...]:
    """The shapes of one body.

    Args:
        role: Its anatomical role; bodies without one get a thin capsule.
        bone: From the joint to the end of its bone in the body's frame [m], shape (3,).
        neutral: World orientation of the body in the neutral pose, shape (4,).
        stature: Standing height [m].
        half_width: Half the distance between the caps of a trunk capsule [m].
        below_shoulders: Height of the shoulders above a trunk joint [m].
    """
    plain = (role or "").removeprefix("left_").removeprefix("right_")
    length = float(np.linalg.norm(bone))
    if plain in ("pelvis", "spine"):
        return _trunk(bone, neutral, stature, half_width, below_shoulders)
    if plain == "head":
        upright = quat.rotate(quat.conj(neutral), _Z)
        # Some files end the head in front of the face.
        up = bone / length if length > 1e-6 and np.dot(bone, upright) > 0.8 * length else upright
        size = np.array([_HEAD_RADIUS * stature, 0.0, 0.0])
        return (Collider("sphere", size, up * _HEAD_CENTRE * stature, quat.IDENTITY.copy()),)
    if plain == "foot":
        return (_foot(bone, neutral, stature),)
    radius = min(_RADII.get(plain, 0.012) * stature, max(0.45 * length, 0.01 * stature))
    inset = min(radius, 0.45 * length) * (bone / max(length, 1e-9))
    if plain == "hand":
        return (capsule(np.zeros(3), bone - inset, radius),)
    return (capsule(np.zeros(3), bone, radius),)


def _trunk(
    bone: Array, neutral: Array, stature: float, half_width: float, below_shoulders: float
) -> tuple[Collider, ...]:
    """A capsule across the body, one along each flank up to the shoulders, and a neck where the bone goes on beyond."""
    across = quat.rotate(quat.conj(neutral), np.array([0.0, half_width, 0.0]))
    length, radius = max(float(np.linalg.norm(bone)), 1e-9), _FLANK_RADIUS * stature
    middle = min(0.5, 0.8 * max(below_shoulders, 0.0) / length) * bone
    whole = capsule(middle - across, middle + across, _TRUNK_RADIUS * stature)
    top = bone / length * np.clip(below_shoulders - 0.5 * radius, 0.0, max(length - 0.6 * radius, 0.5 * length))
    flanks = (capsule(side * across, top + side * across, radius) for side in (1.0, -1.0))
    if length - below_shoulders < _RADII["neck"] * stature:
        return (whole, *flanks)
    # A spine that reaches beyond the shoulders carries the neck.
    return (whole, *flanks, capsule(top, bone, _RADII["neck"] * stature))


def _foot(bone: Array, neutral: Array, stature: float) -> Collider:
    """A box whose bottom is the sole: under the ankle by its height, or by the toe's drop where that is more."""
    toe = quat.rotate(neutral, bone)
    height = max(ANKLE_HEIGHT * stature, -float(toe[2]) + 0.005 * stature)
    front = max((_FOOT_LENGTH - _HEEL) * stature, min(float(toe[0]), 0.16 * stature))
    back = _HEEL * stature
    half = np.array([0.5 * (front + back), 0.5 * _FOOT_WIDTH * stature, 0.5 * height])
    centre = np.array([0.5 * (front - back), 0.0, -0.5 * height])
    inverse = quat.conj(neutral)
    return Collider("box", half, quat.rotate(inverse, centre), inverse)
