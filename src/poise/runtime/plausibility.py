"""Contacts that no body would survive are told, with what they are between."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.reference import Reference
from poise.signals import Event
from poise.world.view import WorldView

__all__ = ["Plausibility", "PlausibilityState"]

_SURVIVED = 5.0
"""A contact harder than this is not plausible [body weights]: what a punch or a hard landing on hands reaches."""
_ONE_BLOW = 0.25
"""What presses again sooner than this is the same blow [s]."""


@dataclass
class PlausibilityState:
    """Pairs of bodies that pressed too hard lately, one number each, and when they did last [s]."""

    pressed: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    last: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))


class Plausibility:
    """Tells "implausible" of one character's contacts but those of feet on the ground, once for as long as they press so hard.

    Args:
        reference: The character.
        view: The world.
    """

    def __init__(self, reference: Reference, view: WorldView) -> None:
        self._view, self._name = view, reference.name
        self._most = _SURVIVED * reference.plan.total_mass * view.gravity
        numbers, plan = view.body_numbers(reference.name), reference.plan
        self._own = np.isin(view.geoms.bodies, numbers)
        self._feet = np.isin(view.geoms.bodies, numbers[list(plan.with_role("left_foot", "right_foot"))])
        self._ground = view.geoms.bodies == 0
        self.state = PlausibilityState()

    def notice(self, time: float) -> tuple[Event, ...]:
        """What is to be told at the end of a tick, at `time` [s]."""
        contacts, names, state = self._view.contacts, self._view.geoms.names, self.state
        if not len(contacts.pairs) or contacts.peak.max() <= self._most:
            if len(state.pressed):
                lately = time - state.last < _ONE_BLOW
                state.pressed, state.last = state.pressed[lately], state.last[lately]
            return ()
        pairs = contacts.pairs[contacts.peak > self._most]
        pairs = pairs[self._own[pairs].any(axis=1)]
        pairs = pairs[~(self._feet[pairs].any(axis=1) & self._ground[pairs].any(axis=1))]
        bodies = self._view.geoms.bodies[pairs]
        keys, firsts = np.unique(bodies[:, 0] * len(names) + bodies[:, 1], return_index=True)
        new = pairs[firsts][~np.isin(keys, state.pressed)]
        kept = ~np.isin(state.pressed, keys) & (time - state.last < _ONE_BLOW)
        state.pressed = np.append(state.pressed[kept], keys)
        state.last = np.append(state.last[kept], np.full(len(keys), time))
        return tuple(Event(time, "implausible", self._subject(*map(int, pair))) for pair in new)

    def _subject(self, first: int, second: int) -> str:
        """The character's part first, then what presses it."""
        names = self._view.geoms.names
        one, other = (first, second) if self._own[first] else (second, first)
        return f"{names[one]} {names[other].replace('/', ' ')}"
