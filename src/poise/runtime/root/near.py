"""Whether anything comes near a character or touches it: until then its root may sleep."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from poise.world.obstacle_query import Obstacles

if TYPE_CHECKING:
    from poise.runtime.actor import Actor
    from poise.runtime.session import Session

__all__ = ["Nearness"]

_REACH = 0.22
"""What comes this near to a joint of a person of 1.75 m is near: half of the thickest part of a body and a hand's breadth
[m]."""
_LEAD = 0.15
"""What would be there within this time is near as well [s]."""
_BODIES_APART = 0.5
"""Other people are near when a joint of theirs comes this near to one's own [m]."""


class Nearness:
    """Looks out for one character.

    Args:
        session: Where it is.
        actor: Who it is.
    """

    def __init__(self, session: Session, actor: Actor) -> None:
        self._session, self._layout = session, actor.layout
        self._obstacles = Obstacles(session.world, session.setting.props)
        self._size = actor.character.plan.stature / 1.75
        model = session.world.model
        self._own = np.isin(model.geom_bodyid, actor.layout.bodies)
        others = [other.layout.bodies for other in session.actors if other is not actor]
        self._others = np.concatenate(others) if others else np.zeros(0, dtype=np.int64)
        self._reaches, self._leads = np.zeros(len(actor.layout.bodies)), np.full(len(actor.layout.bodies), _LEAD)

    def touched(self) -> bool:
        """Whether anything but itself touched the character in the last tick, or a force acts on it."""
        own = self._own[self._session.contacts.pairs]
        return bool((own[:, 0] != own[:, 1]).any() or self._session.world.data.xfrc_applied[self._layout.bodies].any())

    def near(self, speed: float) -> bool:
        """Whether anything is near a character that goes at `speed` [m/s]."""
        self._obstacles.refresh()
        places = self._session.world.data.xpos
        own = places[self._layout.bodies]
        if len(self._others):
            away = own[:, None] - places[self._others]
            if np.einsum("abk,abk->ab", away, away).min() < (self._size * _BODIES_APART + _LEAD * speed) ** 2:
                return True
        if not self._obstacles.names:
            return False
        self._reaches[:] = self._size * _REACH + _LEAD * speed
        found = self._obstacles.nearest(own, self._reaches, self._leads)
        reach = self._reaches[:, None] + _LEAD * np.linalg.norm(found.velocity, axis=2)
        return bool((found.distance < reach).any())
