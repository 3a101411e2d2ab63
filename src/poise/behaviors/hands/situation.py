"""What a decision is made from."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.evasion import Shield
from poise.behaviors.perception.senses import Percept
from poise.body.coordinates import BodyFrames

__all__ = ["Situation"]

Array = NDArray[np.float64]


class Situation(NamedTuple):
    """What a decision is made from.

    Args:
        time: Beginning of the tick [s].
        tick: Its length [s].
        before: Kinematic skeleton without anticipation at its beginning (one row).
        after: The same at its end.
        meant: Kinematic skeleton at its beginning.
        hands: Where both hands were meant to be at the beginning, shape (2, 3).
        shoulders: At its end, shape (2, 3).
        faces: Where the chest faces at the end, level, shape (3,).
        touching: For either hand, whether each obstacle is touched by its arm, shape (2, P).
        felt: Mean force on either arm in the last tick of what its hand is about [N], shape (2, 3).
        percept: What is perceived.
        shields: Hands that go before the face.
        dodged: The obstacle they guard it from, `NOTHING` for none.
    """

    time: float
    tick: float
    before: BodyFrames
    after: BodyFrames
    meant: BodyFrames
    hands: Array
    shoulders: Array
    faces: Array
    touching: NDArray[np.bool_]
    felt: Array
    percept: Percept
    shields: tuple[Shield, ...]
    dodged: int
