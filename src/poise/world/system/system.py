"""What a controller of everybody at once asks of a scene: one equation of motion, Jacobians, distances."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import mujoco as mj
import numpy as np
from numpy.typing import NDArray

from poise.body.hinges import hinges_of
from poise.body.plan import BodyPlan
from poise.errors import InputError, unknown_name
from poise.math import quat
from poise.signals import Joints, Witnesses
from poise.world.system import _kernels
from poise.world.system.build import AXES, build_system
from poise.world.things import Thing

__all__ = ["System"]

Array = NDArray[np.float64]

State = tuple[Array, Array]
"""Generalized positions and velocities."""
_BALL = int(mj.mjtJoint.mjJNT_BALL)
_SLIDE = int(mj.mjtJoint.mjJNT_SLIDE)
"""From this number on, kinds of joints have one coordinate."""


class System:
    """Characters with hinges or balls and things as one mechanical system: M qdd + N = S tau + J^T f.

    A twin of the world with no contacts and no rotor inertia. `refresh` brings everything up to the state after it was
    changed; `advance` does both. Jacobians have rows linear x, y, z, then angular x, y, z, in world axes.

    Args:
        plans: The characters by name.
        things: What they handle.
        gravity: Downward [m/s²].
        balls: Characters whose joints are balls, as a clip has them; those of the others are a person's hinges.

    Attributes:
        size: Degrees of freedom n.
        velocities: Generalized velocities, shape (n,).
        mass_matrix: M, shape (n, n).
        bias: N: gravity, centrifugal and Coriolis forces, less those of springs and dampers, shape (n,).
        positions: Where bodies are [m], shape (bodies, 3).
        rotations: How they are turned, matrices, shape (bodies, 3, 3).
        joints: The hinges, slides and balls.
        joint_positions: Their coordinates [rad or m], 0 for a ball's, shape (k,).
    """

    def __init__(
        self,
        plans: Mapping[str, BodyPlan],
        things: Sequence[Thing] = (),
        gravity: float = 9.81,
        balls: Collection[str] = (),
    ) -> None:
        self.plans = dict(plans)
        self.things = tuple(things)
        model = self.model = build_system(plans, things, gravity, balls)
        data = self.data = mj.MjData(model)
        self.size = int(model.nv)
        self.velocities: Array = data.qvel
        self.positions: Array = data.xpos
        self.rotations: Array = data.xmat.reshape(-1, 3, 3)
        self.mass_matrix = np.zeros((self.size, self.size))
        self.bias = np.zeros(self.size)
        self.gravity = gravity
        self._names = {model.body(b).name: b for b in range(model.nbody)}
        self._drifts = np.zeros((model.nbody, 6))
        self._moving = (data.cdof, data.cvel, self._drifts, data.subtree_com)
        self._tree = (
            np.array(model.body_rootid, dtype=np.int64),
            np.array(model.body_parentid, dtype=np.int64),
            np.where(model.body_dofadr < 0, 0, model.body_dofadr).astype(np.int64),
            np.array(model.body_dofnum, dtype=np.int64),
        )
        self._weights = (np.array(model.body_mass), np.array(model.body_subtreemass))
        self._inner = (data.xipos, data.ximat.reshape(-1, 3, 3), model.body_inertia)
        self._segment = np.zeros(6)
        self._carriers, self._radii = np.array(model.geom_bodyid), np.array(model.geom_rbound)
        self.joints = _joints(model, self.plans, balls)
        hinged = [name for name, ball in zip(self.joints.names, self.joints.balls, strict=True) if not ball]
        self._hinge_positions = np.array([model.jnt_qposadr[model.joint(name).id] for name in hinged], dtype=np.int64)
        self._hinged = np.flatnonzero(~self.joints.balls)
        self._layouts = {name: self._laid_out(name) for name in balls}
        self.joint_positions = np.zeros(len(self.joints.names))
        self.refresh()

    def body(self, name: str) -> int:
        """Number of the body called `name`; "world" is 0. Raises `InputError` with the known names otherwise."""
        if name not in self._names:
            raise unknown_name("body", name, self._names)
        return self._names[name]

    def bodies_of(self, owner: str) -> list[int]:
        """Bodies of a character or a thing; raises `InputError` where there is none of that name."""
        found = [number for name, number in self._names.items() if name.split("/")[0] == owner and number]
        if not found:
            raise unknown_name("character or thing", owner, [*self.plans, *(thing.name for thing in self.things)])
        return found

    def dofs_of(self, owner: str) -> NDArray[np.int64]:
        """Degrees of freedom of a character or a thing."""
        return np.flatnonzero(np.isin(self.model.dof_bodyid, self.bodies_of(owner)))

    def mass_of(self, owner: str) -> float:
        """Of a character, a thing or a single body [kg]."""
        return float(self._weights[0][[self.body(owner)] if "/" in owner else self.bodies_of(owner)].sum())

    def set_mass(self, body: str, mass: float) -> None:
        """Make a body heavier or lighter [kg], its shape kept; `refresh` afterwards.

        Raises:
            InputError: There is no such body, or the mass is not above 0.
        """
        number = self.body(body)
        if not (np.isfinite(mass) and mass > 0.0):
            raise InputError(f"mass must be above 0; got {mass:g}", source=body)
        model = self.model
        more = mass - model.body_mass[number]
        model.body_inertia[number] *= mass / model.body_mass[number]
        model.body_mass[number] = self._weights[0][number] = mass
        while number > 0:
            model.body_subtreemass[number] += more
            self._weights[1][number] += more
            number = int(model.body_parentid[number])

    def roots(self, owners: Sequence[str]) -> NDArray[np.bool_]:
        """Marks the trees of characters and things, for `centroid`, shape (bodies,)."""
        inside = np.zeros(self.model.nbody, dtype=bool)
        for owner in owners:
            inside[[b for b in self.bodies_of(owner) if self._tree[0][b] == b]] = True
        return inside

    def refresh(self) -> None:
        """Bring everything up to the state."""
        model, data = self.model, self.data
        if len(self._hinged) == len(self.joint_positions):
            np.take(data.qpos, self._hinge_positions, out=self.joint_positions)
        else:
            self.joint_positions[self._hinged] = data.qpos[self._hinge_positions]
        mj.mj_kinematics(model, data)
        mj.mj_comPos(model, data)
        mj.mj_crb(model, data)
        mj.mj_comVel(model, data)
        mj.mj_passive(model, data)
        mj.mj_fullM(model, data, self.mass_matrix)
        mj.mj_rne(model, data, 0, self.bias)
        self.bias -= data.qfrc_passive
        _kernels.chain_accelerations(data.cdof_dot, data.qvel, *self._tree[1:], self._drifts)

    def inverse(self, accelerations: Array) -> Array:
        """Generalized force that accelerations (n,) need now, by Newton and Euler's recursion, shape (n,)."""
        self.data.qacc[:] = accelerations
        needed = np.zeros(self.size)
        mj.mj_rne(self.model, self.data, 1, needed)
        return np.asarray(needed - self.data.qfrc_passive)

    def advance(self, accelerations: Array, step: float) -> None:
        """Integrate accelerations over a step [s]: the new velocities move the positions (semi-implicit Euler)."""
        self.data.qvel[:] += step * accelerations
        mj.mj_integratePos(self.model, self.data.qpos, self.data.qvel, step)
        self.refresh()

    def relative(self, first: int, second: int, point: Array, jacobian: Array, twist: Array, drift: Array) -> None:
        """How the second body moves against the first at a point of the world.

        Args:
            first: A body; 0 is the world.
            second: Another body.
            point: [m], shape (3,).
            jacobian: Written, shape (6, n).
            twist: Written: velocity [m/s, rad/s], shape (6,).
            drift: Written: acceleration when all generalized accelerations are 0 (J-dot v), shape (6,).
        """
        _kernels.relative(first, second, point, self._moving, self._tree, jacobian, twist, drift)

    def centroid(
        self, inside: NDArray[np.bool_], jacobian: Array, position: Array, velocity: Array, drift: Array
    ) -> None:
        """Center of mass of marked trees (`roots`): writes Jacobian (3, n), position [m], velocity and drift (3,)."""
        out = (jacobian, position, velocity, drift)
        _kernels.centroid(inside, self._moving, self._tree, self._weights, self.data.xipos, out)

    def angular_momentum(
        self, inside: NDArray[np.bool_], center: Array, jacobian: Array, momentum: Array, drift: Array
    ) -> None:
        """Of marked trees about their common center of mass [m]: writes Jacobian (3, n), momentum [kg m²/s], drift [N m]."""
        out = (jacobian, momentum, drift)
        _kernels.angular_momentum(inside, center, self._moving, self._tree, self._weights[0], self._inner, out)

    def shape(self, name: str) -> int:
        """Number of the shape called `name`; raises `InputError` where there is none."""
        names = [self.model.geom(i).name for i in range(self.model.ngeom)]
        if name not in names:
            raise unknown_name("shape", name, names)
        return names.index(name)

    def shapes_of(self, body: str) -> tuple[str, ...]:
        """Names of a body's shapes."""
        number = self.body(body)
        geoms = [i for i in range(self.model.ngeom) if self.model.geom_bodyid[i] == number]
        return tuple(self.model.geom(i).name for i in geoms)

    def nearest(self, first: int, second: int, within: float) -> Witnesses:
        """Distance of two shapes, their closest points and bodies; `within` [m] and no points where it is larger."""
        pair = (int(self._carriers[first]), int(self._carriers[second]))
        if _kernels.far(self.data.geom_xpos, self._radii, first, second, within):
            return Witnesses(within, self._segment[:3], self._segment[3:], pair)
        distance = mj.mj_geomDistance(self.model, self.data, first, second, within, self._segment)
        return Witnesses(float(distance), self._segment[:3].copy(), self._segment[3:].copy(), pair)

    def leave(self, before: tuple[Array, Array], owners: Sequence[str]) -> None:
        """Put everything but characters or things back to coordinates (nq,) and velocities (nv,) of before; `refresh`ed."""
        model, data = self.model, self.data
        moved = data.qpos.copy(), data.qvel.copy()
        data.qpos[:], data.qvel[:] = before
        for dof in np.concatenate([self.dofs_of(owner) for owner in owners]):
            joint = int(model.dof_jntid[dof])
            start = int(model.jnt_qposadr[joint])
            end = int(model.jnt_qposadr[joint + 1]) if joint + 1 < model.njnt else int(model.nq)
            data.qpos[start:end], data.qvel[dof] = moved[0][start:end], moved[1][dof]
        self.refresh()

    def place(self, owner: str, position: Array, heading: float = 0.0) -> None:
        """Put a character's pelvis or a free thing at a place [m], turned about z [rad]; `refresh` afterwards."""
        joint = self.model.body_jntadr[self.bodies_of(owner)[0]]
        at, dof = int(self.model.jnt_qposadr[joint]), int(self.model.jnt_dofadr[joint])
        self.data.qpos[at : at + 3] = position
        self.data.qpos[at + 3 : at + 7] = quat.exp(np.array([0.0, 0.0, heading]))
        self.data.qvel[dof : dof + 6] = 0.0

    def set_joint(self, name: str, angle: float) -> None:
        """Set one coordinate [rad or m], at rest; `refresh` afterwards.

        Raises:
            InputError: There is no such joint, or it does not go there.
        """
        table = self.joints
        if name not in table.names:
            raise unknown_name("joint", name, table.names)
        number = table.names.index(name)
        if table.balls[number]:
            raise InputError(f"joint {name!r} is a ball's, which has no angle to be set")
        low, high = float(table.lower[number]), float(table.upper[number])
        if not low - 1e-9 <= angle <= high + 1e-9:
            raise InputError(f"joint {name!r} goes from {low:.3g} to {high:.3g} rad; got {angle:.3g}")
        self.data.qpos[self._hinge_positions[np.searchsorted(self._hinged, number)]] = angle
        self.data.qvel[table.dofs[number]] = 0.0

    def _laid_out(self, owner: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Where the plan's positions (nq,) and velocities (nv,) of a character with balls are among the system's."""
        model = self.model
        joints = [int(model.body_jntadr[self._names[f"{owner}/{label}"]]) for label in self.plans[owner].names]
        at, dof = model.jnt_qposadr[joints].astype(np.int64), model.jnt_dofadr[joints].astype(np.int64)
        places = [at[0] + np.arange(7), *(first + np.arange(4) for first in at[1:])]
        return np.concatenate(places), np.concatenate([dof[0] + np.arange(6), *(one + np.arange(3) for one in dof[1:])])

    def _layout(self, owner: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        if owner not in self._layouts:
            raise unknown_name("character with balls", owner, self._layouts)
        return self._layouts[owner]

    def turns(self, owner: str) -> tuple[Array, NDArray[np.int64]]:
        """How the pelvis and the balls of a character are turned, wxyz (B, 4), and their degrees of freedom (B, 3).

        Raises:
            InputError: It has no balls.
        """
        at, dofs = self._layout(owner)
        return self.data.qpos[at[3:]].reshape(-1, 4), dofs[3:].reshape(-1, 3)

    def put(self, owner: str, positions: Array, velocities: Array) -> None:
        """Put a character with balls into a state as in `poise.body.coordinates`, (nq,) and (nv,); `refresh` afterwards."""
        at, dofs = self._layout(owner)
        self.data.qpos[at], self.data.qvel[dofs] = positions, velocities

    def ordered(self, owner: str, velocities: Array) -> Array:
        """Generalized velocities or accelerations of a character with balls (nv,) among those of the system, shape (n,)."""
        result = np.zeros(self.size)
        result[self._layout(owner)[1]] = velocities
        return result

    def thing_joints(self) -> tuple[str, ...]:
        """Joints of things, `<thing>/<link>`."""
        return tuple(
            f"{thing.name}/{link.name}" for thing in self.things for link in thing.links if link.joint != "fixed"
        )

    def coordinates(self, joint: str) -> Array:
        """Generalized positions of one joint, shape (1,) or (7,); a copy."""
        held = self.model.joint(joint)
        at = int(held.qposadr[0])
        return np.array(self.data.qpos[at : at + len(held.qpos0)])

    def state(self) -> State:
        """Generalized positions and velocities; a copy."""
        return self.data.qpos.copy(), self.data.qvel.copy()

    def suppose(self, now: State, other: State, owners: Sequence[str]) -> None:
        """Take on a state, but of some characters and things another one; up to date afterwards."""
        model, data = self.model, self.data
        data.qpos[:], data.qvel[:] = now
        for owner in owners:
            dofs = self.dofs_of(owner)
            data.qvel[dofs] = other[1][dofs]
            for joint in np.flatnonzero(np.isin(model.jnt_bodyid, self.bodies_of(owner))):
                at = int(model.jnt_qposadr[joint])
                end = at + (7 if model.jnt_type[joint] < _SLIDE else 1)
                data.qpos[at:end] = other[0][at:end]
        self.refresh()

    def shift(self, places: Array, rates: Array) -> None:
        """Move along generalized displacements and add generalized velocities, shape (n,) each; up to date afterwards."""
        mj.mj_integratePos(self.model, self.data.qpos, places, 1.0)
        self.data.qvel[:] += rates
        self.refresh()

    def nudged(self, state: State, share: float, wrong: State, right: State) -> State:
        """A state moved by a share of what another one turned out to be wrong by."""
        away = np.zeros(self.size)
        mj.mj_differentiatePos(self.model, away, 1.0, wrong[0], right[0])
        places = state[0].copy()
        mj.mj_integratePos(self.model, places, away, share)
        return places, state[1] + share * (right[1] - wrong[1])

    def save(self) -> Any:
        """State and masses; a copy."""
        model, data = self.model, self.data
        masses = (model.body_mass.copy(), model.body_inertia.copy(), model.body_subtreemass.copy())
        return data.qpos.copy(), data.qvel.copy(), masses

    def restore(self, saved: Any) -> None:
        """Go back to what `save` gave."""
        model, (positions, velocities, masses) = self.model, saved
        self.data.qpos[:], self.data.qvel[:] = positions, velocities
        model.body_mass[:], model.body_inertia[:], model.body_subtreemass[:] = masses
        self._weights[0][:], self._weights[1][:] = masses[0], masses[2]
        self.refresh()

    def row(self, character: str) -> Array:
        """A character's generalized positions as in `poise.body.coordinates`: pelvis, then a quaternion per body."""
        plan = self.plans[character]
        # MuJoCo numbers bodies depth first.
        bodies = [self._names[f"{character}/{label}"] for label in plan.names]
        turns = self.data.xquat[bodies]
        above = turns[plan.parents[1:]]
        relative = quat.mul(quat.conj(above), turns[1:])
        coordinates = quat.mul(quat.conj(plan.bind_rotations[1:]), relative)
        return np.concatenate([self.data.xpos[bodies[0]], turns[0], coordinates.ravel()])


def _joints(model: mj.MjModel, plans: Mapping[str, BodyPlan], balls: Collection[str]) -> Joints:
    names: list[str] = []
    dofs: list[int] = []
    rows: list[tuple[float, float, float, float]] = []
    ball: list[bool] = []
    strength = {f"{who}/{label}": plans[who].strengths[b] for who in balls for b, label in enumerate(plans[who].names)}
    strengths = {
        f"{who}/{label}/{hinge.axis}": hinge
        for who, plan in plans.items()
        for label, hinges in zip(plan.names, hinges_of(plan), strict=True)
        for hinge in hinges
    }
    for number in range(model.njnt):
        joint = model.joint(number)
        if int(model.jnt_type[number]) == _BALL:
            names += [f"{joint.name}/{axis}" for axis in AXES]
            dofs += [int(model.jnt_dofadr[number]) + axis for axis in range(3)]
            rows += [(-np.inf, np.inf, float(strength[joint.name]), np.inf)] * 3
            ball += [True] * 3
        if int(model.jnt_type[number]) < _SLIDE:
            continue
        hinge = strengths.get(joint.name)
        ends = (float(joint.range[0]), float(joint.range[1])) if model.jnt_limited[number] else (-np.inf, np.inf)
        names.append(joint.name)
        dofs.append(int(model.jnt_dofadr[number]))
        rows.append((*ends, hinge.torque if hinge else 0.0, hinge.speed if hinge else np.inf))
        ball.append(False)
    lower, upper, torque, speed = np.array(rows).reshape(-1, 4).T.copy()
    return Joints(tuple(names), np.array(dofs, np.int64), lower, upper, torque, speed, np.array(ball, dtype=bool))
