"""The dynamics of a whole scene as it is now: mass matrix, bias, Jacobians, distances, rays."""

from __future__ import annotations

import copy
from typing import NamedTuple

import mujoco as mj
import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.signals import Witnesses
from poise.world.world import World

__all__ = ["Hit", "SceneDynamics"]

Array = NDArray[np.float64]


class Hit(NamedTuple):
    """What a ray meets: how far away [m], and the name of the shape."""

    distance: float
    geom: str


class SceneDynamics:
    """Answers questions about everything in a world at once, at its present state; it changes nothing.

    Generalized coordinates are the world's. Mass matrix and bias are of a twin without the rotor inertia that makes joints
    follow their drive: taking that away again from the world's own would leave errors of 2e-6.

    Args:
        world: The world.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        twin = copy.copy(world.model)
        twin.dof_armature[:] = 0.0
        simple = twin.dof_simplenum > 0
        twin.dof_M0[simple] = world.cut.own_mass[simple]
        self._twin, self._data = twin, mj.MjData(twin)

    def mass_matrix(self) -> Array:
        """Of the whole scene, shape (nv, nv)."""
        self._follow()
        matrix = np.zeros((self._twin.nv, self._twin.nv))
        mj.mj_crb(self._twin, self._data)
        mj.mj_fullM(self._twin, self._data, matrix)
        return matrix

    def bias(self) -> Array:
        """Generalized force of gravity, centrifugal and Coriolis terms [N, N m], shape (nv,)."""
        self._follow()
        force = np.zeros(self._twin.nv)
        mj.mj_comVel(self._twin, self._data)
        mj.mj_rne(self._twin, self._data, 0, force)
        return force

    def jacobian(self, body: str, point: ArrayLike) -> Array:
        """Linear, then angular velocity in the world of a body's point (3,) in the world [m], by (nv,); shape (6, nv)."""
        self._follow()
        return self._pair(mj.mj_jac, body, point)

    def drift(self, body: str, point: ArrayLike) -> Array:
        """The same point's acceleration when all generalized accelerations are 0 (J-dot v), shape (6,)."""
        self._follow()
        mj.mj_comVel(self._twin, self._data)
        return np.asarray(self._pair(mj.mj_jacDot, body, point) @ self._data.qvel)

    def nearest(self, first: str, second: str, within: float = 10.0) -> Witnesses:
        """Closest points of two bodies' shapes, as far as `within` [m]; infinitely far where nothing is.

        Height fields are left out: MuJoCo's distance to them is wrong.

        Raises:
            InputError: There is no such body.
        """
        self._follow()
        model, segment = self._twin, np.zeros(6)
        numbers = (self._world.body_number(first), self._world.body_number(second))
        best = Witnesses(np.inf, np.full(3, np.nan), np.full(3, np.nan), numbers)
        solid = [np.flatnonzero(model.geom_bodyid == number) for number in numbers]
        for a in solid[0]:
            for b in solid[1]:
                if mj.mjtGeom.mjGEOM_HFIELD in (model.geom_type[a], model.geom_type[b]):
                    continue
                distance = mj.mj_geomDistance(model, self._data, int(a), int(b), within, segment)
                if distance < min(best.distance, within):
                    best = Witnesses(float(distance), segment[:3].copy(), segment[3:].copy(), numbers)
        return best

    def ray(self, origin: ArrayLike, direction: ArrayLike) -> Hit | None:
        """The first shape that a ray from `origin` (3,) [m] along `direction` (3,) meets; None where it meets nothing."""
        self._follow()
        start, way = np.asarray(origin, dtype=np.float64), np.asarray(direction, dtype=np.float64)
        met, normal = np.full((1, 1), -1, dtype=np.int32), np.zeros(3)
        size = float(np.linalg.norm(way))
        far = mj.mj_ray(self._twin, self._data, start, way / size, None, 1, -1, met, normal)
        return None if far < 0.0 else Hit(float(far), self._world.geom_names[int(met[0, 0])])

    def _follow(self) -> None:
        """Bring the twin to the world's state."""
        data = self._data
        data.qpos[:], data.qvel[:] = self._world.positions, self._world.velocities
        mj.mj_kinematics(self._twin, data)
        mj.mj_comPos(self._twin, data)

    def _pair(self, function: object, body: str, point: ArrayLike) -> Array:
        linear, angular = np.zeros((3, self._twin.nv)), np.zeros((3, self._twin.nv))
        number, place = self._world.body_number(body), np.asarray(point, dtype=np.float64)
        function(self._twin, self._data, linear, angular, place, number)  # type: ignore[operator]
        return np.concatenate([linear, angular])
