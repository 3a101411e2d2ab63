"""Where the head looks: the way there is shared between the neck joints and the head, inside their limits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import body_frames
from poise.body.plan import BodyPlan
from poise.errors import InputError
from poise.ik.trunk import _kernels
from poise.ik.trunk.tree import kernel_model
from poise.math import quat

__all__ = ["Gaze"]

Array = NDArray[np.float64]

_ROUNDS = 4


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
        self._tree = (bodies, np.arange(len(bodies)) - 1)
        self._model = kernel_model(plan)
        ahead = quat.rotate(quat.conj(plan.neutral[head]), [1.0, 0.0, 0.0])
        self._ahead = (float(ahead[0]), float(ahead[1]), float(ahead[2]))

    def look_at(self, row: Array, target: Array) -> None:
        """Turn neck and head in generalized positions `row` (nq,) so that the head's front points at `target` [m].

        A target that is not finite changes nothing. Behind the back the head stops at its limits.
        """
        self._turn(row, target, quat.IDENTITY, by_turn=False)

    def turn_to(self, row: Array, rotation: Array) -> None:
        """Turn neck and head so that the head is turned as `rotation` (4,) in the world."""
        self._turn(row, np.zeros(3), rotation, by_turn=True)

    def _turn(self, row: Array, target: Array, rotation: Array, *, by_turn: bool) -> None:
        if not (np.isfinite(target).all() and np.isfinite(rotation).all()):
            return
        frames, base = body_frames(self.plan, row), self._tree[0][0]
        root = np.concatenate([frames.rotations[0, base], frames.positions[0, base]])
        point, turn = tuple(map(float, target)), tuple(map(float, rotation))
        _kernels.look(self._tree, self._model, row, root, self._ahead, point, turn, by_turn, _ROUNDS)
