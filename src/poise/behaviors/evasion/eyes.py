"""Whether a character sees a place of something that stands around."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import Sight, in_view
from poise.body.coordinates import body_frames
from poise.body.plan import BodyPlan
from poise.math import quat
from poise.signals import Surroundings

__all__ = ["Eyes"]

Array = NDArray[np.float64]


class Eyes:
    """Of one character.

    Args:
        plan: Its body.
        surroundings: What stands around.
        sight: What it sees.
    """

    def __init__(self, plan: BodyPlan, surroundings: Surroundings, sight: Sight) -> None:
        self._plan, self._surroundings, self._sight = plan, surroundings, sight
        self._head = (plan.with_role("head") or (0,))[0]

    def see(self, row: Array, which: int, point: Array) -> bool:
        """Whether a body in the pose (nq,) sees a point (3,) of an obstacle: in the frustum and not hidden."""
        head, frames = self._head, body_frames(self._plan, row)
        turn = quat.mul(frames.rotations[0, head], quat.conj(self._plan.neutral[head]))
        eye = frames.positions[0, head]
        shown = in_view(self._sight, eye, quat.rotate(turn, np.eye(3)), point[None])
        return bool(shown[0]) and not bool(self._surroundings.hidden(eye, point[None], np.array([which]))[0])
