"""Somebody who stands at ease: arms hang beside the trunk, not in it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.body.capsules import body_capsules
from poise.body.coordinates import body_frames, turn_joint
from poise.body.plan import BodyPlan
from poise.ik import relaxed_positions
from poise.metrics import pair_penetration

__all__ = ["at_ease"]

Array = NDArray[np.float64]

_SIDES = (("left", 1.0), ("right", -1.0))
_TRUNK = ("pelvis", "spine", "left_thigh", "right_thigh")
_OUT = np.radians(np.arange(0.0, 20.5, 0.5))
"""How far an arm may be held off, in turn [rad]: fat people's arms hang at some 20° at most."""
_NEIGHBORS = 2
"""Bodies with so few joints between them always overlap."""
_CLEAR = 0.01
"""How far arms are held off [m]: a trunk sways under them."""


def at_ease(plan: BodyPlan) -> Array:
    """Generalized positions of a person who stands at ease at the origin, arms held off as the trunk is wide, (nq,)."""
    row = relaxed_positions(plan)
    rows = np.tile(row, (len(_OUT), 1))
    for side, sign in _SIDES:
        for upper in plan.with_role(f"{side}_upper_arm"):
            turn_joint(plan, rows, upper, sign * np.stack([_OUT, 0.0 * _OUT, 0.0 * _OUT], axis=1))
            overlaps = _overlaps(plan, rows, set(plan.subtree(upper)))
            # What nothing parts is the shape of the shoulder.
            parted = overlaps[:, overlaps[-1] == 0.0]
            rows[:] = rows[int(np.argmin(parted.any(axis=1)))]
    return np.asarray(rows[0])


def _overlaps(plan: BodyPlan, rows: Array, arm: set[int]) -> Array:
    """How much nearer than clear an arm is to trunk and thighs in poses (T, nq) [m], by pairs of capsules, shape (T, P)."""
    starts, ends, radii, bodies = body_capsules(plan, body_frames(plan, rows))
    trunk = set(plan.with_role(*_TRUNK))
    pairs = [
        (i, j)
        for i, a in enumerate(bodies.tolist())
        for j, b in enumerate(bodies.tolist())
        if a in arm and b in trunk and sum(plan.joints_between(a, b)) > _NEIGHBORS
    ]
    if not pairs:
        return np.zeros((len(rows), 0))
    return pair_penetration(starts, ends, radii + 0.5 * _CLEAR, np.array(pairs))
