"""Whether anything comes near a character or touches it: until then its root may sleep."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.reference import Reference
from poise.behaviors.root import _kernels
from poise.control.root import Noticing
from poise.world.view import WorldView

__all__ = ["Nearness"]

Array = NDArray[np.float64]


class Nearness:
    """Looks out for one character.

    Args:
        view: The world.
        reference: Who it is.
        noticing: What is near.
    """

    def __init__(self, view: WorldView, reference: Reference, noticing: Noticing) -> None:
        self._view, self._name = view, reference.name
        self._noticing, self._obstacles = noticing, view.obstacles()
        self._size = reference.plan.size
        self._bodies = view.body_numbers(reference.name)
        self._own = np.isin(view.geoms.bodies, self._bodies)
        parts = reference.plan.with_role(
            *(f"{side}_{part}" for side in ("left", "right") for part in ("forearm", "hand"))
        )
        self._hands = np.isin(view.geoms.bodies, self._bodies[list(parts)])
        others = [view.body_numbers(name) for name in view.characters if name != reference.name]
        self._others = np.concatenate(others) if others else np.zeros(0, dtype=np.int64)
        self._reaches, self._leads = np.zeros(len(self._bodies)), np.full(len(self._bodies), noticing.lead)

    def touched(self) -> bool:
        """Whether anything but itself touched the character in the last tick, or a force acts on it."""
        pairs = self._view.contacts.pairs
        if len(pairs):
            own = self._own[pairs]
            if (own[:, 0] != own[:, 1]).any():
                return True
        return self._view.is_pressed(self._name)

    def handles(self) -> bool:
        """Whether a hand or forearm touched anything but the character itself in the last tick."""
        pairs = self._view.contacts.pairs
        return bool((self._hands[pairs] & ~self._own[pairs[:, ::-1]]).any())

    def near(self, speed: float) -> bool:
        """Whether anything is near a character that goes at `speed` [m/s]."""
        self._obstacles.refresh()
        noticing, lead = self._noticing, self._noticing.lead
        places = self._view.bodies.positions
        reach = self._size * noticing.people + lead * speed
        if len(self._others) and _kernels.is_within(places, self._bodies, self._others, reach):
            return True
        if not self._obstacles.names:
            return False
        self._reaches[:] = self._size * noticing.reach + lead * speed
        found = self._obstacles.nearest(places[self._bodies], self._reaches, self._leads)
        reaches = self._reaches[:, None] + lead * np.linalg.norm(found.velocity, axis=2)
        return bool((found.distance < reaches).any())
