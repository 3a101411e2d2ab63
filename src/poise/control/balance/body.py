"""What a balance law sees: how the body is carried now, and what its feet can stand on."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from poise.body.plan import BodyPlan
from poise.control.balance import _kernels
from poise.errors import InputError
from poise.math import quat

__all__ = ["Aim", "BalanceLaw", "Carriage", "CarriedBody", "Reading", "Soles", "Springs", "capture_point", "outside"]

Array = NDArray[np.float64]
SIDES = ("left", "right")


class Carriage(NamedTuple):
    """How a body is carried at an instant, all in the world; rewritten by `CarriedBody.measure`.

    Args:
        rotations: Of the bodies, wxyz, shape (B, 4).
        positions: Of their joints [m], shape (B, 3).
        angular_velocities: [rad/s], shape (B, 3).
        velocities: Of their joints [m/s], shape (B, 3).
        whole: Centre of mass [m], its velocity [m/s], angular momentum about it [N m s], shape (3, 3).
    """

    rotations: Array
    positions: Array
    angular_velocities: Array
    velocities: Array
    whole: Array

    @classmethod
    def empty(cls, count: int) -> Carriage:
        """Of so many bodies, to be filled in."""
        return cls(
            np.zeros((count, 4)), np.zeros((count, 3)), np.zeros((count, 3)), np.zeros((count, 3)), np.zeros((3, 3))
        )

    @property
    def centre(self) -> Array:
        """Centre of mass [m], shape (3,)."""
        return np.asarray(self.whole[0])

    @property
    def velocity(self) -> Array:
        """Of the centre of mass [m/s], shape (3,)."""
        return np.asarray(self.whole[1])


class Soles(NamedTuple):
    """The soles of the left and the right foot.

    Args:
        middles: Middle of each sole in the world [m], shape (2, 3).
        axes: Where each points, horizontal unit vectors, shape (2, 2).
        halves: Half length and half width [m], shape (2, 2).
    """

    middles: Array
    axes: Array
    halves: Array


class Aim(NamedTuple):
    """Where the body shall be carried.

    Args:
        centre: Where the centre of mass shall be [m], shape (3,).
        velocity: How it shall move there [m/s], shape (3,).
        pressure: Where the centre of pressure is meant to be beyond what holds `centre` [m], horizontal, shape (2,).
        momentum_rate: Rate of angular momentum that the coming motion needs [N m], shape (3,).
    """

    centre: Array
    velocity: Array
    pressure: Array
    momentum_rate: Array

    @classmethod
    def at(cls, centre: Array) -> Aim:
        """At rest over a place."""
        return cls(np.asarray(centre, dtype=np.float64), np.zeros(3), np.zeros(2), np.zeros(3))


class Reading(NamedTuple):
    """What a law made of it.

    Args:
        capture: The capture point: where the body would come to rest over, horizontal [m], shape (2,).
        pressure: Centre of pressure asked of the ground [m], shape (2,).
        outside: How far the capture point is from where the feet can push [m].
    """

    capture: Array
    pressure: Array
    outside: float


class Springs(NamedTuple):
    """Stiffness [N m/rad] and damping [N m s/rad] with which a law wants thigh, shank and foot held to their pose."""

    thigh: tuple[float, float]
    shank: tuple[float, float]
    foot: tuple[float, float]


class BalanceLaw(Protocol):
    """From how a body is carried to what its legs do.

    Attributes:
        springs: Of the legs' muscles beside the law's torques.
    """

    springs: Springs

    def torques(self, carriage: Carriage, carrying: NDArray[np.bool_], aim: Aim, out: Array) -> Reading:
        """Write the torques of the joints below the pelvis, in the children's frames [N m], into `out` (B-1, 3).

        Args:
            carriage: How the body is carried now.
            carrying: Whether the left and the right foot stand, shape (2,).
            aim: Where it shall be carried.
            out: Torques; written, zero where the law does nothing.
        """
        ...


class CarriedBody:
    """A character's mass and feet as arrays.

    Args:
        plan: The character.
        gravity: [m/s²].

    Raises:
        InputError: It has no two feet with soles.
    """

    def __init__(self, plan: BodyPlan, gravity: float = 9.81) -> None:
        self.plan, self.gravity, self.mass = plan, gravity, plan.total_mass
        self.legs = np.array([_leg(plan, side) for side in SIDES])
        """Thigh, shank and foot of the left and the right leg, shape (2, 3)."""
        parts = (plan.parents, plan.offsets, plan.bind_rotations, plan.masses, plan.centres, plan.inertias)
        columns = [np.reshape(np.asarray(part, float), (len(plan), -1)) for part in parts]
        self.table = np.ascontiguousarray(np.concatenate(columns, axis=1))
        boxes = [plan.colliders[foot][0] for foot in self.legs[:, 2]]
        neutral = plan.neutral[self.legs[:, 2]]
        down = np.array([[0.0, 0.0, -box.size[2]] for box in boxes])
        places = np.array([box.position for box in boxes])
        self.sole_middles: Array = places + quat.rotate(np.array([box.rotation for box in boxes]), down)
        """Middle of each sole in its foot's frame [m], shape (2, 3)."""
        self.ankle_heights: Array = -quat.rotate(neutral, self.sole_middles)[:, 2]
        """Of each ankle above its sole [m], shape (2,)."""
        self.ahead: Array = quat.rotate(quat.conj(neutral), np.array([1.0, 0.0, 0.0]))
        """Forward in each foot's frame, shape (2, 3)."""
        self._halves = np.array([box.size[:2] for box in boxes])
        count = len(plan)
        self.carriage, self._pose = Carriage.empty(count), Carriage.empty(count)
        self._still = np.zeros(plan.velocity_count)

    def measure(self, positions: Array, velocities: Array) -> Carriage:
        """How the body is carried at generalized positions (nq,) and velocities (nv,); overwritten by the next call."""
        _kernels.measure(self.table, positions, velocities, *self.carriage)
        return self.carriage

    def centre_of(self, positions: Array) -> Array:
        """Centre of mass of a pose (nq,) [m], shape (3,)."""
        _kernels.measure(self.table, positions, self._still, *self._pose)
        return np.array(self._pose.centre)

    def soles(self, carriage: Carriage) -> Soles:
        """Where the soles are."""
        feet = self.legs[:, 2]
        turns = carriage.rotations[feet]
        middles = carriage.positions[feet] + quat.rotate(turns, self.sole_middles)
        ahead = quat.rotate(turns, self.ahead)[:, :2]
        return Soles(middles, ahead / np.linalg.norm(ahead, axis=1, keepdims=True), self._halves)


def _leg(plan: BodyPlan, side: str) -> tuple[int, int, int]:
    found = [next(iter(plan.with_role(f"{side}_{part}")), -1) for part in ("thigh", "shank", "foot")]
    if min(found) < 0:
        raise InputError(f"balance needs a thigh, a shank and a foot on the {side}")
    if not plan.colliders[found[2]] or plan.colliders[found[2]][0].kind != "box":
        raise InputError(f"balance needs a sole under the {side} foot")
    return found[0], found[1], found[2]


def level_of(soles: Soles, carrying: NDArray[np.bool_]) -> float:
    """Height of the ground under the feet that stand, or under the lower one [m]."""
    heights = soles.middles[:, 2]
    return float(heights[carrying].mean() if carrying.any() else heights.min())


def capture_point(body: CarriedBody, carriage: Carriage, soles: Soles, carrying: NDArray[np.bool_]) -> Array:
    """Where the body would come to rest over if it were a pendulum pushed from there [m], shape (2,) (Pratt et al. 2006)."""
    height = max(float(carriage.centre[2]) - level_of(soles, carrying), 0.2)
    return np.asarray(carriage.centre[:2] + carriage.velocity[:2] * np.sqrt(height / body.gravity))


def outside(place: Array, soles: Soles, carrying: NDArray[np.bool_]) -> float:
    """How far a place (2,) is from where the feet that stand can push [m]."""
    nearest = place.copy()
    _kernels.spread(
        nearest, soles.middles[:, :2].copy(), soles.axes, soles.halves, carrying, np.zeros((2, 2)), np.zeros(2)
    )
    return float(np.linalg.norm(place - nearest))
