"""What pushed a character last, for telling why it falls."""

from __future__ import annotations

import numpy as np

from poise.behaviors.reference import Reference
from poise.world.view import WorldView

__all__ = ["Blame"]

_FORCE = "a_push"
"""What a force of no thing is called."""


class Blame:
    """Looks after one character.

    Args:
        view: The world.
        reference: Who it is.
        least: Impulse of a tick that counts as a push [N s].
    """

    def __init__(self, view: WorldView, reference: Reference, least: float) -> None:
        self._name, self._least = reference.name, least
        self._own = np.isin(view.geoms.bodies, view.body_numbers(reference.name))
        self._ground = view.geoms.bodies == 0

    def pusher(self, view: WorldView, last: str) -> str:
        """What pushed hardest in the last tick, or what did before, where nothing did."""
        if view.is_pressed(self._name):
            return _FORCE
        contacts = view.contacts
        if not len(contacts.pairs):
            return last
        own, ground = self._own[contacts.pairs], self._ground[contacts.pairs]
        pushes = np.where((own.sum(axis=1) == 1) & ~ground.any(axis=1), contacts.impulse, 0.0)
        if pushes.max() < self._least:
            return last
        hardest = int(np.argmax(pushes))
        other = contacts.pairs[hardest][~own[hardest]][0]
        return view.geoms.names[int(other)].split("/")[0]
