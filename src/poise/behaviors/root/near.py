"""Whether anything comes near a character or touches it: until then its root may sleep."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.reference import Reference
from poise.control.root import Noticing
from poise.world.view import WorldView

__all__ = ["Nearness"]

Array = NDArray[np.float64]

_SLACK = 1e-6
"""Who is farther than this beyond reach [m] of a whole body is out of reach of each of its parts, rounding included."""


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
        own = self._own[self._view.contacts.pairs]
        return bool((own[:, 0] != own[:, 1]).any() or self._view.is_pressed(self._name))

    def handles(self) -> bool:
        """Whether a hand or forearm touched anything but the character itself in the last tick."""
        pairs = self._view.contacts.pairs
        return bool((self._hands[pairs] & ~self._own[pairs[:, ::-1]]).any())

    def near(self, speed: float) -> bool:
        """Whether anything is near a character that goes at `speed` [m/s]."""
        self._obstacles.refresh()
        noticing, lead = self._noticing, self._noticing.lead
        places = self._view.bodies.positions
        own = places[self._bodies]
        if len(self._others) and self._somebody_within(self._size * noticing.people + lead * speed, own, places):
            return True
        if not self._obstacles.names:
            return False
        self._reaches[:] = self._size * noticing.reach + lead * speed
        found = self._obstacles.nearest(own, self._reaches, self._leads)
        reach = self._reaches[:, None] + lead * np.linalg.norm(found.velocity, axis=2)
        return bool((found.distance < reach).any())

    def _somebody_within(self, reach: float, own: Array, places: Array) -> bool:
        """Whether a body of anybody else is nearer than `reach` [m] to one of the character's."""
        others, middle = places[self._others], own[0]
        around = reach + math.sqrt(_squares(own - middle).max()) + _SLACK
        others = others[_squares(others - middle) < around**2]
        if not len(others):
            return False
        away = own[:, None] - others
        return bool(np.einsum("abk,abk->ab", away, away).min() < reach**2)


def _squares(rows: Array) -> Array:
    """Squared length of each row, shape (n,)."""
    return np.asarray(np.einsum("nk,nk->n", rows, rows))
