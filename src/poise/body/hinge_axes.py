"""About which axes elbows and knees bend, fitted to the motion.

A bone's direction in the neutral pose says nothing of how it is turned about itself, and files turn upper arms as they please.
An elbow is a hinge, though: whatever it does, it bends one way. That way, in the mean over the clip, is flexion; the axes of
forearm and shank are turned about the bone until it is (a plain case of the functional axes that Ehrig et al. 2007 survey).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.body.limits import anatomical, swing_twist_angles
from poise.body.plan import BodyPlan
from poise.math import quat

__all__ = ["hinge_axes"]

Array = NDArray[np.float64]

_FLEXION = {"forearm": -1.0, "shank": 1.0}
"""Bodies below a hinge, and the sign of flexion about y there."""
_BENT = np.radians(15.0)
"""A straighter joint does not tell where it bends to [rad]."""
_FEWEST = 5
"""Bent frames that must be there."""
_STRAIGHT = 0.8
"""How much of all bending must be in one direction: a hinge gives 1, a ball joint that goes about 0."""


def hinge_axes(plan: BodyPlan, coordinates: Array) -> Array:
    """Anatomical axes of each body's joint, shape (B, 4); the neutral orientation where there is no hinge, or none that bends.

    Args:
        plan: The body.
        coordinates: Joint coordinates over the clip, shape (T, B, 4).
    """
    axes = plan.neutral.copy()
    for body, role in enumerate(plan.body_roles):
        sign = _FLEXION.get((role or "").rpartition("_")[2])
        if sign is None:
            continue
        swing = swing_twist_angles(anatomical(coordinates[:, body : body + 1], plan.neutral[body : body + 1]))[:, 0, :2]
        size = np.linalg.norm(swing, axis=1)
        bent = size > _BENT
        if bent.sum() < _FEWEST:
            continue
        x, y = swing[bent].mean(axis=0)
        if np.hypot(x, y) < _STRAIGHT * size[bent].mean():
            continue
        # Turned about the bone, the mean of all bending comes to lie along y.
        turn = np.arctan2(sign, 0.0) - np.arctan2(y, x)
        axes[body] = quat.mul(quat.exp(np.array([0.0, 0.0, turn])), plan.neutral[body])
    return axes
