"""What pushes a body along the ground that is led by forces, though its bones follow a motion."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.reference import Reference
from poise.world.view import WorldView

__all__ = ["Pushed"]

Array = NDArray[np.float64]

_MOST = 2.0
"""What touches a body pushes it with this at most [body weights]: who follows a motion is hit as an infinite mass is."""


class Pushed:
    """Sums it up for one character.

    Args:
        view: The world.
        reference: Who it is.
        weight: Of the whole body [N].
    """

    def __init__(self, view: WorldView, reference: Reference, weight: float) -> None:
        self._view, self._name, self._tick, self._weight = view, reference.name, reference.tick, weight
        self._own = np.isin(view.geoms.bodies, view.body_numbers(reference.name))

    def felt(self, force: Array) -> Array:
        """Contacts of the last tick, what presses parts of it, and another force [N], shape (2,)."""
        contacts, total = self._view.contacts, np.zeros(2)
        if len(contacts.pairs):
            mine = self._own[contacts.pairs]
            signs = mine[:, 1].astype(np.float64) - mine[:, 0]
            total += (signs * contacts.impulse) @ contacts.normal[:, :2] / self._tick
        total += force
        total += self._view.pressed_by(self._name)[:2]
        size = float(np.hypot(total[0], total[1]))
        return total * min(1.0, _MOST * self._weight / max(size, 1e-9))
