"""Kinematic limbs that weigh nothing: what couplings other than the cut are made of (`poise.controllers.coupler`).

The limbs keep their shapes and their drive; only their mass goes. The model's derived constants stay those of the whole body,
so contacts against a limb are as firm as before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import mujoco as mj
import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh

from poise.world import _kernels
from poise.world.world import World

__all__ = ["AttachedLimb", "ConnectorMotion", "WeightlessLimbs"]

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

_WEIGHTLESS = 1e-9
"""What is left of a limb's mass."""
_FIELDS = ("body_mass", "body_inertia", "body_ipos", "body_iquat", "body_sameframe")


@dataclass(frozen=True, eq=False)
class AttachedLimb:
    """Where a limb's numbers are in the world.

    Args:
        connector: Body it hangs on.
        bodies: Its own, shape (n,).
        positions: Of its joints in (nq,), shape (n, 4).
        velocities: Of its joints in (nv,), shape (n, 3).
    """

    connector: int
    bodies: Indices
    positions: Indices
    velocities: Indices


class ConnectorMotion(NamedTuple):
    """Of a connector's frame: orientation in the world (4,), angular velocity in its own frame and linear in the world (3,)."""

    rotation: Array
    spin: Array
    velocity: Array


class WeightlessLimbs:
    """Takes the mass of one character's limbs and gives it back.

    Args:
        world: The world; masses of the character's bodies are rewritten.
        character: Whose limbs.
    """

    def __init__(self, world: World, character: str) -> None:
        self._world, self._layout = world, world.layout(character)
        self._bodies = self._layout.bodies
        self._own = {name: getattr(world.model, name)[self._bodies].copy() for name in _FIELDS}
        self.limbs: list[AttachedLimb] = []

    @property
    def gravity(self) -> Array:
        """[m/s²], shape (3,)."""
        return np.array(self._world.model.opt.gravity)

    @property
    def timestep(self) -> float:
        """[s]."""
        return self._world.timestep

    def attach(self, roots: Sequence[int]) -> None:
        """Say which bodies of the plan are limbs' first ones; all masses are the plan's again."""
        self.restore()
        self.limbs = [self._attached(root) for root in roots]

    def _attached(self, root: int) -> AttachedLimb:
        model, layout = self._world.model, self._layout
        inside = list(layout.plan.subtree(root))
        joints = layout.joints[inside]
        return AttachedLimb(
            connector=int(layout.bodies[layout.plan.parents[root]]),
            bodies=layout.bodies[inside],
            positions=(model.jnt_qposadr[joints][:, None] + np.arange(4)).astype(np.int64),
            velocities=(model.jnt_dofadr[joints][:, None] + np.arange(3)).astype(np.int64),
        )

    def restore(self) -> None:
        """Give all of the character's bodies their own mass."""
        for name, values in self._own.items():
            getattr(self._world.model, name)[self._bodies] = values
        self._sum_up()

    def lighten(self) -> None:
        """Take the limbs' mass."""
        model = self._world.model
        for each in self.limbs:
            model.body_mass[each.bodies] *= _WEIGHTLESS
            model.body_inertia[each.bodies] *= _WEIGHTLESS
        self._sum_up()

    def _sum_up(self) -> None:
        """The model's own sums, from which it has centres of mass."""
        model = self._world.model
        masses = np.array(model.body_mass)
        for body in range(model.nbody - 1, 0, -1):
            masses[model.body_parentid[body]] += masses[body]
        model.body_subtreemass[:] = masses

    def gain(self) -> tuple[float, str]:
        """Largest eigenvalue of M_P⁻¹ M_K in the present pose, and the joint that moves most in its direction.

        M_P is the mass matrix of the physical part alone, M_K what the limbs add to it. Joint damping and the muscles' present
        stiffness, which the integrator treats implicitly, count as part of M_P.
        """
        model, layout = self._world.model, self._layout
        kinematic = [each.velocities.ravel() for each in self.limbs]
        own = np.arange(layout.velocities.start, layout.velocities.stop)
        free = np.setdiff1d(own, np.concatenate([np.zeros(0, np.int64), *kinematic]))
        free = free[model.dof_armature[free] < 1.0]  # what else follows a drive cannot be moved
        if not kinematic or not len(free):
            return 0.0, ""
        block = np.ix_(free, free)
        self.restore()
        whole = self._mass_matrix()[block]
        self.lighten()
        light = self._mass_matrix()[block]
        self.restore()
        values, vectors = eigh(whole - light, light + np.diag(self._implicit()[free]))
        worst = model.dof_jntid[free[int(np.argmax(np.abs(vectors[:, -1])))]]
        return float(values[-1]), str(model.joint(int(worst)).name)

    def _mass_matrix(self) -> Array:
        model = self._world.model
        data, matrix = mj.MjData(model), np.zeros((model.nv, model.nv))
        data.qpos[:] = self._world.data.qpos
        mj.mj_kinematics(model, data)
        mj.mj_comPos(model, data)
        mj.mj_crb(model, data)
        mj.mj_fullM(model, data, matrix)
        return matrix

    def _implicit(self) -> Array:
        """What the integrator adds to the diagonal of the mass matrix: h damping + h² stiffness, shape (nv,)."""
        model, layout, h = self._world.model, self._layout, self._world.timestep
        diagonal = h * np.array(model.dof_damping)
        muscles = layout.muscles
        added = h * h * model.actuator_gainprm[muscles, 0] - h * model.actuator_biasprm[muscles, 2]
        diagonal[layout.velocities.start + 6 : layout.velocities.stop] += np.repeat(added, 3)
        return np.asarray(diagonal)

    def look(self) -> None:
        """Bring frames and velocities up to date with the state."""
        model, data = self._world.model, self._world.data
        mj.mj_kinematics(model, data)
        mj.mj_comPos(model, data)
        mj.mj_comVel(model, data)

    def connector_motion(self, each: AttachedLimb) -> ConnectorMotion:
        """How a limb's connector moves."""
        model, data, speed = self._world.model, self._world.data, np.zeros(6)
        mj.mj_objectVelocity(model, data, mj.mjtObj.mjOBJ_XBODY, each.connector, speed, 0)
        frame = data.xmat[each.connector].reshape(3, 3)
        return ConnectorMotion(np.array(data.xquat[each.connector]), frame.T @ speed[:3], speed[3:])

    def joint_motion(self, each: AttachedLimb, target: Array) -> Array:
        """How a limb's joints move on their way to the world's positions `target` (nq,), shape (n, 10)."""
        data, table = self._world.data, np.empty((len(each.bodies), 10))
        positions, velocities = data.qpos[each.positions], data.qvel[each.velocities]
        _kernels.limb_motion(positions, target[each.positions], velocities, self.timestep, table)
        return table

    def push(self, each: AttachedLimb, force: Array, torque: Array) -> None:
        """Add a wrench at a limb's first joint to the forces applied to its connector."""
        model, data = self._world.model, self._world.data
        mj.mj_applyFT(model, data, force, torque, data.xpos[each.bodies[0]], each.connector, data.qfrc_applied)

    def carry(self) -> None:
        """Give every connector the inertia of itself and its limbs together, frozen as they are now."""
        for connector in {each.connector for each in self.limbs}:
            bodies = np.concatenate([[connector], *(e.bodies for e in self.limbs if e.connector == connector)])
            self._fuse(connector, bodies)
        self._sum_up()

    def _fuse(self, connector: int, bodies: Indices) -> None:
        model, data, own = self._world.model, self._world.data, self._own
        rows = [int(np.flatnonzero(self._bodies == body)[0]) for body in bodies]
        masses, moments = own["body_mass"][rows], own["body_inertia"][rows]
        frame, origin = data.xmat[connector].reshape(3, 3), data.xpos[connector]
        axes, centres = data.ximat[bodies].reshape(-1, 3, 3).copy(), data.xipos[bodies] - origin
        turn = np.zeros(9)
        mj.mju_quat2Mat(turn, own["body_iquat"][rows[0]])
        axes[0], centres[0] = frame @ turn.reshape(3, 3), frame @ own["body_ipos"][rows[0]]
        centre = masses @ centres / masses.sum()
        arms = centres - centre
        tensor = np.einsum("bij,bj,bkj->ik", axes, moments, axes)
        tensor += (masses @ np.sum(arms * arms, axis=1)) * np.eye(3) - np.einsum("b,bi,bj->ij", masses, arms, arms)
        principal, directions = np.linalg.eigh(frame.T @ tensor @ frame)
        directions[:, 2] *= np.linalg.det(directions)
        mj.mju_mat2Quat(turn[:4], directions.ravel())
        model.body_mass[connector], model.body_ipos[connector] = masses.sum(), frame.T @ centre
        model.body_inertia[connector], model.body_iquat[connector] = principal, turn[:4]
        model.body_sameframe[connector] = 0
