"""Hands that touch something, or are fixed to it, stay where they are while the body breathes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.reference import Reference
from poise.body.coordinates import BodyFrames
from poise.ik import LimbGoals, LimbSolver
from poise.world.view import WorldView

__all__ = ["Touching"]

Array = NDArray[np.float64]


class Touching:
    """Looks after both hands of one character.

    Args:
        view: The world.
        reference: Who it is.
        keeps: How long it takes until a hand that touches is kept, and until it goes with the body again [s].
    """

    def __init__(self, view: WorldView, reference: Reference, keeps: float) -> None:
        self._keeps = keeps
        plan = reference.plan
        self._solver = LimbSolver(plan)
        self._limbs = [self._solver.names.index(f"{side}_hand") for side in ("left", "right")]
        self._ends = self._solver.bodies[self._limbs, 2]
        numbers = view.body_numbers(reference.name)
        self._own = np.isin(view.geoms.bodies, numbers)
        below = [sorted(plan.subtree(int(middle))) for middle in self._solver.bodies[self._limbs, 1]]
        self._numbers = [numbers[bodies] for bodies in below]
        self._hands = np.stack([np.isin(view.geoms.bodies, each) for each in self._numbers])

    def held(self, view: WorldView, held: Array, tick: float) -> Array:
        """How much each hand is kept at the end of a tick, when it was so much at its beginning, shape (2,)."""
        pairs = view.contacts.pairs
        others = pairs[self._own[pairs].sum(axis=1) == 1]
        fixed = np.array([view.is_welded(bodies) for bodies in self._numbers])
        touch = self._hands[:, others].any(axis=(1, 2)) | fixed
        return np.clip(held + np.where(touch, 1.0, -1.0) * tick / self._keeps, 0.0, 1.0)

    def keep(self, rows: Array, frames: BodyFrames, shares: Array) -> None:
        """Bring hands back to where they were in frames of the same poses, by shares (n, 2) of the way, in place."""
        goals = LimbGoals.none(len(rows), len(self._solver.names))
        goals.positions[:] = np.nan
        for limb, end, share in zip(self._limbs, self._ends, shares.T, strict=True):
            if end >= 0 and share.any():
                goals.positions[:, limb], goals.rotations[:, limb] = frames.positions[:, end], frames.rotations[:, end]
                goals.weights[:, limb, :2] = share[:, None]
        self._solver.solve(rows, goals)
