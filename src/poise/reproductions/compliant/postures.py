"""How people of these rows hold hands and heads."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import body_frames
from poise.body.plan import BodyPlan
from poise.math import quat

__all__ = ["beside_chest", "face", "nod"]

Array = NDArray[np.float64]

_SIDES = ("left", "right")


def beside_chest(plan: BodyPlan, rows: Array) -> Array:
    """Where both hands are in the frame of the chest [m], shape (T, 2, 3), at generalized positions (T, nq)."""
    chest, hands = plan.with_role("spine")[-1], [plan.with_role(f"{side}_hand")[0] for side in _SIDES]
    frames = body_frames(plan, rows)
    away = frames.positions[:, hands] - frames.positions[:, [chest]]
    return quat.rotate(quat.conj(frames.rotations[:, [chest]]), away)


def face(plan: BodyPlan, rows: Array) -> Array:
    """Where the face looks to, shape (T, 3)."""
    head = plan.with_role("head")[0]
    turned = quat.mul(body_frames(plan, rows).rotations[:, head], quat.conj(plan.neutral[head]))
    return quat.rotate(turned, np.array([1.0, 0.0, 0.0]))


def nod(plan: BodyPlan, rows: Array) -> Array:
    """How far down the face looks [degrees], shape (T,)."""
    return np.asarray(-np.degrees(np.arcsin(np.clip(face(plan, rows)[:, 2], -1.0, 1.0))))
