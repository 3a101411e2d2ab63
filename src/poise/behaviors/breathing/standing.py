"""A pelvis that sways over feet which stay where they are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.breathing.options import StillStanding
from poise.behaviors.reference import Reference
from poise.behaviors.root.legs import Legs
from poise.body.coordinates import BodyFrames, body_frames, turn_joint
from poise.body.heading import headings
from poise.body.plan import BodyPlan
from poise.errors import InputError
from poise.math import quat
from poise.signals import Mode

__all__ = ["Standing"]

Array = NDArray[np.float64]

_SOFT = 1e-3
"""Over what way the pelvis begins to sink for legs that end [m]."""


class Standing:
    """Carries the pelvis of one character.

    Args:
        plan: The character.
        substeps: In a tick.
        options: Who stands, and how the pelvis is carried.
    """

    def __init__(self, plan: BodyPlan, substeps: int, options: StillStanding) -> None:
        self.options, self._plan, self._legs = options, plan, Legs(plan, substeps)
        self._spine = min(plan.with_role("spine"), default=None)

    @classmethod
    def of(cls, reference: Reference, options: StillStanding) -> Standing | None:
        """For a character whose pelvis follows its clip on two legs with feet; None for others."""
        if reference.modes[0] != Mode.MOTION:
            return None
        try:
            standing = cls(reference.plan, len(reference.rows), options)
        except InputError:
            return None
        return standing if min(standing._legs.feet) >= 0 else None

    def share(self, reference: Reference, share: float) -> float:
        """How much of the sway there is at the end of a tick, when there was so much at its beginning: while a clip stands."""
        change = reference.tick / self.options.settles
        return min(share + change, 1.0) if self._stands(reference) else max(share - change, 0.0)

    def _stands(self, reference: Reference) -> bool:
        legs, rows = self._legs, reference.clip_rows(np.array([reference.time, reference.time + reference.tick]))
        first, last = body_frames(self._plan, rows).positions
        speeds = np.linalg.norm(last - first, axis=1) / reference.tick
        lengths = np.linalg.norm(last[legs.feet] - last[legs.hips], axis=1)
        slow = speeds[0] < self.options.still and speeds[legs.feet].max() < self.options.feet
        return bool(slow and (lengths > self.options.upright * legs.bones).all())

    def carry(self, rows: Array, frames: BodyFrames, aside: Array, shares: Array) -> None:
        """Move the pelvis of rows (n, nq) in place; feet stay where they are.

        Args:
            rows: The pose.
            frames: Of its bodies.
            aside: How far sway takes the pelvis ahead and to the left, and a shift of weight to the left [m], shape (n, 3).
            shares: How much of the sway there is, shape (n,).
        """
        plan, legs, heading = self._plan, self._legs, headings(self._plan, rows)
        ahead = np.column_stack([np.cos(heading), np.sin(heading), np.zeros(len(rows))])
        left = np.column_stack([-ahead[:, 1], ahead[:, 0], np.zeros(len(rows))])
        high = np.maximum(rows[:, 2] - frames.positions[:, legs.feet, 2].mean(axis=1), 1e-3)
        roll = self.options.rolls * aside[:, 2]
        rows[:, :3] += aside[:, :1] * ahead + (aside[:, 1] + aside[:, 2])[:, None] * left
        turn = quat.exp((aside[:, 0] / high)[:, None] * left + roll[:, None] * ahead)
        rows[:, 3:7] = quat.mul(turn, rows[:, 3:7])
        if self._spine is not None:
            turn_joint(plan, rows, self._spine, -roll[:, None] * np.array([1.0, 0.0, 0.0]))
        rows[:, 2] -= shares * self._too_long(rows, frames)
        legs.stand(rows, frames)

    def _too_long(self, rows: Array, frames: BodyFrames) -> Array:
        """How much lower the pelvis has to be for legs to reach their feet [m], shape (n,)."""
        legs = self._legs
        feet = frames.positions[:, legs.feet]
        own = np.linalg.norm(feet - frames.positions[:, legs.hips], axis=2)
        need = np.linalg.norm(feet - body_frames(self._plan, rows).positions[:, legs.hips], axis=2)
        over = (need - np.maximum(own, self.options.bent * legs.bones)).max(axis=1)
        return np.asarray(0.5 * (over + np.sqrt(over**2 + _SOFT**2)))
