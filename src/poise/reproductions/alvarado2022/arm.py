"""A three-link arm on a fixed base, held by the product's own muscles."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from poise.body.layout import spin_at
from poise.body.limits import limits_for
from poise.body.plan import BodyPlan, JointLimits
from poise.control.muscles import MuscleState, limit_muscles
from poise.hybrid.partition import anchored
from poise.math import quat
from poise.motion.roles import Roles
from poise.motion.skeleton import Skeleton
from poise.signals import Drive, Effort, Mode, Target
from poise.world.dynamics import CharacterDynamics
from poise.world.scene import SceneSpec, build_world

__all__ = ["Arm", "arm_plan"]

Array = NDArray[np.float64]

_LENGTHS = np.array([0.2, 0.30, 0.26, 0.18])
_MASSES = np.array([10.0, 2.0, 1.4, 0.5])
_RADIUS = 0.04
_TICK = 1.0 / 60.0
_SUBSTEPS = 8
_DAMPING_RATIO = 0.8
_AT_REST = 1e-6
"""Speed [rad/s] below which the arm counts as settled."""


def arm_plan(side: str = "left", *, limited: bool = False, strength: float = 1e6) -> BodyPlan:
    """Base, upper arm, forearm and hand as rods that hang along -z in the neutral pose.

    Args:
        side: "left" or "right"; matters for the limits only.
        limited: Whether the joints have the table's limits; otherwise they turn freely.
        strength: Largest torque of every muscle [N m].
    """
    roles = ("pelvis", *(f"{side}_{part}" for part in ("upper_arm", "forearm", "hand")))
    offsets = np.array([[0, 0, 0], [0, 0, 0], [0, 0, -_LENGTHS[1]], [0, 0, -_LENGTHS[2]]])
    skeleton = Skeleton(("base", "upper_arm", "forearm", "hand"), np.array([-1, 0, 1, 2]), offsets)
    across = _MASSES * (_LENGTHS**2 / 12.0 + _RADIUS**2 / 4.0)
    along = _MASSES * _RADIUS**2 / 2.0
    free = JointLimits(np.full(3, -np.pi), np.full(3, np.pi))
    return BodyPlan(
        skeleton=skeleton,
        roles=Roles(skeleton, roles, ("",) * 4),
        joints=np.arange(4),
        parents=np.array([-1, 0, 1, 2]),
        offsets=offsets,
        bind_rotations=np.tile(quat.IDENTITY, (4, 1)),
        neutral=np.tile(quat.IDENTITY, (4, 1)),
        axes=np.tile(quat.IDENTITY, (4, 1)),
        axes_from=("rest pose",) * 4,
        masses=_MASSES,
        centres=np.outer(0.5 * _LENGTHS, [0.0, 0.0, -1.0]),
        inertias=np.array([np.diag([a, a, b]) for a, b in zip(across, along, strict=True)]),
        colliders=((),) * 4,
        limits=tuple(limits_for(role, 1) if limited else free for role in roles),
        strengths=np.full(4, strength),
        stature=1.75,
    )


class Arm:
    """The arm in a world of its own, stepped in ticks of 1/60 s with 8 substeps.

    Args:
        gravity: [m/s²].
        load: What muscles carry (`Tension.load`): the weight or nothing.
    """

    def __init__(self, gravity: float = 9.81, load: Literal["gravity", "none"] = "gravity") -> None:
        self.plan, self._carries = arm_plan(), load != "none"
        self._world = build_world({"arm": self.plan}, SceneSpec(floor=None, gravity=gravity), _TICK / _SUBSTEPS)
        self._layout = self._world.layout("arm")
        self._world.cut.assign(self._layout.joints, anchored(self.plan, ["left_upper_arm"], Mode.TORQUE))
        self._dynamics = CharacterDynamics(self.plan, gravity)
        matrix = self._dynamics.mass_matrix(_generalized(np.tile(quat.IDENTITY, (3, 1))))
        self._inertias = np.diag(matrix)[[spin_at(body) for body in (1, 2, 3)]]

    def settle(
        self, start: Array, target: Array, stiffness: Array, extra: Array | None = None, *, seconds: float = 12.0
    ) -> Array:
        """Let the arm come to rest.

        Args:
            start: Joint coordinates at first, shape (3, 4).
            target: Joint coordinates to hold, shape (3, 4); the muscles carry the weight the arm has there.
            stiffness: [N m/rad], shape (3,).
            extra: A torque nobody carries, constant in each body's own frame [N m], shape (3, 3).
            seconds: Longest time to wait.

        Returns:
            Joint coordinates at rest, shape (3, 4).
        """
        world, muscles = self._world, MuscleState.of(self.plan)
        damping = 2.0 * _DAMPING_RATIO * np.sqrt(stiffness * self._inertias)
        load = float(self._carries) * self._dynamics.load(_generalized(target))[6:].reshape(3, 3)
        rows = np.tile(target, (_SUBSTEPS, 1, 1))
        goal = Target(rows, np.zeros((3, 3)), stiffness, damping, load, self.plan.strengths[1:])
        pushed = np.zeros((3, 3)) if extra is None else extra
        drive = Drive(np.tile(_generalized(start), (_SUBSTEPS, 1)))
        world.place("arm", _generalized(start))
        for _ in range(round(seconds / _TICK)):
            now = world.state().positions[7:].reshape(3, 4)
            limit_muscles(muscles, np.ones(3, dtype=bool), now, goal, np.zeros(3))
            applied = np.concatenate([np.zeros(6), (muscles.applied + pushed).ravel()])
            controls = goal.rotations.reshape(_SUBSTEPS, -1)
            world.step(drive, Effort(muscles.stiffness, muscles.damping, controls, applied))
            if np.abs(world.state().velocities).max() < _AT_REST:
                break
        return world.state().positions[7:].reshape(3, 4)


def _generalized(coordinates: Array) -> Array:
    return np.concatenate([[0, 0, 0, 1, 0, 0, 0], coordinates.ravel()])
