"""Angular momentum as something to be brought somewhere: arms that swing against a turn, a body that turns in the air."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.qp import _features
from poise.qp.tasks import Feature, Numbers, Task
from poise.signals import Mechanism

__all__ = ["MomentumTask"]

Array = NDArray[np.float64]


@dataclass(kw_only=True, eq=False)
class MomentumTask(Task):
    """Angular momentum of characters and things together about their common center of mass.

    It has no place to come back to: `damping` brings it to its target, and `stiffness` means nothing. Linear momentum is the
    rate of a `CenterOfMassTask` without stiffness. The weight is in 1/(N m)².

    Args:
        owners: Whose.
        target: Where to [kg m²/s], world axes, shape (3,).
        change: How fast the target changes [N m], shape (3,).
        axes: Which of x, y, z count, shape (3,).
    """

    owners: Sequence[str]
    target: Numbers = 0.0
    change: Numbers = 0.0
    axes: Numbers = (1.0, 1.0, 1.0)
    damping: float | None = 5.0

    def begin(self, system: Mechanism) -> None:
        """See `Task.begin`."""
        self._inside = system.roots(self.owners)
        self._none, self._center = np.zeros(3), np.zeros(3)
        self._feature = Feature(np.zeros(3), np.zeros(3), np.zeros(3), np.zeros((3, system.size)))

    def feature(self, system: Mechanism) -> Feature:
        """The error is always 0; the rate is the momentum."""
        _, rate, drift, jacobian = self._feature
        # Jacobian, rate and drift of the center are not wanted; they are overwritten.
        system.centroid(self._inside, jacobian, self._center, rate, drift)
        system.angular_momentum(self._inside, self._center, jacobian, rate, drift)
        _features.keep(np.asarray(self.axes, dtype=float), rate, drift, jacobian)
        return self._feature

    def reference(self) -> tuple[Array, Array]:
        """See `Task.reference`."""
        kept = np.asarray(self.axes, dtype=float)
        return kept * (self._none + self.target), kept * (self._none + self.change)
