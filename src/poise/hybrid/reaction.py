"""What a moving limb does to the body it hangs on: the reaction wrench as one pure function.

This is the paper's plug-in promise (van Welbergen 2009, Sec. 2): recursive Newton-Euler over a kinematic limb (Eqs. 2 to 5,
Featherstone, Rigid Body Dynamics Algorithms, ch. 5) needs no world and works beside any engine. The engine says how the
connector, the body that carries the limb, moves; the force and the torque that come out are added to that body.

The wrench has a static part, the limb's weight, and a dynamic one, what its motion and the connector's ask for. The paper's
factor k scales both, so that with k < 1 the body carries less than the limb weighs; here it scales the dynamic part unless
`form="published"` asks for the paper's.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.body.plan import BodyPlan
from poise.errors import InputError
from poise.lazy import LazyModule

if TYPE_CHECKING:
    from poise.hybrid import _kernels
else:
    _kernels = LazyModule("poise.hybrid._kernels")

__all__ = ["Connector", "Limb", "LimbMotion", "Reaction", "Wrench", "motion_from_keys", "reaction"]

Array = NDArray[np.float64]

Form = Literal["dynamic", "published"]
"""What the factor k scales: the dynamic part alone, or the whole wrench as the paper has it."""

GRAVITY = (0.0, 0.0, -9.81)


class Connector(NamedTuple):
    """How the body that carries a limb moves.

    Its linear velocity is not asked for: the laws are the same in every inertial frame.

    Args:
        rotation: Orientation in the world, wxyz, shape (4,).
        angular_velocity: In its own frame [rad/s], shape (3,).
        angular_acceleration: In its own frame [rad/s²], shape (3,).
        acceleration: Of its frame's origin, in the world [m/s²], without gravity, shape (3,).
    """

    rotation: ArrayLike = (1.0, 0.0, 0.0, 0.0)
    angular_velocity: ArrayLike = (0.0, 0.0, 0.0)
    angular_acceleration: ArrayLike = (0.0, 0.0, 0.0)
    acceleration: ArrayLike = (0.0, 0.0, 0.0)


class Wrench(NamedTuple):
    """Force [N] and torque [N m] in the world's axes, the torque about a point said by whoever gives it; shape (3,) each."""

    force: Array
    torque: Array


@dataclass(frozen=True, eq=False)
class LimbMotion:
    """How a limb's joints move at an instant.

    Args:
        table: Rotation wxyz relative to the bind rotation (4), angular velocity [rad/s] (3) and acceleration [rad/s²] (3)
            of each joint relative to its parent, both in the child's frame, shape (n, 10).
    """

    table: Array

    @classmethod
    def of(cls, rotations: ArrayLike, velocities: ArrayLike, accelerations: ArrayLike) -> LimbMotion:
        """From rotations (n, 4), angular velocities (n, 3) and accelerations (n, 3)."""
        return cls(np.concatenate([np.asarray(part, float) for part in (rotations, velocities, accelerations)], axis=1))


@dataclass(frozen=True, eq=False)
class Limb:
    """A tree of rigid bodies on ball joints, hanging on a connector by its first joint; parents before children.

    Args:
        parents: Parent of each body, shape (n,); -1 for the first, which hangs on the connector.
        offsets: Joint position in the parent's frame, for the first in the connector's [m], shape (n, 3).
        bind_rotations: Rotation of each body in its parent where its joint's rotation is the identity, shape (n, 4).
        masses: [kg], shape (n,).
        centres: Centre of mass in the body's frame [m], shape (n, 3).
        inertias: About the centre of mass in the body's axes [kg m²], shape (n, 3, 3).

    Raises:
        InputError: Shapes disagree, or a body comes before its parent.
    """

    parents: NDArray[np.int64]
    offsets: Array
    bind_rotations: Array
    masses: Array
    centres: Array
    inertias: Array

    def __post_init__(self) -> None:
        count = len(self.parents)
        parts = (self.offsets, self.bind_rotations, self.masses, self.centres, self.inertias)
        shapes = ((count, 3), (count, 4), (count,), (count, 3), (count, 3, 3))
        if count == 0 or any(np.shape(part) != shape for part, shape in zip(parts, shapes, strict=True)):
            got = [np.shape(part) for part in parts]
            raise InputError(f"a limb of {count} bodies needs arrays of shapes {shapes}; got {got}")
        if self.parents[0] != -1 or not all(0 <= p < body for body, p in enumerate(self.parents[1:], start=1)):
            raise InputError("a limb hangs on its connector by its first body alone, and parents come before children")

    @cached_property
    def table(self) -> Array:
        """All of it in one row per body, as the kernel reads it, shape (n, 21)."""
        parts = (self.parents, self.offsets, self.bind_rotations, self.masses, self.centres, self.inertias)
        return np.concatenate([np.reshape(np.asarray(part, float), (len(self), -1)) for part in parts], axis=1)

    def __len__(self) -> int:
        return len(self.parents)

    @property
    def mass(self) -> float:
        """[kg]."""
        return float(self.masses.sum())

    @classmethod
    def from_plan(cls, plan: BodyPlan, body: int) -> Limb:
        """The limb of a character from `body` downwards; its connector is the body's parent."""
        inside = list(plan.subtree(body))
        number = {b: i for i, b in enumerate(inside)}
        return cls(
            np.array([-1, *(number[int(plan.parents[b])] for b in inside[1:])]),
            *(np.asarray(part[inside]) for part in (plan.offsets, plan.bind_rotations)),
            *(np.asarray(part[inside]) for part in (plan.masses, plan.centres, plan.inertias)),
        )


class Reaction(NamedTuple):
    """What a limb's motion asks of its joints and does to its connector.

    Args:
        static: Wrench of the limb's weight on the connector, torque about the limb's first joint.
        dynamic: Wrench of the limb's motion on the connector, torque about the same.
        static_torques: Torque of each joint that holds the limb up, in the child's frame [N m], shape (n, 3).
        dynamic_torques: Torque of each joint that moves it, in the child's frame [N m], shape (n, 3).
    """

    static: Wrench
    dynamic: Wrench
    static_torques: Array
    dynamic_torques: Array

    @property
    def torques(self) -> Array:
        """Torque of each joint in the child's frame [N m], shape (n, 3) (Eq. 7)."""
        return np.asarray(self.static_torques + self.dynamic_torques)

    def wrench(self, k: float = 1.0, form: Form = "dynamic") -> Wrench:
        """The wrench to put on the connector, the torque about the limb's first joint.

        Args:
            k: 1 is exact, less calms, more exaggerates.
            form: What k scales: the "dynamic" part alone, or everything, as "published" (Sec. 2: "-k τ₁").
        """
        held = k if form == "published" else 1.0
        return Wrench(
            held * self.static.force + k * self.dynamic.force, held * self.static.torque + k * self.dynamic.torque
        )


def reaction(limb: Limb, connector: Connector, motion: LimbMotion, gravity: ArrayLike = GRAVITY) -> Reaction:
    """The wrench a limb puts on its connector while it moves (van Welbergen 2009, Eqs. 2 to 5), and its joints' torques.

    Args:
        limb: The limb.
        connector: How the body it hangs on moves. The paper takes its acceleration from the step before.
        motion: How the limb's joints move.
        gravity: In the world [m/s²], shape (3,).
    """
    wrench, torques = np.empty((2, 2, 3)), np.empty((2, len(limb), 3))
    start = np.array(connector[1:], dtype=np.float64)
    rotation, down = np.asarray(connector.rotation, dtype=np.float64), np.asarray(gravity, dtype=np.float64)
    _kernels.newton_euler(limb.table, rotation, start, motion.table, down, wrench, torques)
    return Reaction(Wrench(wrench[0, 0], wrench[0, 1]), Wrench(wrench[1, 0], wrench[1, 1]), torques[0], torques[1])


def motion_from_keys(before: ArrayLike, now: ArrayLike, after: ArrayLike, h: float) -> LimbMotion:
    """A limb's motion from joint rotations at t - h, t and t + h, shape (n, 4) each, by central differences (Eqs. 8 to 17).

    The paper's Eqs. 14 and 15 give the angular velocity in the parent's frame, while its Eq. 13 needs the child's: here it is
    Vec(2 p⁻¹ ṗ). Differences amplify noise by 1/h², so captured keys are to be filtered first.
    """
    keys = [np.ascontiguousarray(key, dtype=np.float64) for key in (before, now, after)]
    table = np.empty((len(keys[1]), 10))
    _kernels.central_differences(*keys, h, table)
    return LimbMotion(table)
