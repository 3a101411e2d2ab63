"""What one tick produced."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.motion.pose import Pose
from poise.runtime.timings import Timings
from poise.signals import Contacts, Event, State

__all__ = ["Frame"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Frame:
    """The end of a tick, with the three skeletons of Alvarado 2022 (section 3): input, kinematic, responsive.

    Args:
        tick: Number of the tick, from 0.
        source: The input skeletons, where the clips say the characters are: generalized positions of the world, shape (nq,).
        kinematic: The kinematic skeletons, where they were meant to be once every behavior had acted, shape (nq,).
        state: The world; its positions hold the responsive skeletons.
        output: What is shown, between the last two (`poise.characters.blend`), shape (nq,).
        contacts: What touched during the tick.
        events: What happened in it.
        timings: Time spent per room.
        posed: Makes a character's pose of generalized positions at a time [s].
    """

    tick: int
    source: Array
    kinematic: Array
    state: State
    output: Array
    contacts: Contacts
    events: tuple[Event, ...]
    timings: Timings
    posed: Callable[[str, Array, float], Pose]

    def __post_init__(self) -> None:
        for array in (self.source, self.kinematic, self.output, self.state.positions, self.state.velocities):
            array.setflags(write=False)

    def __repr__(self) -> str:
        return f"<Frame {self.tick} at {self.state.time:.3f} s: {len(self.contacts.pairs)} contacts, {len(self.events)} events>"

    def pose(self, character: str) -> Pose:
        """A character's pose as it comes out, on its own skeleton.

        Raises:
            InputError: There is no such character.
        """
        return self.posed(character, self.output, self.state.time)
