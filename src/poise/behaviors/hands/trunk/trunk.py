"""What arms are kept off."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.hands.trunk import _kernels
from poise.body.capsules import body_capsules
from poise.body.coordinates import BodyFrames, body_frames
from poise.body.plan import BodyPlan
from poise.math import quat

__all__ = ["Trunk"]

Array = NDArray[np.float64]

_TRUNK = ("pelvis", "spine", "neck", "head", "left_thigh", "right_thigh")


class Trunk:
    """What an arm is kept off: the capsules of pelvis, thighs, spine, neck and head, and the other arm's forearm and hand.

    Args:
        plan: The character.
        arms: Upper arm, forearm and hand of either side, shape (2, 3).
        clear: How far arms keep off the trunk beside their thickness [m].
    """

    def __init__(self, plan: BodyPlan, arms: NDArray[np.int64], clear: float) -> None:
        row = np.zeros(plan.position_count)
        row[3::4] = 1.0
        frames = body_frames(plan, row)
        capsules = body_capsules(plan, frames)
        place, back = frames.positions[0, capsules.bodies], quat.conj(frames.rotations[0, capsules.bodies])
        starts, ends = quat.rotate(back, capsules.starts[0] - place), quat.rotate(back, capsules.ends[0] - place)
        own = np.flatnonzero(np.isin(capsules.bodies, plan.with_role(*_TRUNK)))
        others = [np.array([np.flatnonzero(capsules.bodies == body)[0] for body in arm[1:]]) for arm in arms[::-1]]
        thick = capsules.radii[np.concatenate(others)].max()
        chosen = np.array([np.concatenate([own, other]) for other in others])
        self._capsules = (capsules.bodies[chosen], starts[chosen], ends[chosen], len(own))
        both = np.concatenate([capsules.radii[own] + clear, capsules.radii[others[0]]])
        self.wanted: Array = both + thick
        """How far from the capsules' middles an arm stays [m], shape (C,)."""
        self.starts, self.ends = np.zeros((2, len(both), 3)), np.zeros((2, len(both), 3))
        """Of the capsules that either arm is kept off [m], shape (2, C, 3)."""

    def place(self, frames: BodyFrames, meant: BodyFrames) -> None:
        """Put trunk, head and thighs where the body is, and for either arm the other one where it was meant to be."""
        _kernels.place_capsules(
            (frames.positions[0], frames.rotations[0]),
            (meant.positions[0], meant.rotations[0]),
            self._capsules,
            self.starts,
            self.ends,
        )
