"""Arms that hang, and are brought out and ahead of the body for balance; what is up already stays there."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import body_frames, turn_joint
from poise.body.plan import BodyPlan
from poise.math import quat

__all__ = ["HangingArms"]

Array = NDArray[np.float64]

_SIDES = (("left", 1.0), ("right", -1.0))


class HangingArms:
    """Both arms of one body.

    Args:
        plan: The body.
    """

    def __init__(self, plan: BodyPlan) -> None:
        self._plan, self._chest = plan, max(plan.with_role("spine"), default=0)
        self._arms = [
            (upper, plan.with_role(f"{side}_forearm"), sign)
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
            arm = frames.positions[0, lower[0]] - frames.positions[0, upper]
            shares.append(min(max(float(arm @ down) / max(float(np.linalg.norm(arm)), 1e-9), 0.0), 1.0))
        return shares

    def bring(self, rows: Array, shares: list[float], out: list[Array], ahead: Array, elbow: Array) -> None:
        """Turn them on top of what they do, in poses (n, nq) in place.

        Args:
            rows: Generalized positions.
            shares: How much of it each does.
            out: How far each goes away from the body [rad], shape (n,) each.
            ahead: How far both go forward [rad], shape (n,).
            elbow: How far elbows bend [rad], shape (n,).
        """
        none = 0.0 * ahead
        for (upper, lower, side), share, beside in zip(self._arms, shares, out, strict=True):
            turn_joint(self._plan, rows, upper, share * np.stack([side * beside, -ahead, none], axis=1))
            for body in lower:
                turn_joint(self._plan, rows, body, share * np.stack([none, -elbow, none], axis=1))
