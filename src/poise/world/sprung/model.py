"""One character whose joints have springs in place of muscles, as a model that is quick to step.

Knees are hinges and ankles turn about two axes, as legs do; feet stand on heel and both balls; contacts have elliptic cones and
a time constant of 10 ms; Jacobians are sparse. Those settings are measured: with ball joints, boxes for feet and a muscle per
joint, a step takes 1.4 times as long.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import mujoco as mj
import numpy as np
from numpy.typing import NDArray

from poise.body.layout import turn_slice
from poise.body.plan import BodyPlan, Collider
from poise.math import quat
from poise.world.character import add_character, add_collider
from poise.world.cut import ARMATURE
from poise.world.masks import Surface
from poise.world.sprung import _kernels

__all__ = ["Sprung", "SprungModel"]

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


@dataclass(frozen=True, eq=False)
class Sprung:
    """How a character hangs together that has springs in place of muscles.

    Args:
        rest: Generalized positions of its plan where all springs rest, shape (nq,).
        stiffness: Of each joint below the pelvis [N m/rad], shape (B-1,).
        damping: [N m s/rad], shape (B-1,).
        hinges: Bodies whose joint turns about fewer axes than a ball: one, or two at right angles, unit vectors in the body's
            frame, shape (k, 3).
        driven: Bodies whose joints follow their drive (`poise.world.cut`), whatever the forces; ball joints, shape (K,).
    """

    rest: Array
    stiffness: Array
    damping: Array
    hinges: Mapping[int, Array]
    driven: Indices


class SprungModel:
    """The model, and the way between the plan's coordinates, in which every joint is a ball, and its own.

    Args:
        plan: The character.
        sprung: How it hangs together.
        timestep: Length of a step [s].
        floor: Height of the ground [m].
        gravity: Downward [m/s²].

    Attributes:
        model: MuJoCo's; its one sensor is the velocity of the centre of mass [m/s].
        bodies: MuJoCo's number of each of the plan's bodies, shape (B,).
        driven_columns: Where the quaternion of each driven joint begins in (nq,), shape (K,).
        driven_velocities: Where its velocity begins in (nv,), shape (K,).
        joints: How they turn and where their numbers begin, see `poise.world.sprung._kernels`.
        drives: Kinds of the driven joints, and where their positions and velocities begin, shape (K,) each.
        start: The rest pose in the model's positions, shape (nq,); what a hinge cannot do is left out.
    """

    def __init__(
        self, plan: BodyPlan, sprung: Sprung, timestep: float, floor: float = 0.0, gravity: float = 9.81
    ) -> None:
        self.plan, self.sprung, self.timestep = plan, sprung, timestep
        hinges = {body: np.asarray(axes, dtype=np.float64) for body, axes in sprung.hinges.items()}
        self.model = model = _model(plan, hinges, timestep)
        model.geom_pos[model.geom("ground").id, 2] = floor
        model.opt.gravity[2] = -gravity
        self.bodies: Indices = np.array([model.body(f"{_NAME}/{label}").id for label in plan.names], dtype=np.int64)
        joints = model.body_jntadr[self.bodies]
        position_at, velocity_at = (at[joints].astype(np.int64) for at in (model.jnt_qposadr, model.jnt_dofadr))
        counts, axes = np.zeros(len(plan), dtype=np.int64), np.zeros((len(plan), 2, 3))
        for body, own in hinges.items():
            counts[body], axes[body, : len(own)] = len(own), own
        self.joints = counts, axes, position_at, velocity_at
        kinds = model.jnt_type[joints[sprung.driven]].astype(np.int64)
        self.drives = kinds, position_at[sprung.driven], velocity_at[sprung.driven]
        self.driven_columns: Indices = position_at[sprung.driven]
        self.driven_velocities: Indices = velocity_at[sprung.driven]
        self._all = np.arange(1, len(plan), dtype=np.int64)
        self.start = self.positions_of(sprung.rest)
        self._set_springs()

    def to_plan(self, positions: Array, velocities: Array) -> tuple[Array, Array]:
        """Positions (N, nq) and velocities (N, nv) of the model as the plan's."""
        places = np.zeros((len(positions), self.plan.position_count))
        speeds = np.zeros((len(positions), self.plan.velocity_count))
        _kernels.to_plan(self.joints, _packed(positions), _packed(velocities), places, speeds)
        return places, speeds

    def positions_of(self, places: Array) -> Array:
        """Positions of the plan (nq of it,) as the model's (nq,); what a hinge cannot do is left out."""
        counts, axes, position_at, _ = self.joints
        result = np.zeros(self.model.nq)
        result[:7] = places[:7]
        for body in range(1, len(self.plan)):
            at, turn, count = int(position_at[body]), places[turn_slice(body)], int(counts[body])
            if count == 0:
                result[at : at + 4] = turn
            elif count == 1:
                result[at] = axes[body, 0] @ quat.log(turn)
            else:
                swing, twist = quat.swing_twist(turn, axes[body, 1])
                result[at : at + 2] = axes[body, 0] @ quat.log(swing), axes[body, 1] @ quat.log(twist)
        return result

    def velocities_of(self, positions: Array, speeds: Array) -> Array:
        """Velocities of the plan (nv of it,) as the model's (nv,) at its positions (nq,), as near as hinges allow."""
        counts, _, _, velocity_at = self.joints
        result = np.zeros(self.model.nv)
        result[:6] = speeds[:6]
        along = speeds[3:].reshape(-1, 3)
        for body in range(1, len(self.plan)):
            at, count = int(velocity_at[body]), int(counts[body])
            if count == 0:
                result[at : at + 3] = along[body]
            else:
                # What a unit torque does to each hinge is what it sees of a unit velocity.
                seen = np.zeros((3, self.model.nv))
                row = np.repeat(positions[None], 3, axis=0)
                _kernels.add_torques(self.joints, np.array([body]), np.eye(3)[:, None], row, seen)
                result[at : at + count] = np.linalg.lstsq(seen[:, at : at + count], along[body], rcond=None)[0]
        return result

    def add_forces(self, force: Array, positions: Array, forces: Array) -> None:
        """Add a force in the plan's coordinates (N, nv of it) to the model's, at its positions (N, nq) (`forces` (N, nv))."""
        forces[:, :6] += force[:, :6]
        self.add_torques(self._all, force[:, 6:].reshape(len(force), -1, 3), positions, forces)

    def add_torques(self, bodies: Indices, torques: Array, positions: Array, forces: Array) -> None:
        """Add torques of the joints of some bodies (M,), (N, M, 3) [N m] in their frames, to the model's forces (N, nv)."""
        _kernels.add_torques(self.joints, bodies, torques, positions, forces)

    def add_drives(self, positions: Array, velocities: Array, targets: Array, forces: Array) -> None:
        """Add what brings the driven joints to their columns of `targets` (N, nq) in one step.

        Args:
            positions: Now, shape (N, nq).
            velocities: Now, shape (N, nv); overwritten.
            targets: At the end of the step; only `driven_columns` are read.
            forces: Shape (N, nv); added to.
        """
        _kernels.drive_rows(self.drives, ARMATURE, self.timestep, positions, velocities, targets, forces)

    def _set_springs(self) -> None:
        model, sprung = self.model, self.sprung
        counts, _, _, velocity_at = self.joints
        model.qpos_spring[:] = self.start
        for body in range(1, len(self.plan)):
            first = int(velocity_at[body])
            freedoms = slice(first, first + (int(counts[body]) or 3))
            if body in sprung.driven:
                model.dof_armature[freedoms] = ARMATURE
            else:
                model.jnt_stiffness[model.dof_jntid[freedoms]] = sprung.stiffness[body - 1]
                model.dof_damping[freedoms] = sprung.damping[body - 1]


def _packed(array: Array) -> Array:
    """A batch's arrays are strided, but those of a lone member are not: kernels would be compiled once more for it."""
    return np.array(array)


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
        for shape in standing_shapes(colliders[:1]):
            geom = add_collider(made, shape, Surface.BODY)
            geom.contype, geom.conaffinity, geom.solref = _BODY, _GROUND, [_CONTACT_TIME, 1.0]
    spec.add_sensor(
        type=mj.mjtSensor.mjSENS_SUBTREELINVEL, objtype=mj.mjtObj.mjOBJ_BODY, objname=f"{_NAME}/{plan.names[0]}"
    )
    return spec.compile()


def standing_shapes(colliders: tuple[Collider, ...]) -> list[Collider]:
    """A box, which is a foot, becomes the three points a foot stands on, heel and both balls; others stay."""
    shapes: list[Collider] = []
    for collider in colliders:
        if collider.kind != "box":
            shapes.append(collider)
            continue
        length, width, height = collider.size - _PAD
        spots = np.array([[-length, 0.0, -height], [length, width, -height], [length, -width, -height]])
        places = collider.position + quat.rotate(collider.rotation, spots)
        shapes += [Collider("sphere", np.array([_PAD, 0.0, 0.0]), place, quat.IDENTITY) for place in places]
    return shapes
