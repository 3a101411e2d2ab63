"""How thick a character is, from its skin: what colliders are fitted to where there is one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.math import quat
from poise.motion.skeleton import Skeleton
from poise.motion.skin import SkinnedMesh

__all__ = ["Girth", "measure_girths"]

Array = NDArray[np.float64]

_FEWEST = 12
"""Vertices below which a body's skin says nothing."""


@dataclass(frozen=True, eq=False)
class Girth:
    """The skin around one body.

    Args:
        radius: Median distance of the skin from the bone's line, along its middle part [m].
        low: 5th percentile of the skin in neutral axes (x forward, y left, z up) about the joint [m], shape (3,).
        high: 95th percentile of the same [m], shape (3,).
    """

    radius: float
    low: Array
    high: Array

    @property
    def middle(self) -> Array:
        """Centre of the skin in neutral axes [m], shape (3,)."""
        return 0.5 * (self.low + self.high)

    @property
    def half(self) -> Array:
        """Half extents in neutral axes [m], shape (3,)."""
        return 0.5 * (self.high - self.low)


def measure_girths(
    mesh: SkinnedMesh, skeleton: Skeleton, joints: NDArray[np.int64], bones: Array, neutral: Array
) -> list[Girth | None]:
    """The girth of each body, None where it has too little skin of its own.

    A vertex belongs to the body that carries the joint it follows most.

    Args:
        mesh: The skin.
        skeleton: The joints.
        joints: Joint of each body, shape (B,).
        bones: From each body's joint to the end of its bone, in the body's frame [m], shape (B, 3).
        neutral: World orientation of each body in the neutral pose, shape (B, 4).
    """
    carrier = _carriers(skeleton, joints)
    strongest = mesh.joints[np.arange(len(mesh.joints)), np.argmax(mesh.weights, axis=1)]
    owner = carrier[strongest]
    girths: list[Girth | None] = []
    for body, joint in enumerate(joints):
        own = mesh.vertices[owner == body]
        if len(own) < _FEWEST:
            girths.append(None)
            continue
        transform = mesh.inverse_bind[joint]
        girths.append(_girth(own @ transform[:3, :3].T + transform[:3, 3], bones[body], neutral[body]))
    return girths


def _carriers(skeleton: Skeleton, joints: NDArray[np.int64]) -> NDArray[np.int64]:
    """The body each joint rides on, -1 above the pelvis."""
    number = {int(joint): body for body, joint in enumerate(joints)}
    carrier = np.full(len(skeleton), -1)
    for joint, parent in enumerate(skeleton.parents):
        carrier[joint] = number.get(joint, carrier[parent] if parent >= 0 else -1)
    return carrier


def _girth(points: Array, bone: Array, neutral: Array) -> Girth:
    length = max(float(np.linalg.norm(bone)), 1e-9)
    along = points @ bone / length**2
    inside = (along > 0.15) & (along < 0.85)
    chosen = points[inside] if inside.sum() >= _FEWEST else points
    distance = np.linalg.norm(chosen - np.outer(chosen @ bone / length**2, bone), axis=1)
    turned = quat.rotate(neutral, points)
    return Girth(float(np.median(distance)), np.percentile(turned, 5.0, axis=0), np.percentile(turned, 95.0, axis=0))
