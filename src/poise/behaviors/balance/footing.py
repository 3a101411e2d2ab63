"""Where the feet stand, and the pose that stands on them."""

from __future__ import annotations

import copy

import numpy as np
from numpy.typing import NDArray

from poise.body.layout import turn_slice
from poise.control.balance import Carriage, CarriedBody
from poise.ik.limbs import LimbGoals, LimbOptions, LimbSolver
from poise.math import quat

__all__ = ["Footing"]

Array = NDArray[np.float64]

_UP = np.array([0.0, 0.0, 1.0])
_STILL, _MOST = 1e-5, 12
"""A pelvis that moves less stands [m]; legs carry part of the mass along, so that each try leaves a seventh of the way."""


class Footing:
    """Places of the feet, and a pelvis over them.

    Args:
        body: Who stands.
        row: The pose to begin with, shape (nq,): its feet are laid flat where they are.
        floor: Height of the ground [m].
        bend: Share of the leg's length by which the hips are lower than with straight knees.

    Attributes:
        places: Of the ankles of the left and the right foot [m], shape (2, 3).
        turns: Orientations of the feet, shape (2, 4).
        heading: Orientation of the pelvis, upright, shape (4,).
        centre: Centre of mass of the pose last made [m], shape (3,).
        height: Of the pelvis above the ground when standing [m].
    """

    def __init__(self, body: CarriedBody, row: Array, floor: float, bend: float) -> None:
        self._body, self.floor = body, floor
        plan, feet = body.plan, body.legs[:, 2]
        self._still = np.zeros(plan.velocity_count)
        self._solver = LimbSolver(plan, LimbOptions(limits=False))
        self._limbs = [self._solver.names.index(f"{side}_foot") for side in ("left", "right")]
        carriage = body.measure(row, self._still)
        neutral = plan.neutral[feet]
        ahead = quat.rotate(quat.mul(carriage.rotations[feet], quat.conj(neutral)), np.array([1.0, 0.0, 0.0]))
        yaw = np.arctan2(ahead[:, 1], ahead[:, 0])
        self.turns: Array = quat.mul(quat.exp(yaw[:, None] * _UP), neutral)
        self.places: Array = carriage.positions[feet].copy()
        self.places[:, 2] = floor + body.ankle_heights
        turn = quat.mul(carriage.rotations[0], quat.conj(plan.neutral[0]))
        self.heading: Array = quat.mul(quat.swing_twist(turn, _UP)[1], plan.neutral[0])
        self._hips = quat.rotate(self.heading, plan.offsets[body.legs[:, 0]])
        bones = np.linalg.norm(plan.offsets[body.legs[0, 1:]], axis=1)
        self._leg = (1.0 - bend) * float(bones.sum())
        self.centre: Array = np.zeros(3)
        self._pelvis = row[:3].copy()
        soles = quat.rotate(self.turns, body.sole_middles)
        self._lead = 0.5 * soles.mean(axis=0)[:2]
        self.height = self._hip_height(self._pelvis[:2]) - floor

    def __deepcopy__(self, memo: dict[int, object]) -> Footing:
        """A copy that goes its own way; what never changes is shared."""
        other = copy.copy(self)
        for name in ("places", "turns", "centre", "_pelvis"):
            setattr(other, name, getattr(self, name).copy())
        return other

    @property
    def middle(self) -> Array:
        """Over which the body stands: between the feet, half way from the ankle to the middle of the sole [m], shape (2,)."""
        return np.asarray(0.5 * (self.places[0, :2] + self.places[1, :2]) + self._lead)

    @property
    def ahead(self) -> Array:
        """Where the pelvis faces, horizontal unit vector, shape (2,)."""
        turn = quat.mul(self.heading, quat.conj(self._body.plan.neutral[0]))
        way = quat.rotate(turn, np.array([1.0, 0.0, 0.0]))[:2]
        return np.asarray(way / np.linalg.norm(way))

    def plant(self, foot: int, place: Array) -> None:
        """Let a foot stand flat at a place of its ankle (3,)."""
        self.places[foot, :2] = place[:2]

    def settle(self, places: Array, share: float) -> None:
        """Bring where the feet are thought to stand nearer to where their ankles are (2, 3) by a share of the distance."""
        self.places[:, :2] += min(share, 1.0) * (places[:, :2] - self.places[:, :2])

    def _hip_height(self, pelvis: Array) -> float:
        """Height of the pelvis with both legs as long as they may be [m]."""
        hips = self._hips
        across = np.sum((pelvis + hips[:, :2] - self.places[:, :2]) ** 2, axis=1)
        rise = np.sqrt(np.maximum(self._leg**2 - across, 0.1 * self._leg**2))
        return float(np.min(self.places[:, 2] + rise - hips[:, 2]))

    def stand(self, row: Array) -> None:
        """Let a pose (nq,) stand from the beginning: `pose` until it leaves it as it is."""
        for _ in range(_MOST):
            before = row[:3].copy()
            self.pose(row)
            if np.abs(row[:3] - before).max() < _STILL:
                return

    def pose(self, row: Array, away: Array | None = None) -> None:
        """Change pelvis and legs of a pose (nq,) so that it stands with its centre of mass over the middle.

        Args:
            row: The pose; its trunk, arms and head stay.
            away: How far the pelvis is to be from there [m], and turned [rad], shape (6,).
        """
        row[3:7] = self.heading
        for _ in range(2):
            row[:2] = self._pelvis[:2]
            row[2] = self._hip_height(row[:2])
            self._reach(row, self.places)
            self._pelvis[:2] += self.middle - self._body.centre_of(row)[:2]
        self.centre = self._body.centre_of(row)
        self.centre[:2] = self.middle
        if away is not None:
            row[:3] += away[:3]
            if away[3:].any():
                row[3:7] = quat.mul(self.heading, quat.exp(away[3:]))
            self._reach(row, self.places)

    def follow(self, row: Array, pelvis: Array) -> None:
        """Legs of a pose whose pelvis is at a place (3,), with both feet where they stand."""
        row[:3], row[3:7] = pelvis, self.heading
        self._reach(row, self.places)

    def reach(self, row: Array, foot: int, place: Array) -> None:
        """Bring one foot of a pose to a place of its ankle (3,)."""
        places = self.places.copy()
        places[foot] = place
        self._reach(row, places)

    def level(self, row: Array, foot: int, carriage: Carriage, tick: float) -> None:
        """Turn the ankle of a pose so that the sole is level under the shank as it will really be after a tick [s]."""
        body = self._body
        _, shank, end = body.legs[foot]
        turn = quat.mul(quat.exp(tick * carriage.angular_velocities[shank]), carriage.rotations[shank])
        above = quat.mul(turn, body.plan.bind_rotations[end])
        row[turn_slice(end)] = quat.mul(quat.conj(above), self.turns[foot])

    def _reach(self, row: Array, places: Array) -> None:
        goals = LimbGoals.none(1, len(self._solver.names))
        goals.positions[:] = np.nan
        for limb, place, turn in zip(self._limbs, places, self.turns, strict=True):
            goals.positions[0, limb], goals.rotations[0, limb] = place, turn
            goals.weights[0, limb, :2] = 1.0
        self._solver.solve(row[None], goals)
