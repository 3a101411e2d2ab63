"""The sole of a foot: where it lies in the foot's frame, and what of it is measured."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.body.plan import BodyPlan
from poise.errors import InputError
from poise.math import quat

__all__ = ["FEET", "Sole", "find_sole"]

Array = NDArray[np.float64]

FEET: tuple[str, ...] = ("left_foot", "right_foot")
HEEL, BALL = -0.8, 0.6
"""Where heel and ball are along the sole, from -1 at its back to 1 at its front (as `body.capsules.sole_points`)."""


@dataclass(frozen=True, eq=False)
class Sole:
    """The bottom of a foot's box.

    Args:
        body: The foot.
        middle: Middle of the sole in the foot's frame [m], shape (3,).
        turn: From the sole's axes (x to the toes, y left, z up) to the foot's frame, shape (4,).
        half: Half its length and half its width [m], shape (2,).
    """

    body: int
    middle: Array
    turn: Array
    half: Array

    def points(self, along: Array, across: Array) -> Array:
        """Points of the sole in the foot's frame, at -1…1 along and across it, shape (k, 3)."""
        flat = np.stack([self.half[0] * along, self.half[1] * across, np.zeros(len(along))], axis=-1)
        return self.middle + np.asarray(quat.rotate(self.turn, flat))

    def grid(self) -> Array:
        """Six rows of three points from the heel's end to the ball and one at the toes, in the foot's frame, shape (21, 3)."""
        rows = np.array([*np.linspace(-1.0, BALL, 6), 1.0])
        along, across = np.meshgrid(rows, np.array([-0.9, 0.0, 0.9]), indexing="ij")
        return self.points(along.ravel(), across.ravel())


def find_sole(plan: BodyPlan, role: str) -> Sole:
    """The sole of a foot by role.

    Raises:
        InputError: The character has no such foot, or no box for it.
    """
    body = next(iter(plan.with_role(role)), None)
    box = None if body is None else next((c for c in plan.colliders[body] if c.kind == "box"), None)
    if body is None or box is None:
        raise InputError(f"this character has no {role} with a sole to stand on")
    below = box.position + quat.rotate(box.rotation, np.array([0.0, 0.0, -box.size[2]]))
    return Sole(body, np.asarray(below), box.rotation, box.size[:2])
