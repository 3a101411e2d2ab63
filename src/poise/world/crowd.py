"""Many copies of one character that never meet, stepped together on all cores.

Each is a simulation of its own in a MuJoCo batch: the same small model, so that a character alone and in a crowd of a thousand
goes through the same numbers to the bit. Settings are measured: knees are hinges and ankles turn about two axes, as legs do;
feet stand on heel and both balls; contacts have elliptic cones and a time constant of 10 ms; Jacobians are sparse.
"""

from __future__ import annotations

from collections.abc import Mapping

import mujoco as mj
import numpy as np
from mujoco.batch import Batch
from numpy.typing import NDArray

from poise.body.plan import BodyPlan, Collider
from poise.math import quat
from poise.world.character import add_character, add_collider
from poise.world.cut import ARMATURE
from poise.world.masks import Surface

__all__ = ["CrowdWorld"]

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

_GROUND, _BODY = 4, 2
_CONTACT_TIME = 0.01
_PAD = 0.02
"""Radius of the pads under a foot [m]."""
_NAME = "member"
_UNUSED = (
    mj.mjtDisableBit.mjDSBL_AUTORESET,
    mj.mjtDisableBit.mjDSBL_ISLAND,
    mj.mjtDisableBit.mjDSBL_LIMIT,
    mj.mjtDisableBit.mjDSBL_EQUALITY,
    mj.mjtDisableBit.mjDSBL_FRICTIONLOSS,
    mj.mjtDisableBit.mjDSBL_ACTUATION,
)


class CrowdWorld:
    """A flat floor with one character on it, many times over.

    The joints of `driven` follow whatever force brings them to their targets (the cut, `poise.world.cut`); all others hang on
    springs. Members touch the floor and nothing else.

    Args:
        plan: The character.
        driven: Bodies whose joints are kinematic; ball joints.
        hinges: Bodies whose joint turns about fewer axes than a ball: one or two unit axes in the body's frame, shape (k, 3).
        rest: Generalized positions of the plan where all members start and all springs rest, shape (nq of the plan,).
        springs: Stiffness [N m/rad] and damping [N m s/rad] of each joint below the pelvis, shape (B-1,) both.
        count: How many members.
        timestep: Length of a step [s].
        threads: How many cores work; None for all.
    """

    def __init__(
        self,
        plan: BodyPlan,
        driven: Indices,
        hinges: Mapping[int, Array],
        rest: Array,
        springs: tuple[Array, Array],
        count: int,
        timestep: float,
        threads: int | None = None,
    ) -> None:
        self.plan, self.timestep, self.count = plan, timestep, count
        self._hinges = {body: np.asarray(axes, dtype=np.float64) for body, axes in hinges.items()}
        self.model = _model(plan, self._hinges, timestep)
        self.body_at: Indices = np.array(
            [self.model.body(f"{_NAME}/{label}").id for label in plan.names], dtype=np.int64
        )
        """Row of each body in `centres`, `places` and `frames`, shape (B,)."""
        joints = self.model.body_jntadr[self.body_at]
        self.position_at: Indices = self.model.jnt_qposadr[joints].astype(np.int64)
        """Where the coordinates of each body's joint begin in (nq,), shape (B,)."""
        self.velocity_at: Indices = self.model.jnt_dofadr[joints].astype(np.int64)
        """Where those of its velocity begin in (nv,), shape (B,)."""
        start = self._own(rest)
        self._set_springs(driven, start, *springs)
        self._batch = Batch(self.model, count, threads or 0)
        self.positions: Array = self._batch.qpos
        """Generalized positions now, shape (N, nq); may be written."""
        self.velocities: Array = self._batch.qvel
        """Generalized velocities now, shape (N, nv); may be written."""
        self.applied: Array = self._batch.qfrc_applied
        """Generalized forces of the next step, shape (N, nv); to be written."""
        self.centres: Array = self._batch.subtree_com
        """Centre of mass of each body and all below it [m], one step ago, shape (N, 1 + B, 3)."""
        self.places: Array = self._batch.xpos
        """Of each body's frame [m], one step ago, shape (N, 1 + B, 3)."""
        self.frames: Array = self._batch.xmat
        """Rotation matrix of each body's frame, one step ago, shape (N, 1 + B, 9)."""
        self.positions[:] = start
        self.refresh()

    def step(self) -> None:
        """One step of everybody."""
        self._batch.step()

    def refresh(self) -> None:
        """Bring everything that depends on positions and velocities up to date with them."""
        self._batch.forward()

    def plan_positions(self, positions: Array) -> Array:
        """This world's positions (..., nq) as generalized positions of the plan, shape (..., nq of the plan)."""
        result = np.zeros((*positions.shape[:-1], self.plan.position_count))
        result[..., :7] = positions[..., :7]
        for body in range(1, len(self.plan)):
            at = int(self.position_at[body])
            turn = positions[..., at : at + 4]
            if body in self._hinges:
                turn = np.broadcast_to(quat.IDENTITY, (*turn.shape[:-1], 4))
                for number, axis in enumerate(self._hinges[body]):
                    turn = quat.mul(turn, quat.exp(positions[..., at + number, None] * axis))
            result[..., 3 + 4 * body : 7 + 4 * body] = turn
        return result

    def _own(self, positions: Array) -> Array:
        """The plan's positions as this world's; what a hinge cannot do is left out."""
        result = np.zeros(self.model.nq)
        result[:7] = positions[:7]
        for body in range(1, len(self.plan)):
            at, turn = int(self.position_at[body]), positions[3 + 4 * body : 7 + 4 * body]
            own = self._hinges[body] @ quat.log(turn) if body in self._hinges else turn
            result[at : at + len(own)] = own
        return result

    def _set_springs(self, driven: Indices, rest: Array, stiffness: Array, damping: Array) -> None:
        model = self.model
        model.qpos_spring[:] = rest
        for body in range(1, len(self.plan)):
            first, count = int(self.velocity_at[body]), len(self._hinges.get(body, np.zeros(3)))
            freedoms = slice(first, first + count)
            if body in driven:
                model.dof_armature[freedoms] = ARMATURE
            else:
                model.jnt_stiffness[model.dof_jntid[freedoms]] = stiffness[body - 1]
                model.dof_damping[freedoms] = damping[body - 1]


def _model(plan: BodyPlan, hinges: Mapping[int, Array], timestep: float) -> mj.MjModel:
    spec = mj.MjSpec()
    option = spec.option
    option.timestep, option.integrator = timestep, mj.mjtIntegrator.mjINT_DISCRETE
    option.tolerance, option.jacobian = 1e-14, mj.mjtJacobian.mjJAC_SPARSE
    option.cone = mj.mjtCone.mjCONE_ELLIPTIC
    option.disableflags = sum(int(bit) for bit in _UNUSED)
    ground = spec.worldbody.add_geom(name="ground", type=mj.mjtGeom.mjGEOM_PLANE, size=[0, 0, 0.05])
    ground.contype, ground.conaffinity = _GROUND, 0
    add_character(spec, _NAME, plan)
    for muscle in list(spec.actuators):
        spec.delete(muscle)
    for body, axes in hinges.items():
        made = spec.body(f"{_NAME}/{plan.names[body]}")
        spec.delete(made.joints[0])
        for axis in axes:
            made.add_joint(type=mj.mjtJoint.mjJNT_HINGE, axis=axis)
    for label, colliders in zip(plan.names, plan.colliders, strict=True):
        made = spec.body(f"{_NAME}/{label}")
        for geom in list(made.geoms):
            spec.delete(geom)
        for shape in _shapes(colliders[0]):
            geom = add_collider(made, shape, Surface.BODY)
            geom.contype, geom.conaffinity, geom.solref = _BODY, _GROUND, [_CONTACT_TIME, 1.0]
    return spec.compile()


def _shapes(collider: Collider) -> list[Collider]:
    """A box, which is a foot, becomes the three points a foot stands on, heel and both balls; others stay."""
    if collider.kind != "box":
        return [collider]
    length, width, height = collider.size - _PAD
    spots = np.array([[-length, 0.0, -height], [length, width, -height], [length, -width, -height]])
    places = collider.position + quat.rotate(collider.rotation, spots)
    return [Collider("sphere", np.array([_PAD, 0.0, 0.0]), place, quat.IDENTITY) for place in places]
