"""Arms that hang, and are brought out and ahead of the body for balance; what is up already stays there."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import body_frames, turn_joint
from poise.body.layout import turn_slice
from poise.body.plan import BodyPlan
from poise.math import quat

__all__ = ["HangingArms"]

Array = NDArray[np.float64]

_NO_BONE = 1e-6
"""A forearm shorter than this points nowhere [m]."""
_SIDES = (("left", 1.0), ("right", -1.0))


class HangingArms:
    """Both arms of one body.

    Args:
        plan: The body.
    """

    def __init__(self, plan: BodyPlan) -> None:
        self._plan, self._chest = plan, max(plan.with_role("spine"), default=0)
        self._arms = [
            (upper, [(lower, _bone(plan, lower)) for lower in plan.with_role(f"{side}_forearm")], sign)
            for side, sign in _SIDES
            for upper in plan.with_role(f"{side}_upper_arm")
        ]

    @property
    def sides(self) -> list[float]:
        """1 for a left arm, -1 for a right one, in the order in which they are turned."""
        return [side for *_, side in self._arms]

    def shares(self, row: Array) -> list[float]:
        """How much each arm hangs down along its trunk in a pose (nq,), 0 to 1."""
        frames, chest = body_frames(self._plan, row[None]), self._chest
        down = quat.rotate(
            quat.mul(frames.rotations[0, chest], quat.conj(self._plan.neutral[chest])), np.array([0.0, 0.0, -1.0])
        )
        shares = []
        for upper, lower, _ in self._arms:
            if not lower:
                shares.append(0.0)
                continue
            arm = frames.positions[0, lower[0][0]] - frames.positions[0, upper]
            shares.append(min(max(float(arm @ down) / max(float(np.linalg.norm(arm)), 1e-9), 0.0), 1.0))
        return shares

    def bring(
        self, rows: Array, shares: list[float], out: list[Array], ahead: list[Array], elbow: Array, palms: Array
    ) -> None:
        """Turn them on top of what they do, in poses (n, nq) in place.

        Args:
            rows: Generalized positions.
            shares: How much of it each does.
            out: How far each goes away from the body [rad], shape (n,) each.
            ahead: How far each goes forward [rad], shape (n,) each.
            elbow: How far elbows bend [rad], shape (n,).
            palms: How far palms that face one another turn down [rad], shape (n,).
        """
        none = 0.0 * elbow
        for (upper, lower, side), share, beside, before in zip(self._arms, shares, out, ahead, strict=True):
            turn_joint(self._plan, rows, upper, share * np.stack([side * beside, -before, none], axis=1))
            for body, bone in lower:
                turn_joint(self._plan, rows, body, share * np.stack([none, -elbow, none], axis=1))
                column = turn_slice(body)
                rows[:, column] = quat.mul(rows[:, column], quat.exp(side * share * palms[:, None] * bone))


def _bone(plan: BodyPlan, forearm: int) -> Array:
    """Where a forearm points in its own frame, shape (3,); nowhere where nothing hangs on it."""
    ends = [plan.offsets[body] for body in range(len(plan)) if plan.parents[body] == forearm]
    length = float(np.linalg.norm(ends[0])) if ends else 0.0
    return np.asarray(ends[0] / length) if length > _NO_BONE else np.zeros(3)
