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
    """

    def __init__(self, made: SprungModel, count: int, threads: int | None = None) -> None:
        self.made, self.count = made, count
        self._batch = Batch(made.model, count, threads or 0)
        self.positions: Array = self._batch.qpos
        self.velocities: Array = self._batch.qvel
        # What a batch is asked for once is kept up to date from then on.
        self._turned, self._placed = self._batch.xquat, self._batch.xpos
        self._centres, self._moving = self._batch.subtree_com, self._batch.sensordata
        self._applied = self._batch.qfrc_applied
        # Kernels take arrays that lie together in memory, and the batch's do not.
        self._places, self._speeds = np.zeros(self.positions.shape), np.zeros(self.velocities.shape)
        self._forces = np.zeros(self.velocities.shape)
        self.positions[:] = made.start
        self.refresh()

    def drive(self, targets: Array) -> None:
        """Begin the forces of the next step: those that bring driven joints to their columns of `targets` (N, nq)."""
        self._forces[:] = 0.0
        np.copyto(self._places, self.positions)
        np.copyto(self._speeds, self.velocities)
        self.made.add_drives(self._places, self._speeds, targets, self._forces)

    def press(self, bodies: Indices, torques: Array) -> None:
        """Add torques of the joints of some bodies (M,), shape (N, M, 3) [N m] in their frames."""
        self.made.add_torques(bodies, torques, self._places, self._forces)

    def move_to(self, targets: Array) -> None:
        """Give driven joints the velocities that bring them to their columns of `targets` (N, nq) in one step."""
        for at, to in zip(self.made.driven_columns, self.made.driven_velocities, strict=True):
            away = quat.log(quat.mul(quat.conj(self.positions[:, at : at + 4]), targets[:, at : at + 4]))
            self.velocities[:, to : to + 3] = away / self.made.timestep

    def step(self) -> None:
        """One step of everybody."""
        self._applied[:] = self._forces
        self._batch.step()

    def refresh(self) -> None:
        """Bring everything that depends on positions and velocities up to date with them."""
        self._batch.forward()

    def turns(self, bodies: Indices, out: Array) -> None:
        """Write how some bodies were turned a step ago, wxyz, shape (N, M, 4)."""
        np.take(self._turned, self.made.bodies[bodies], axis=1, out=out)

    def carried(self, bodies: Indices, out: Array) -> None:
        """Write where some bodies' joints were a step ago [m], and centre of mass [m] and its velocity [m/s], (N, M + 2, 3).

        To have it of now, as `refresh` does, everything would have to be worked out twice in every step or kept for everybody,
        which takes an eighth longer.
        """
        out[:, : len(bodies)] = self._placed[:, self.made.bodies[bodies]]
        out[:, len(bodies)] = self._centres[:, self.made.bodies[0]]
        out[:, len(bodies) + 1] = self._moving
