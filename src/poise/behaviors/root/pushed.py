"""What pushes a body along the ground that is led by forces, though its bones follow a motion."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.reference import Reference
from poise.world.view import WorldView

__all__ = ["Pushed"]

Array = NDArray[np.float64]


class Pushed:
    """Sums it up for one character.

    Args:
        view: The world.
        reference: Who it is.
        most: How hard it is pushed at most [N].
    """

    def __init__(self, view: WorldView, reference: Reference, most: float) -> None:
        self._view, self._name, self._tick, self._most = view, reference.name, reference.tick, most
        self._own = np.isin(view.geoms.bodies, view.body_numbers(reference.name))

    def felt(self, force: Array, about: Array) -> Array:
        """What contacts of the last tick, what presses parts of it and another force do to the body.

        Args:
            force: At the pelvis along the ground [N], shape (2,).
            about: Where the pelvis is [m], shape (3,).

        Returns:
            Force along the ground (2) [N] and torque about the pelvis (3) [N m], shape (5,).
        """
        contacts, total = self._view.contacts, np.zeros(5)
        if len(contacts.pairs):
            mine = self._own[contacts.pairs]
            signs = mine[:, 1].astype(np.float64) - mine[:, 0]
            forces = (signs * contacts.impulse / self._tick)[:, None] * contacts.normal
            total[:2] = forces[:, :2].sum(axis=0)
            total[2:] = np.cross(contacts.point - about, forces).sum(axis=0)
        total[:2] += force
        if self._view.is_pressed(self._name):
            pressed = self._view.pressed_by(self._name, about)
            total[:2] += pressed[:2]
            total[2:] += pressed[3:]
        size = float(np.hypot(total[0], total[1]))
        return np.asarray(total * min(1.0, self._most / max(size, 1e-9)))
