"""Contacts gathered over a tick, and of each of its substeps where somebody asks for them."""

from __future__ import annotations

import mujoco as mj
import numpy as np
from numpy.typing import NDArray

from poise.signals import Contacts
from poise.world import _kernels

__all__ = ["NO_CONTACTS", "ContactLog"]

Array = NDArray[np.float64]

_LARGEST = 512
"""Pairs of geoms that are told apart in one tick."""
NO_CONTACTS = Contacts(
    np.zeros((0, 2), np.int64), np.zeros(0), np.zeros(0), np.zeros(0), np.zeros((0, 3)), np.zeros((0, 3))
)
"""Nothing touches."""


class ContactLog:
    """Gathers the contacts of one model.

    Args:
        model: Whose.

    Attributes:
        traces: Whether the contacts of each substep are kept.
        traced: They, in order, of the last tick.
    """

    def __init__(self, model: mj.MjModel) -> None:
        self._elliptic = model.opt.cone == mj.mjtCone.mjCONE_ELLIPTIC
        self._timestep = float(model.opt.timestep)
        self._table, self._rows = np.zeros((_LARGEST, 12)), 0
        self.traces = False
        self.traced: list[Contacts] = []

    def begin(self) -> None:
        """Begin a tick."""
        self._rows = 0
        self.traced.clear()

    def add(self, data: mj.MjData) -> None:
        """Take what touched in a substep that was just played."""
        if data.ncon:
            self._rows = self._accumulate(data, self._table, self._rows)
        if self.traces:
            table = np.zeros_like(self._table)
            self.traced.append(_contacts(table[: self._accumulate(data, table, 0)]))

    def contacts(self) -> Contacts:
        """Of the tick so far."""
        return _contacts(self._table[: self._rows])

    def _accumulate(self, data: mj.MjData, table: Array, rows: int) -> int:
        contact = data.contact
        return int(
            _kernels.accumulate(
                (contact.geom, contact.dim, contact.efc_address, contact.pos, contact.frame),
                data.efc_force,
                self._elliptic,
                self._timestep,
                data.time,
                table,
                rows,
            )
        )


def _contacts(table: Array) -> Contacts:
    if not len(table):
        return NO_CONTACTS
    columns = (table[:, 2], table[:, 3], table[:, 4], table[:, 5:8], table[:, 8:11])
    # Each a copy of its own: a kernel is compiled once more for arrays that lie apart in memory.
    return Contacts(table[:, :2].astype(np.int64), *(column.copy() for column in columns))
