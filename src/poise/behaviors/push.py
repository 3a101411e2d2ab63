"""A push at a part of a body, for seeing what the body does about it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from poise.behaviors.behavior import Contribution, Stateless
from poise.behaviors.reference import Reference
from poise.errors import InputError
from poise.hybrid.partition import find_bodies
from poise.world.command import Press
from poise.world.view import WorldView

__all__ = ["Push"]


class Push(Stateless):
    """A constant force at the pelvis' joint, or in the middle of another part's mass, for a while.

    Args:
        force: In the world [N], shape (3,).
        begin: When [s].
        duration: How long [s].
        body: Joint or role of the part that is pushed; None for the pelvis' joint.

    Raises:
        InputError: The force is no vector of numbers, or the duration is not positive.
    """

    def __init__(self, force: ArrayLike, begin: float, duration: float = 0.1, body: str | None = None) -> None:
        self.force = np.asarray(force, dtype=np.float64)
        if self.force.shape != (3,) or not np.isfinite(self.force).all():
            raise InputError(f"a push is three numbers [N]; got {force!r}")
        if not duration > 0.0:
            raise InputError(f"a push takes time; got {duration:g} s")
        self.begin, self.duration, self.body = begin, duration, body

    def start(self, view: WorldView, reference: Reference) -> Contribution:
        """See `Behavior.start`.

        Raises:
            InputError: There is no such part.
        """
        if self.body is not None:
            self._part = f"{reference.name}/{reference.plan.names[find_bodies(reference.plan, [self.body])[0]]}"
        return Contribution(reference)

    def step(self, view: WorldView, reference: Reference, state: None) -> Contribution:
        """Push for as much of the tick as the push lasts."""
        wanted, begin, tick = Contribution(reference), reference.time, reference.tick
        overlap = min(begin + tick, self.begin + self.duration) - max(begin, self.begin)
        if self.body is not None and begin - tick - 1e-9 <= self.begin + self.duration and overlap > -tick - 1e-9:
            wanted.commands.append(Press(self._part, max(overlap, 0.0) / tick * self.force))
        if overlap <= 1e-9:
            return wanted
        if self.body is None:
            wanted.force = np.zeros_like(reference.force)
            wanted.force[:3] = overlap / tick * self.force
        if begin <= self.begin + 1e-9 < begin + tick:
            wanted.tell(begin, "pushed", reference.name)
        return wanted
