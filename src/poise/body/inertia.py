"""Inertia tensors of simple solids about their centre, and how tensors move and add."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.body.plan import Collider
from poise.math import quat

__all__ = ["about", "collider_inertia", "rod_inertia"]

Array = NDArray[np.float64]


def _principal(collider: Collider) -> Array:
    """Moments about the collider's own axes for unit mass and uniform density [m²], shape (3,)."""
    a, b, c = collider.size
    if collider.kind == "sphere":
        return np.full(3, 0.4 * a * a)
    if collider.kind == "box":
        return np.asarray(np.array([b * b + c * c, a * a + c * c, a * a + b * b]) / 3.0)
    # Capsule: a cylinder of length 2b and two hemispheres whose centres of mass lie 3a/8 beyond its ends.
    cylinder, sphere = 2.0 * b * a**2, 4.0 / 3.0 * a**3
    along = cylinder * 0.5 * a * a + sphere * 0.4 * a * a
    across = cylinder * (a * a / 4.0 + b * b / 3.0) + sphere * (0.4 * a * a + 0.75 * a * b + b * b)
    return np.asarray(np.array([across, across, along]) / (cylinder + sphere))


def collider_inertia(collider: Collider, mass: float) -> Array:
    """Inertia [kg m²] of a uniform solid of the collider's shape about its centre in the body's axes, shape (3, 3)."""
    axes = quat.to_matrix(collider.rotation)
    tensor: Array = mass * axes @ np.diag(_principal(collider)) @ axes.T
    return tensor


def rod_inertia(direction: ArrayLike, length: float, mass: float, radii: tuple[float, float, float]) -> Array:
    """Inertia [kg m²] of a limb from radii of gyration, m (r L)², about its centre, shape (3, 3).

    The sagittal and transverse radii are averaged, since they are nearly equal and a bone has no palm side.

    Args:
        direction: Unit vector along the bone in the body's frame, shape (3,).
        length: Bone length [m].
        mass: [kg].
        radii: Sagittal, transverse and longitudinal radius of gyration as fractions of the length.
    """
    along = np.asarray(direction, dtype=np.float64)
    across = mass * (0.5 * (radii[0] + radii[1]) * length) ** 2
    axial = mass * (radii[2] * length) ** 2
    tensor: Array = across * np.eye(3) + (axial - across) * np.outer(along, along)
    return tensor


def about(inertia: ArrayLike, mass: float, shift: ArrayLike) -> Array:
    """The tensor about a point displaced by `shift` [m] from the centre of mass (parallel axes), shape (3, 3)."""
    d = np.asarray(shift, dtype=np.float64)
    tensor: Array = np.asarray(inertia) + mass * (np.dot(d, d) * np.eye(3) - np.outer(d, d))
    return tensor
