"""Many copies of one character on springs that never meet, stepped together on all cores.

Each is a simulation of its own in a MuJoCo batch: the same small model, so that a character alone and in a crowd of a thousand
goes through the same numbers to the bit.
"""

from __future__ import annotations

import numpy as np
from mujoco.batch import Batch
from numpy.typing import NDArray

from poise.math import quat
from poise.world.sprung.model import SprungModel

__all__ = ["CrowdWorld"]

Array = NDArray[np.float64]
Indices = NDArray[np.int64]


class CrowdWorld:
    """A flat floor with one character on it, many times over.

    Args:
        made: The character.
        count: How many members.
        threads: How many cores work; None for all.

    Attributes:
        positions: Of the model now, shape (N, nq); may be written, and `refresh` called.
        velocities: Of the model now, shape (N, nv); likewise.
        applied: Forces of the next step, shape (N, nv); to be written.
    """

    def __init__(self, made: SprungModel, count: int, threads: int | None = None) -> None:
        self.made, self.count = made, count
        self._batch = Batch(made.model, count, threads or 0)
        self.positions: Array = self._batch.qpos
        self.velocities: Array = self._batch.qvel
        # What a batch is asked for once is kept up to date from then on.
        self._turned, self._placed = self._batch.xquat, self._batch.xpos
        self._centres, self._moving = self._batch.subtree_com, self._batch.sensordata
        self.applied: Array = self._batch.qfrc_applied
        self.positions[:] = made.start
        self.refresh()

    def move_to(self, targets: Array) -> None:
        """Give driven joints the velocities that bring them to their columns of `targets` (N, nq) in one step."""
        for at, to in zip(self.made.driven_columns, self.made.driven_velocities, strict=True):
            away = quat.log(quat.mul(quat.conj(self.positions[:, at : at + 4]), targets[:, at : at + 4]))
            self.velocities[:, to : to + 3] = away / self.made.timestep

    def step(self) -> None:
        """One step of everybody."""
        self._batch.step()

    def refresh(self) -> None:
        """Bring everything that depends on positions and velocities up to date with them."""
        self._batch.forward()

    @property
    def seen(self) -> tuple[Array, Array, Array, Array]:
        """What everybody was like a step ago, in MuJoCo's order of bodies.

        Places (N, B, 3) [m] and orientations (N, B, 4) of bodies, centres of mass of each and all below it (N, B, 3) [m], and
        the velocity of the whole one (N, 3) [m/s]. To have them of now, as `refresh` does, everything would have to be worked
        out twice in every step or kept for everybody, which takes an eighth longer.
        """
        return self._placed, self._turned, self._centres, self._moving

    def places(self, bodies: Indices) -> Array:
        """Where some bodies' joints were a step ago [m], shape (N, M, 3)."""
        return np.asarray(self._placed[:, self.made.bodies[bodies]])
