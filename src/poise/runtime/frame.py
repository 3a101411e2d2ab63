"""What one tick produced."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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
        output: What is shown, between the last two (`poise.runtime.blend`), shape (nq,).
        contacts: What touched during the tick.
        events: What happened in it.
        timings: Time spent per room.
    """

    tick: int
    source: Array
    kinematic: Array
    state: State
    output: Array
    contacts: Contacts
    events: tuple[Event, ...]
    timings: Timings
