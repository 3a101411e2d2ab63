"""Which way a body faces."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.body.plan import BodyPlan
from poise.math import quat

__all__ = ["facing", "headings"]

Array = NDArray[np.float64]


def facing(plan: BodyPlan, positions: Array) -> float:
    """Heading of the pelvis from x towards y [rad] at generalized positions of the character."""
    return float(headings(plan, positions[None])[0])


def headings(plan: BodyPlan, positions: Array) -> Array:
    """Headings of the pelvis from x towards y [rad] at generalized positions (n, nq) of the character, shape (n,)."""
    turn = quat.mul(positions[:, 3:7], quat.conj(plan.neutral[0]))
    ahead = quat.rotate(turn, np.array([1.0, 0.0, 0.0]))
    return np.asarray(np.arctan2(ahead[:, 1], ahead[:, 0]))
