"""Many copies of one character on springs that never meet, stepped together on all cores.

Each is a simulation of its own in a MuJoCo batch: the same small model, so that a character alone and in a crowd of a thousand
goes through the same numbers to the bit.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from mujoco.batch import Batch
from numpy.typing import NDArray

from poise.math import quat
from poise.world.sprung.model import SprungModel

__all__ = ["CrowdWorld"]

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
Seen = tuple[Array, Array, Array, Array]


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
        self._before: Seen | None = None
        """What `seen` is until the next step, where the crowd was brought back to an earlier moment."""
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
        self._before = None

    def refresh(self) -> None:
        """Bring everything that depends on positions and velocities up to date with them."""
        self._batch.forward()
        self._before = None

    def keepsake(self) -> Any:
        """Everything needed to go on from here to the same bit; a copy (see `poise.behaviors.state.Keeper`)."""
        return tuple(each.copy() for each in self._state), tuple(each.copy() for each in self.seen)

    def take_back(self, saved: Any) -> None:
        """Go back to what `keepsake` gave."""
        state, seen = saved
        for now, then in zip(self._state, state, strict=True):
            now[:] = then
        for each in seen:
            # As the batch's own are: compiled loops are compiled once more for arrays that may be written.
            each.setflags(write=False)
        self._before = seen

    @property
    def _state(self) -> tuple[Array, ...]:
        batch = self._batch
        return self.positions, self.velocities, self.applied, batch.qacc_warmstart, batch.time

    @property
    def seen(self) -> Seen:
        """What everybody was like a step ago, in MuJoCo's order of bodies.

        Places (N, B, 3) [m] and orientations (N, B, 4) of bodies, centres of mass of each and all below it (N, B, 3) [m], and
        the velocity of the whole one (N, 3) [m/s]. To have them of now, as `refresh` does, everything would have to be worked
        out twice in every step or kept for everybody, which takes an eighth longer.
        """
        return self._before or (self._placed, self._turned, self._centres, self._moving)

    def places(self, bodies: Indices) -> Array:
        """Where some bodies' joints were a step ago [m], shape (N, M, 3)."""
        return np.asarray(self.seen[0][:, self.made.bodies[bodies]])
