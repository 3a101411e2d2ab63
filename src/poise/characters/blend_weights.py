"""How physical each bone comes out: a weight per body."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from poise.body.plan import BodyPlan
from poise.errors import InputError, shown
from poise.hybrid.partition import find_bodies

__all__ = ["blend_weights"]

Array = NDArray[np.float64]


def blend_weights(plan: BodyPlan, blend: Mapping[str, float] | None) -> Array:
    """Weight of each body's joint, shape (B,); the pelvis' is that of its place as well.

    Args:
        plan: The character.
        blend: Weight by joint name or role, for it and everything below it until another is named. What is not below any
            is physical (1).

    Raises:
        InputError: A name is no joint or role of a body, or a weight is not between 0 and 1.
    """
    given = blend or {}
    for name, weight in given.items():
        try:
            allowed = 0.0 <= weight <= 1.0
        except TypeError:
            allowed = False
        if not allowed:
            raise InputError(
                f"blend of {name!r} must lie between 0 (as animated) and 1 (physical); got {shown(weight)}"
            )
    named = dict(zip(find_bodies(plan, given), given.values(), strict=True))
    weights = np.ones(len(plan))
    for body in range(len(plan)):
        weights[body] = named.get(body, weights[plan.parents[body]] if body else 1.0)
    return weights
