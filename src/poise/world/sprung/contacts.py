"""Contacts of characters on springs, each a simulation of its own, told of the shapes of the scene that is looked at."""

from __future__ import annotations

from collections.abc import Sequence

import mujoco as mj
import numpy as np
from numpy.typing import NDArray

from poise.signals import Contacts
from poise.world.contact_log import ContactLog

__all__ = ["SprungContacts"]


class SprungContacts(ContactLog):
    """See `ContactLog`.

    Args:
        model: Each character's.
        shown: The scene's geom for each of the model's, by character.
    """

    def __init__(self, model: mj.MjModel, shown: Sequence[NDArray[np.int64]]) -> None:
        super().__init__(model)
        self._each, self._shown = [ContactLog(model) for _ in shown], list(shown)

    def begin(self) -> None:
        """See `ContactLog.begin`."""
        super().begin()
        for log in self._each:
            log.traces = self.traces
            log.begin()

    def add_of(self, number: int, data: mj.MjData) -> None:
        """Take what a character touched in a substep that was just played; they are played in order of their numbers."""
        log = self._each[number]
        log.add(data)
        if log.traces:
            now = _on_shown(log.traced[-1], self._shown[number])
            if number:
                now = _together([self.traced.pop(), now])
            self.traced.append(now)

    def contacts(self) -> Contacts:
        """See `ContactLog.contacts`."""
        return _together([_on_shown(log.contacts(), shown) for log, shown in zip(self._each, self._shown, strict=True)])


def _on_shown(contacts: Contacts, shown: NDArray[np.int64]) -> Contacts:
    return contacts._replace(pairs=shown[contacts.pairs])


def _together(contacts: Sequence[Contacts]) -> Contacts:
    if len(contacts) == 1:
        return contacts[0]
    return Contacts(*(np.concatenate(column) for column in zip(*contacts, strict=True)))
