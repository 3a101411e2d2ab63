"""The rigid bodies of a character over time, as mechanics needs them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise.errors import InputError
from poise.metrics._arrays import Array, checked, numbers

__all__ = ["Bodies"]


@dataclass(frozen=True, eq=False)
class Bodies:
    """Rigid bodies in motion: time is axis 0, bodies are axis 1.

    Args:
        masses: Mass of each body [kg], shape (B,), positive.
        inertias: Inertia about each body's centre of mass in the body's frame [kg m²], shape (B, 3, 3), or its
            principal moments (B, 3) where the frame is the principal one. Kept as (B, 3, 3).
        positions: Centres of mass in the world [m], shape (T, B, 3).
        orientations: Orientation of each body's frame in the world, wxyz, shape (T, B, 4).
        velocities: Velocities of the centres of mass in the world [m/s], shape (T, B, 3).
        angular_velocities: Angular velocities in the world [rad/s], shape (T, B, 3).

    Raises:
        InputError: Shapes disagree, there is no body or a mass is not positive.
    """

    masses: Array
    inertias: Array
    positions: Array
    orientations: Array
    velocities: Array
    angular_velocities: Array

    def __post_init__(self) -> None:
        set_ = object.__setattr__
        set_(self, "positions", checked("body positions", self.positions, None, None, 3))
        frames, count = self.positions.shape[:2]
        set_(self, "masses", checked("masses", self.masses, count))
        set_(self, "orientations", checked("body orientations", self.orientations, frames, count, 4))
        set_(self, "velocities", checked("body velocities", self.velocities, frames, count, 3))
        set_(self, "angular_velocities", checked("angular velocities", self.angular_velocities, frames, count, 3))
        inertias = numbers("inertias", self.inertias)
        if inertias.ndim == 2:
            inertias = checked("principal moments", inertias, count, 3)[:, :, None] * np.eye(3)
        set_(self, "inertias", checked("inertias", inertias, count, 3, 3))
        if count == 0 or not (np.isfinite(self.masses).all() and (self.masses > 0.0).all()):
            raise InputError("there must be at least one body, and masses must be positive")
