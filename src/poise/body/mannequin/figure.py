"""A person in the open pose, measured: the landmarks that trunk, limbs, hands and feet are shaped by."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.body.mannequin.bind import BindPose
from poise.body.plan import BodyPlan

__all__ = ["SIDES", "Figure"]

Array = NDArray[np.float64]

SIDES = (("left_", 1.0), ("right_", -1.0))


@dataclass(frozen=True, eq=False)
class Figure:
    """A person's body and the pose it is made in. Widths and lengths of a mannequin are shares of `stature`."""

    plan: BodyPlan
    pose: BindPose

    @property
    def stature(self) -> float:
        """Standing height [m]."""
        return self.plan.stature

    @property
    def girth(self) -> float:
        """Factor on all thicknesses: 1 at 22.5 kg/m², within what still looks like a person."""
        return float(np.clip(np.sqrt(self.plan.total_mass / (22.5 * self.stature**2)), 0.8, 1.3))

    def place(self, role: str) -> Array | None:
        """Where the first joint with this role is [m], shape (3,)."""
        joint = self.plan.roles.joint(role)
        return None if joint is None else self.pose.positions[joint]

    def at(self, role: str) -> Array:
        """Where the joint with this role is, which the body plan requires to be there [m], shape (3,)."""
        place = self.place(role)
        assert place is not None
        return place

    def middle(self, part: str) -> Array:
        """Midway between left and right joint of this part [m], shape (3,)."""
        return np.asarray(0.5 * (self.at(f"left_{part}") + self.at(f"right_{part}")))

    @property
    def head_center(self) -> Array:
        """Middle of the skull [m]: above the head joint, in a sane distance from the shoulders; shape (3,)."""
        shoulders, size = self.middle("upper_arm"), self.stature
        base = self.place("head")
        if base is None:
            return shoulders + np.array([0.015, 0.0, 0.118]) * size
        height = np.clip(base[2] + 0.055 * size, shoulders[2] + 0.105 * size, shoulders[2] + 0.14 * size)
        return np.array([base[0] + 0.008 * size, base[1], height])

    def wrist(self, side: str) -> Array:
        """The hand's joint or, without one, where the forearm ends [m], shape (3,)."""
        hand = self.place(f"{side}hand")
        if hand is not None:
            return hand
        elbow, shoulder = self.at(f"{side}forearm"), self.at(f"{side}upper_arm")
        along = elbow - shoulder
        return np.asarray(elbow + 0.85 * along)
