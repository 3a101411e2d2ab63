"""Where the head looks: the way there is shared between the neck joints and the head, inside their limits."""

from __future__ import annotations

from math import isfinite

import numpy as np
from numpy.typing import NDArray

from poise.body.plan import BodyPlan
from poise.errors import InputError
from poise.ik.trunk import _kernels
from poise.ik.trunk.tree import kernel_model
from poise.math import quat

__all__ = ["ROUNDS", "Gaze"]

Array = NDArray[np.float64]

ROUNDS = 4
"""How often the chain is gone through."""


class Gaze:
    """The chain of neck joints and head of one character.

    Args:
        plan: The character.

    Raises:
        InputError: It has no body for the head, or the head hangs on the pelvis.
    """

    def __init__(self, plan: BodyPlan) -> None:
        head = next(iter(plan.with_role("head")), None)
        if head is None or plan.parents[head] < 0:
            raise InputError("looking needs a body with the role head")
        chain = [head]
        while plan.body_roles[plan.parents[chain[0]]] == "neck":
            chain.insert(0, int(plan.parents[chain[0]]))
        self.plan, self.head = plan, head
        bodies = np.array([int(plan.parents[chain[0]]), *chain])
        ahead = quat.rotate(quat.conj(plan.neutral[head]), [1.0, 0.0, 0.0])
        tree, front = (bodies, np.arange(len(bodies)) - 1), (float(ahead[0]), float(ahead[1]), float(ahead[2]))
        self.compiled = (plan.parents, tree, kernel_model(plan), front)
        """What compiled loops are given: parents, chain, model and the head's front in its frame."""

    def look_at(self, row: Array, target: Array) -> None:
        """Turn neck and head in generalized positions `row` (nq,) so that the head's front points at `target` [m].

        A target that is not finite changes nothing. Behind the back the head stops at its limits.
        """
        self._turn(row, target, quat.IDENTITY, by_turn=False)

    def turn_to(self, row: Array, rotation: Array) -> None:
        """Turn neck and head so that the head is turned as `rotation` (4,) in the world."""
        self._turn(row, np.zeros(3), rotation, by_turn=True)

    def _turn(self, row: Array, target: Array, rotation: Array, *, by_turn: bool) -> None:
        point, turn = tuple(target.tolist()), tuple(rotation.tolist())
        if not isfinite(sum(point) + sum(turn)):
            return
        _kernels.look(self.compiled, row, point, turn, by_turn, ROUNDS)
