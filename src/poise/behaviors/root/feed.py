"""The wrench that the intended motion itself needs, so that an undisturbed body follows it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.behavior import Contribution
from poise.behaviors.root.state import RootState
from poise.world.dynamics import CharacterDynamics

__all__ = ["Feed"]

Array = NDArray[np.float64]


class Feed:
    """Works it out tick by tick.

    Args:
        dynamics: Of the body with legs that weigh what they do while they are led.
        most: Wrench at most that other behaviors' changes of the pose are given [N, N m], shape (6,).
        substeps: In a tick.

    Attributes:
        wrenches: At each substep of the tick [N, N m], shape (n, 6).
    """

    def __init__(self, dynamics: CharacterDynamics, most: Array, substeps: int) -> None:
        self._dynamics, self._most, self.wrenches = dynamics, most, np.zeros((substeps, 6))
        self._share = (np.arange(substeps) / substeps)[:, None]

    def wake(self, wanted: Contribution, state: RootState) -> None:
        """Begin with what the clip's motion needs now."""
        reference = wanted.reference
        state.feed[:] = self._dynamics.inverse(*reference.clip_moment(reference.time))[:6]
        state.extra[:] = 0.0

    def advance(self, wanted: Contribution, state: RootState, clip: Array, root: Array) -> None:
        """What the clip itself needs, exact at the ends of ticks, and what other behaviors' changes need beside it.

        Args:
            wanted: The pose, its root where it is aimed at.
            state: What is remembered; written.
            clip: Generalized positions as the clip has them, shape (n, nq).
            root: The clip's root as others found it, shape (n, 7).
        """
        reference, count, share = wanted.reference, len(self.wrenches), self._share
        end = self._dynamics.inverse(*reference.clip_moment(reference.time + reference.tick))[:6]
        self.wrenches[:] = state.feed + share * (end - state.feed)
        state.feed[:] = end
        if reference.changed or wanted.moves or state.extra.any():
            middle, needed = (count - 1) // 2, []
            plain = wanted.rows[middle].copy()
            plain[:7] = root[middle]
            for (_, mean, rates, _), pose in zip(state.motions, (clip[middle], plain), strict=True):
                needed.append(self._dynamics.inverse(pose, mean, rates)[:6])
            extra = np.clip(needed[1] - needed[0], -self._most, self._most)
            extra[np.abs(extra) < 1e-6] = 0.0
            self.wrenches += state.extra + share * (extra - state.extra)
            state.extra[:] = extra
