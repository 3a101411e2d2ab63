"""What arms are kept off."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.body.capsules import body_capsules
from poise.body.coordinates import BodyFrames, body_frames
from poise.body.plan import BodyPlan
from poise.math import quat
from poise.runtime.anticipation.trunk import _kernels

__all__ = ["Trunk"]

Array = NDArray[np.float64]

_TRUNK = ("pelvis", "spine", "neck", "head", "left_thigh", "right_thigh")
_OFF = 0.015
"""What arms keep off the trunk beside their thickness [m]."""


class Trunk:
    """What arms are kept off: the capsules of pelvis, thighs, spine, neck and head.

    Args:
        plan: The character.
        arm: Bodies of an arm, from which its thickness is taken, shape (3,).
    """

    def __init__(self, plan: BodyPlan, arm: NDArray[np.int64]) -> None:
        row = np.zeros(plan.position_count)
        row[3::4] = 1.0
        frames = body_frames(plan, row)
        capsules = body_capsules(plan, frames)
        own = np.isin(capsules.bodies, plan.with_role(*_TRUNK))
        self._bodies = capsules.bodies[own]
        place, back = frames.positions[0, self._bodies], quat.conj(frames.rotations[0, self._bodies])
        self._starts = quat.rotate(back, capsules.starts[0, own] - place)
        self._ends = quat.rotate(back, capsules.ends[0, own] - place)
        thick = capsules.radii[np.isin(capsules.bodies, arm[1:])].max(initial=0.0)
        self.wanted: Array = capsules.radii[own] + thick + _OFF
        """How far from the capsules' middles arms stay [m], shape (C,)."""
        self.starts, self.ends = np.zeros_like(self._starts), np.zeros_like(self._ends)

    def place(self, frames: BodyFrames) -> None:
        """Put the capsules where the body is."""
        _kernels.place_capsules(
            frames.positions[0],
            frames.rotations[0],
            self._bodies,
            self._starts,
            self._ends,
            self.starts,
            self.ends,
        )
