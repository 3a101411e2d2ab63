"""A robot as a MuJoCo model of its own: what it is built of, where its bodies are, how they move with its joints."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property

import mujoco as mj
import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.world.divergence import forget_warnings

__all__ = ["RobotModel", "Shape"]

Array = NDArray[np.float64]

_SHAPES = {2: "sphere", 3: "capsule", 4: "ellipsoid", 5: "cylinder", 6: "box"}
"""By MuJoCo's numbers (mjtGeom)."""
_FREE, _BALL, _HINGE = 0, 1, 3
"""MuJoCo's numbers for kinds of joints (mjtJoint)."""
_TINY_MASS, _TINY_INERTIA = 1e-9, 1e-12
"""What a body without shapes weighs, so that the model compiles [kg, kg m²]."""
_LONGEST = 300


@dataclass(frozen=True, eq=False)
class Shape:
    """A simple shape fixed to a body.

    Args:
        body: Number of the body.
        kind: "sphere", "capsule", "ellipsoid", "cylinder" or "box".
        size: As in MuJoCo [m], shape (3,): radius, half length; or half extents.
        position: Of its centre in the body's frame [m], shape (3,).
        axes: Its axes in the body's frame, as columns, shape (3, 3).
        touches: Whether it collides at all.
    """

    body: int
    kind: str
    size: Array
    position: Array
    axes: Array
    touches: bool


class RobotModel:
    """A robot's bodies and joints, and where they are in one pose at a time.

    Body 0 is the world. Arrays over joints that bend (hinges and slides) have them in model order.

    Args:
        xml: MJCF or URDF that refers to no other file.
        source: File it came from, for messages.
        floats: Whether the base is free where the description does not say it, as no URDF does.

    Raises:
        InputError: MuJoCo does not take it, a joint is a ball, or nothing bends.
    """

    def __init__(self, xml: str, source: object, *, floats: bool = False) -> None:
        spec = _parsed(xml, source)
        root = _robot_root(spec)
        if root is None:
            raise InputError("has no hinges; a robot's own hinges are what a motion goes onto", source=source)
        self.floats = any(int(joint.type) == _FREE for joint in root.joints)
        """Whether the base is free by its description; where it is not, it is freed here and fixed again in what is written."""
        if not self.floats:
            if root.joints:
                raise InputError(
                    "is the base and has hinges against the world; the base of a humanoid is free or fixed",
                    source=source,
                    place=root.name or None,
                )
            root.add_freejoint(name="" if _named(spec, "floating_base") else "floating_base")
            self.floats = floats
        self._model = model = _compiled(spec, source)
        self._data = mj.MjData(model)
        kinds = model.jnt_type
        if np.any(kinds == _BALL):
            name = model.joint(int(np.argmax(kinds == _BALL))).name
            raise InputError("is a ball joint; hinges, slides and a free base are taken", source=source, place=name)
        self.base = int(model.body(root.name).id) if root.name else 1
        self.free = int(model.body_jntadr[self.base])
        """Number of the free joint."""
        inside = model.body_rootid == self.base
        self.bends = np.flatnonzero((kinds != _FREE) & inside[model.jnt_bodyid])
        """Hinges and slides of the robot, as joint numbers, shape (H,)."""
        self.inside = np.flatnonzero(inside)
        """Bodies of the robot, parents before children, shape (B,)."""
        limited = model.jnt_limited[self.bends].astype(bool)
        self.lower = np.where(limited, model.jnt_range[self.bends, 0], -np.inf)
        self.upper = np.where(limited, model.jnt_range[self.bends, 1], np.inf)
        self._names = [model.joint(joint).name or f"joint_{joint}" for joint in range(model.njnt)]

    # What it is built of.

    @property
    def body_names(self) -> tuple[str, ...]:
        """Name of every body of the model, the world first."""
        return tuple(self._model.body(body).name or f"body_{body}" for body in range(self._model.nbody))

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Name of every joint of the description, in model order."""
        return tuple(name for joint, name in enumerate(self._names) if self.floats or joint != self.free)

    @property
    def free_name(self) -> str:
        """Name of the free joint."""
        return self._names[self.free]

    @property
    def bend_names(self) -> tuple[str, ...]:
        """Names of hinges and slides of the robot, shape (H,)."""
        return tuple(self._names[joint] for joint in self.bends)

    @property
    def parents(self) -> NDArray[np.int64]:
        """Parent of every body, shape (bodies,)."""
        return np.asarray(self._model.body_parentid, dtype=np.int64)

    @property
    def bend_bodies(self) -> NDArray[np.int64]:
        """The body that each hinge or slide moves, shape (H,)."""
        return np.asarray(self._model.jnt_bodyid[self.bends], dtype=np.int64)

    @property
    def masses(self) -> Array:
        """Mass of every body [kg], shape (bodies,); what has none is 0."""
        masses = np.array(self._model.body_mass)
        masses[masses <= 2.0 * _TINY_MASS] = 0.0
        return masses

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """Simple shapes of the robot's bodies."""
        model, found = self._model, []
        for geom in range(model.ngeom):
            kind = _SHAPES.get(int(model.geom_type[geom]))
            body = int(model.geom_bodyid[geom])
            if kind is None or model.body_rootid[body] != self.base:
                continue
            axes = np.zeros(9)
            mj.mju_quat2Mat(axes, model.geom_quat[geom])
            touches = bool(model.geom_contype[geom] or model.geom_conaffinity[geom])
            found.append(
                Shape(
                    *(body, kind, model.geom_size[geom].copy(), model.geom_pos[geom].copy()),
                    *(axes.reshape(3, 3), touches),
                )
            )
        return tuple(found)

    # One pose at a time.

    def place(self, qpos: Array) -> None:
        """Put the bodies where generalized positions (nq,) say."""
        self._data.qpos[:] = qpos
        mj.mj_kinematics(self._model, self._data)
        mj.mj_comPos(self._model, self._data)

    @property
    def zero(self) -> Array:
        """The description's own pose, shape (nq,)."""
        return np.array(self._model.qpos0)

    @property
    def positions(self) -> Array:
        """Of every body now [m], shape (bodies, 3)."""
        return np.array(self._data.xpos)

    @property
    def centres(self) -> Array:
        """Centre of mass of every body now [m], shape (bodies, 3)."""
        return np.array(self._data.xipos)

    @property
    def orientations(self) -> Array:
        """Of every body now, shape (bodies, 4)."""
        return np.array(self._data.xquat)

    @property
    def axes(self) -> tuple[Array, Array]:
        """Anchors [m] and axes of hinges and slides now, each shape (H, 3)."""
        return np.array(self._data.xanchor[self.bends]), np.array(self._data.xaxis[self.bends])

    def in_world(self, body: int, points: Array) -> Array:
        """Where points of a body's frame [m] (N, 3) are now."""
        return np.asarray(self._data.xpos[body] + points @ self._data.xmat[body].reshape(3, 3).T)

    def jacobians(self, bodies: NDArray[np.int64], points: Array) -> tuple[Array, Array]:
        """How points of bodies [m] in the world (S, 3), and the bodies' orientations, move with `degrees`, each (S, 3, N)."""
        moves, turns = np.zeros((2, len(bodies), 3, self._model.nv))
        for number, body in enumerate(bodies):
            mj.mj_jac(self._model, self._data, moves[number], turns[number], points[number], body)
        return moves[..., self.degrees], turns[..., self.degrees]

    def moved(self, qpos: Array, velocity: Array) -> Array:
        """Generalized positions (nq,) after going with a velocity (nv,) for one second."""
        there = np.array(qpos)
        mj.mj_integratePos(self._model, there, velocity, 1.0)
        return there

    @cached_property
    def columns(self) -> NDArray[np.int64]:
        """Of hinges and slides in `qpos`, shape (H,)."""
        return np.asarray(self._model.jnt_qposadr[self.bends], dtype=np.int64)

    @cached_property
    def degrees(self) -> NDArray[np.int64]:
        """The velocities that are solved for: six of the base, then those of hinges and slides, shape (6 + H,)."""
        first = int(self._model.jnt_dofadr[self.free])
        return np.concatenate([first + np.arange(6), self._model.jnt_dofadr[self.bends]]).astype(np.int64)

    @property
    def velocities(self) -> int:
        """Number of generalized velocities, nv."""
        return int(self._model.nv)

    @property
    def base_column(self) -> int:
        """First of the seven columns of the free joint in `qpos`."""
        return int(self._model.jnt_qposadr[self.free])

    def described(self, qpos: Array) -> Array:
        """Generalized positions (T, nq) as the description has them: without a free joint that was added."""
        if self.floats:
            return qpos
        return np.delete(qpos, np.arange(self.base_column, self.base_column + 7), axis=1)


def _named(spec: mj.MjSpec, name: str) -> bool:
    return any(joint.name == name for joint in spec.joints)


def _parsed(xml: str, source: object) -> mj.MjSpec:
    forget_warnings()  # Heard by `divergence`, where MuJoCo would write a file into the user's folder.
    try:
        spec = mj.MjSpec.from_string(xml)
    except ValueError as error:
        raise _refused(error, source) from None
    spec.compiler.fusestatic = spec.compiler.discardvisual = False
    spec.compiler.balanceinertia = True
    spec.compiler.boundmass, spec.compiler.boundinertia = _TINY_MASS, _TINY_INERTIA
    return spec


def _robot_root(spec: mj.MjSpec) -> mj.MjsBody | None:
    """The body in the world with most hinges on and below it; None where nothing has any."""
    tops = [body for body in spec.bodies if body.parent is not None and body.parent.parent is None]
    counts = [
        sum(int(joint.type) == _HINGE for body in (top, *top.find_all("body")) for joint in body.joints) for top in tops
    ]
    return tops[int(np.argmax(counts))] if any(counts) else None


def _compiled(spec: mj.MjSpec, source: object) -> mj.MjModel:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # They are about forces, and only the motion matters here.
            model = spec.compile()
    except ValueError as error:
        raise _refused(error, source) from None
    if not np.isfinite(model.qpos0).all() or not np.isfinite(model.body_pos).all():
        raise InputError("has numbers that are not finite", source=source)
    return model


def _refused(error: ValueError, source: object) -> InputError:
    said = " ".join(str(error).split())
    return InputError(f"MuJoCo does not take it: {said[:_LONGEST]}", source=source)
