"""Shapes fitted to bones: widths from stature, lengths from the skeleton, orientation from the neutral pose."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.body.girth import Girth
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
    girth: Girth | None = None,
) -> tuple[Collider, ...]:
    """The shapes of one body.

    Args:
        role: Its anatomical role; bodies without one get a thin capsule.
        bone: From the joint to the end of its bone in the body's frame [m], shape (3,).
        neutral: World orientation of the body in the neutral pose, shape (4,).
        stature: Standing height [m].
        half_width: Half the distance between the caps of a trunk capsule [m].
        below_shoulders: Height of the shoulders above a trunk joint [m].
        girth: The skin around the body, which then decides its widths.
    """
    plain = (role or "").removeprefix("left_").removeprefix("right_")
    length = float(np.linalg.norm(bone))
    if plain in ("pelvis", "spine"):
        return _trunk(bone, neutral, _trunk_shape(stature, half_width, girth), below_shoulders, stature)
    if plain == "head":
        return (_head(bone, neutral, stature, girth),)
    if plain == "foot":
        return (_foot(bone, neutral, stature, girth),)
    usual = _RADII.get(plain, 0.012) * stature if girth is None else max(girth.radius, 0.005 * stature)
    radius = min(usual, max(0.45 * length, 0.01 * stature))
    inset = min(radius, 0.45 * length) * (bone / max(length, 1e-9))
    if plain == "hand":
        return (capsule(np.zeros(3), bone - inset, radius),)
    return (capsule(np.zeros(3), bone, radius),)


class _TrunkShape(NamedTuple):
    """Radius of the capsule across, of the flanks, half the distance between caps, and how far it sits forward [m]."""

    radius: float
    flank: float
    half_width: float
    forward: float


def _trunk_shape(stature: float, half_width: float, girth: Girth | None) -> _TrunkShape:
    if girth is None:
        return _TrunkShape(_TRUNK_RADIUS * stature, _FLANK_RADIUS * stature, half_width, 0.0)
    depth, width = float(girth.half[0]), float(girth.half[1])
    radius = max(min(depth, width), 0.01 * stature)
    return _TrunkShape(radius, 0.9 * radius, max(width - radius, 0.1 * radius), float(girth.middle[0]))


def _trunk(
    bone: Array, neutral: Array, shape: _TrunkShape, below_shoulders: float, stature: float
) -> tuple[Collider, ...]:
    """A capsule across the body, one along each flank up to the shoulders, and a neck where the bone goes on beyond."""
    inverse = quat.conj(neutral)
    across = quat.rotate(inverse, np.array([0.0, shape.half_width, 0.0]))
    forward = quat.rotate(inverse, np.array([shape.forward, 0.0, 0.0]))
    length = max(float(np.linalg.norm(bone)), 1e-9)
    middle = min(0.5, 0.8 * max(below_shoulders, 0.0) / length) * bone + forward
    whole = capsule(middle - across, middle + across, shape.radius)
    reach = np.clip(below_shoulders - 0.5 * shape.flank, 0.0, max(length - 0.6 * shape.flank, 0.5 * length))
    top = bone / length * reach
    flanks = (capsule(forward + s * across, top + forward + s * across, shape.flank) for s in (1.0, -1.0))
    if length - below_shoulders < _RADII["neck"] * stature:
        return (whole, *flanks)
    # A spine that reaches beyond the shoulders carries the neck.
    return (whole, *flanks, capsule(top, bone, _RADII["neck"] * stature))


def _head(bone: Array, neutral: Array, stature: float, girth: Girth | None) -> Collider:
    inverse, length = quat.conj(neutral), float(np.linalg.norm(bone))
    if girth is not None:
        radius = max(float(np.mean(girth.half)), 0.01 * stature)
        centre = quat.rotate(inverse, girth.middle)
        return Collider("sphere", np.array([radius, 0.0, 0.0]), centre, quat.IDENTITY.copy())
    upright = quat.rotate(inverse, _Z)
    # Some files end the head in front of the face.
    up = bone / length if length > 1e-6 and np.dot(bone, upright) > 0.8 * length else upright
    size = np.array([_HEAD_RADIUS * stature, 0.0, 0.0])
    return Collider("sphere", size, up * _HEAD_CENTRE * stature, quat.IDENTITY.copy())


def _foot(bone: Array, neutral: Array, stature: float, girth: Girth | None) -> Collider:
    """A box whose bottom is the sole: under the ankle by its height, or by the toe's drop where that is more."""
    inverse = quat.conj(neutral)
    if girth is not None:
        # The sole is the lowest skin, which the percentiles leave out a little of.
        half = np.maximum(1.05 * girth.half, 0.01 * stature)
        return Collider("box", half, quat.rotate(inverse, girth.middle), inverse)
    toe = quat.rotate(neutral, bone)
    height = max(ANKLE_HEIGHT * stature, -float(toe[2]) + 0.005 * stature)
    front = max((_FOOT_LENGTH - _HEEL) * stature, min(float(toe[0]), 0.16 * stature))
    back = _HEEL * stature
    half = np.array([0.5 * (front + back), 0.5 * _FOOT_WIDTH * stature, 0.5 * height])
    centre = np.array([0.5 * (front - back), 0.0, -0.5 * height])
    return Collider("box", half, quat.rotate(inverse, centre), inverse)
