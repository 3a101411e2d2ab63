"""Bodies that keep off one another: velocity dampers between their closest points (Vaillant 2017, section 3.3)."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.qp import _kernels
from poise.signals import Mechanism

__all__ = ["Avoidance", "Pair"]

Array = NDArray[np.float64]

HARDEST = 40.0
"""Greatest acceleration asked for to brake [m/s²], four times that of gravity. Where closest points jump along parallel
surfaces the damper would ask for any; it is then met over several steps."""
_SEEN = 0.001
"""Distances are told up to here at least [m]."""
_JUMP = 0.1
"""Turn of the direction within a step beyond which its rate means nothing [rad]."""


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two shapes that are to stay apart.

    Args:
        first: Name of a shape.
        second: Name of another.
        influence: Distance below which they begin to brake [m].
        security: Distance they keep [m]; below 0 where shapes are wider than what they stand for.
        offset: Added to the automatic damping factor [m/s], so that what enters slowly may still approach.
    """

    first: str
    second: str
    influence: float = 0.1
    security: float = 0.01
    offset: float = 0.1

    def __post_init__(self) -> None:
        if not -np.inf < self.security < self.influence < np.inf:
            raise InputError(
                f"influence must exceed security; got {self.influence:g} and {self.security:g}",
                source=f"pair {self.first}, {self.second}",
            )

    @property
    def label(self) -> str:
        """The two, in words."""
        return f"{self.first} and {self.second}"


@dataclass(eq=False)
class Avoidance:
    """A pair at work.

    The damping factor is set when the pair enters the zone, from its speed then, and frozen until it leaves (the first
    author's rule; one fixed beforehand, as the paper has it, asks for a jerk or the impossible of what comes fast).

    Attributes:
        direction: From the second to the first at the last `refresh`; 0 outside the zone.
        row: Of the constraint row x qdd >= least, shape (n,).
        least: -inf outside the zone.
        distance: At the last `refresh` [m].
    """

    pair: Pair
    shapes: tuple[int, int]
    row: Array
    gain: Array = field(default_factory=lambda: np.zeros(1))
    direction: Array = field(default_factory=lambda: np.zeros(3))
    least: float = -np.inf
    distance: float = np.inf

    @classmethod
    def of(cls, pair: Pair, system: Mechanism) -> Avoidance:
        """Find the shapes; raises `InputError` where one does not exist."""
        return cls(pair, (system.shape(pair.first), system.shape(pair.second)), np.zeros(system.size))

    def __post_init__(self) -> None:
        size = len(self.row)
        self._one, self._two = ((np.zeros((6, size)), np.zeros(6), np.zeros(6)) for _ in range(2))
        # A pair may first come near in the middle of a scene: what is called then is compiled or loaded now.
        far, points, gain = (np.inf, np.zeros(3), np.zeros(3)), (self._one, self._two), np.zeros(1)
        _kernels.pair_row(far, np.zeros(3), False, points, (1.0, 0.0, 0.0, HARDEST, _JUMP), 1.0, gain, self.row)

    def refresh(self, system: Mechanism, step: float) -> None:
        """The row and its bound for a step [s] (Eq. 24)."""
        pair = self.pair
        near = system.nearest(*self.shapes, max(2.0 * pair.influence, _SEEN))
        self.distance, self.least = near.distance, -np.inf
        if near.distance >= pair.influence:
            self.direction[:], self.gain[0] = 0.0, 0.0
            return
        system.relative(0, near.bodies[0], near.first, *self._one)
        system.relative(0, near.bodies[1], near.second, *self._two)
        zone = (pair.influence, pair.security, pair.offset, HARDEST, _JUMP)
        found, known = (near.distance, near.first, near.second), bool(self.direction.any())
        points = (self._one, self._two)
        self.least = _kernels.pair_row(found, self.direction, known, points, zone, step, self.gain, self.row)
