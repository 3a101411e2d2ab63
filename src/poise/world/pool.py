"""Free bodies that are not there until somebody puts them there: kept far below, held, and met by nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError, unknown_name
from poise.signals import Mode

if TYPE_CHECKING:
    from poise.world.world import World

__all__ = ["Pool"]

Array = NDArray[np.float64]


class Pool:
    """The pool of a world.

    Args:
        world: Where they will be.
        bodies: Names of free bodies, which are where they shall be kept.
    """

    def __init__(self, world: World, bodies: Sequence[str]) -> None:
        self._world, joints = world, [world.model.joint(body) for body in bodies]
        self._at = {joint.name: (int(joint.qposadr[0]), int(joint.dofadr[0])) for joint in joints}
        self._kept = {name: np.array(world.positions[at : at + 7]) for name, (at, _) in self._at.items()}
        world.cut.set(bodies, Mode.MOTION)

    def spawn(self, body: str, position: Array, velocity: Array) -> None:
        """Put one at a place (3,) [m], as it stands, with a linear velocity (3,) [m/s].

        Raises:
            InputError: There is no such body, or it is there already.
        """
        self._move(body, Mode.MOTION, position)
        self._world.throw(body, velocity)

    def remove(self, body: str) -> None:
        """Take one away.

        Raises:
            InputError: There is no such body, or it is not there.
        """
        self._move(body, Mode.PASSIVE)
        self._world.cut.set(body, Mode.MOTION)

    def _move(self, body: str, mode: Mode, position: Array | None = None) -> None:
        """Move one that is in a mode to a place, or to where it is kept; at rest."""
        if body not in self._at:
            raise unknown_name("body of the pool", body, self._at)
        if self._world.cut.mode(body) is not mode:
            raise InputError("is not there" if mode is Mode.PASSIVE else "is there already", place=body)
        at, rate = self._at[body]
        self._world.positions[at : at + 7] = self._kept[body]
        if position is not None:
            self._world.positions[at : at + 3] = position
        self._world.velocities[rate : rate + 6] = 0.0
