"""The force of a contact as something to be brought somewhere: how hard a hand presses, how much a foot bears."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.qp.contacts import Touch
from poise.qp.tasks import Feature, Numbers, Task
from poise.signals import Mechanism

__all__ = ["ForceTask"]

Array = NDArray[np.float64]


@dataclass(kw_only=True, eq=False)
class ForceTask(Task):
    """What the first body of a contact does to the second; with a large weight, a contact of a given force.

    Nothing is wanted while there is no such contact. The weight is in 1/N². Forces of a program are otherwise free of one
    another in its cost, which makes it quicker: with a task of this kind a step takes longer.

    Args:
        contact: Its name.
        target: The force [N], world axes, shape (3,).
        axes: Which of x, y, z count, shape (3,).
    """

    contact: str
    target: Numbers = 0.0
    axes: Numbers = (1.0, 1.0, 1.0)

    def begin(self, system: Mechanism) -> None:
        """See `Task.begin`."""
        none = np.zeros(0)
        self._feature = Feature(none, none, none, np.zeros((0, system.size)))

    def feature(self, system: Mechanism) -> Feature:
        """No acceleration takes part in it."""
        return self._feature

    def reference(self) -> tuple[Array, Array]:
        """See `Task.reference`."""
        return self._feature.error, self._feature.rate

    def add_force(self, touches: Sequence[Touch], hessian: Array, gradient: Array) -> None:
        """Add its cost to the objective in the coefficients of all contacts' edges, in order."""
        at = 0
        for touch in touches:
            end = at + len(touch.edges)
            if touch.contact.name == self.contact:
                kept = np.asarray(self.axes, dtype=float)
                force = kept[:, None] * touch.wrenches[:3]
                hessian[at:end, at:end] += self.weight * force.T @ force
                gradient[at:end] -= self.weight * force.T @ (kept * self.target)
            at = end
