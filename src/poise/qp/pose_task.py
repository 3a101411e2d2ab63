"""How a character with ball joints is turned, joint by joint: the posture of a clip, with its velocities and accelerations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.math import quat
from poise.qp.tasks import Feature, Task
from poise.signals import Mechanism

__all__ = ["PoseTask"]

Array = NDArray[np.float64]


@dataclass(kw_only=True, eq=False)
class PoseTask(Task):
    """Turns of a character's pelvis and balls.

    Args:
        owner: The character.
        bodies: Which of its bodies, in the plan's order; 0 is the pelvis, which is turned in the world.
        target: Turns, wxyz, shape (b, 4).
        velocity: Angular velocities of the target, each in its body's frame [rad/s], shape (b, 3).
        acceleration: Their rates [rad/s²], shape (b, 3).
    """

    owner: str
    bodies: Sequence[int]
    target: Array
    velocity: Array
    acceleration: Array

    def begin(self, system: Mechanism) -> None:
        """See `Task.begin`."""
        turns, dofs = system.turns(self.owner)
        self._which = np.asarray(self.bodies, dtype=np.int64)
        if not len(self._which) or self._which.min() < 0 or self._which.max() >= len(turns):
            raise InputError(f"bodies of a pose are numbers from 0 to {len(turns) - 1}", source=self.owner)
        count = len(self._which)
        shapes = tuple(np.shape(each) for each in (self.target, self.velocity, self.acceleration))
        if shapes != ((count, 4), (count, 3), (count, 3)):
            raise InputError(
                f"a pose of {count} bodies needs target ({count}, 4), velocity ({count}, 3) and acceleration ({count}, 3); "
                f"got {', '.join(map(str, shapes))}",
                source=self.owner,
            )
        if not all(np.isfinite(each).all() for each in (self.target, self.velocity, self.acceleration)):
            raise InputError("target, velocity and acceleration of a pose must be finite", source=self.owner)
        self._dofs = dofs[self._which].ravel()
        self._jacobian = np.zeros((len(self._dofs), system.size))
        self._jacobian[np.arange(len(self._dofs)), self._dofs] = 1.0
        self._none = np.zeros(len(self._dofs))

    def feature(self, system: Mechanism) -> Feature:
        """The turn from the target to where each body is, in its own frame."""
        now = system.turns(self.owner)[0][self._which]
        error = quat.log(quat.mul(quat.conj(self.target), now)).ravel()
        return Feature(error, system.velocities[self._dofs], self._none, self._jacobian)

    def reference(self) -> tuple[Array, Array]:
        """See `Task.reference`."""
        return self.velocity.ravel(), self.acceleration.ravel()
