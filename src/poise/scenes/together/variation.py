"""The same scene begun otherwise: other people, things of other mass, somewhere else, with other targets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from poise.body.options import BODY_MASS_INDEX
from poise.groups import Person
from poise.world.things import Thing

__all__ = ["Variation"]

MASS, PLACE, STATURE = 0.2, 0.05, 0.05
"""How much masses [share], places [m] and statures [share] differ at most."""


class Variation:
    """Draws what is different, one number after the other; with no start everything is as it was.

    Args:
        start: Which of the different starts; None for the scene as it is.
    """

    def __init__(self, start: int | None) -> None:
        self._rng = None if start is None else np.random.default_rng(start)

    def __bool__(self) -> bool:
        return self._rng is not None

    def share(self, most: float) -> float:
        """A factor that differs from 1 by `most` at most."""
        return 1.0 if self._rng is None else float(1.0 + most * self._rng.uniform(-1.0, 1.0))

    def place(self, place: Sequence[float], most: Sequence[float] = (PLACE, PLACE, 0.0)) -> tuple[float, float, float]:
        """A place that differs by `most` along each axis at most [m]."""
        if self._rng is None:
            return (place[0], place[1], place[2])
        x, y, z = (a + b * self._rng.uniform(-1.0, 1.0) for a, b in zip(place, most, strict=True))
        return (float(x), float(y), float(z))

    def person(self, who: Person, most: Sequence[float] = (PLACE, PLACE, 0.0), *, stature: float = STATURE) -> Person:
        """Somebody of another mass, place and stature [share]."""
        if not self:
            return who
        mass = BODY_MASS_INDEX * who.stature**2 if who.mass is None else who.mass
        mass *= self.share(MASS)
        tall = who.stature * self.share(stature)
        return replace(who, mass=mass, stature=tall, place=self.place(who.place, most))

    def thing(self, thing: Thing) -> Thing:
        """A thing of another mass."""
        factor = self.share(MASS)
        links = tuple(
            replace(link, shapes=tuple(replace(shape, mass=factor * shape.mass) for shape in link.shapes))
            for link in thing.links
        )
        return replace(thing, links=links)
