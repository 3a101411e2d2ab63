"""A push at the hips, for seeing what a body does about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from poise.errors import InputError
from poise.runtime.frame import Event

if TYPE_CHECKING:
    from poise.runtime.actor import Actor
    from poise.runtime.session import Session

__all__ = ["Push"]


class Push:
    """A constant force at the pelvis' joint for a while.

    Args:
        force: In the world [N], shape (3,).
        begin: When [s].
        duration: How long [s].

    Raises:
        InputError: The force is no vector of numbers, or the duration is not positive.
    """

    def __init__(self, force: ArrayLike, begin: float, duration: float = 0.1) -> None:
        self.force = np.asarray(force, dtype=np.float64)
        if self.force.shape != (3,) or not np.isfinite(self.force).all():
            raise InputError(f"a push is three numbers [N]; got {force!r}")
        if not duration > 0.0:
            raise InputError(f"a push takes time; got {duration:g} s")
        self.start, self.duration = begin, duration

    def begin(self, session: Session, actor: Actor) -> None:
        """See `Stage.begin`."""
        self._actor, self._name, self._tick = actor, actor.layout.name, session.clock.tick

    def act(self, begin: float) -> tuple[Event, ...]:
        """Push for as much of the tick as the push lasts."""
        overlap = min(begin + self._tick, self.start + self.duration) - max(begin, self.start)
        if overlap <= 1e-9:
            return ()
        self._actor.force[:3] += overlap / self._tick * self.force
        return (Event(begin, "pushed", self._name),) if begin <= self.start + 1e-9 < begin + self._tick else ()

    def save(self) -> None:
        """Nothing is remembered."""

    def restore(self, saved: None) -> None:
        """Nothing is remembered."""
