"""A small model of one character alone, for questions that must not touch the world."""

from __future__ import annotations

import mujoco as mj
import numpy as np
from numpy.typing import NDArray

from poise.body.plan import BodyPlan
from poise.world import _kernels
from poise.world.character import add_character

__all__ = ["CharacterDynamics"]

Array = NDArray[np.float64]


class CharacterDynamics:
    """Answers `poise.signals.Dynamics` for a body plan in free space under gravity [m/s²]."""

    def __init__(self, plan: BodyPlan, gravity: float = 9.81) -> None:
        spec = mj.MjSpec()
        spec.option.gravity = [0.0, 0.0, -gravity]
        add_character(spec, "body", plan)
        # It touches nothing; its masses are its bodies' own.
        for geom in spec.geoms:
            spec.delete(geom)
        self._model = spec.compile()
        # The small rotor inertia that steadies light links in the world is no part of the body.
        self._model.dof_armature[:] = 0.0
        self._data = data = mj.MjData(self._model)
        # Views of MuJoCo's memory: to ask for them anew costs as much as the questions.
        self._positions, self._velocities, self._accelerations = data.qpos, data.qvel, data.qacc
        self._centers, self._places = data.subtree_com, data.xpos
        self._force = np.zeros(self._model.nv)
        self._weights = gravity * self._model.body_subtreemass[1:]
        self._tipping = np.zeros(len(self._weights))

    def weigh(self, shares: Array) -> None:
        """Multiply the masses of the bodies, shape (B,)."""
        model = self._model
        model.body_mass[1:] *= shares
        model.body_inertia[1:] *= shares[:, None]

    def load(self, positions: Array) -> Array:
        """See `Dynamics.load`; the array is overwritten by the next call."""
        model, data = self._model, self._data
        data.qpos[:] = positions
        data.qvel[:] = 0.0
        # Left over from a call of `inverse`.
        data.cvel[:] = 0.0
        mj.mj_kinematics(model, data)
        mj.mj_comPos(model, data)
        mj.mj_rne(model, data, 0, self._force)
        return self._force

    def inverse(self, positions: Array, velocities: Array, accelerations: Array) -> Array:
        """See `Dynamics.inverse`."""
        model, data = self._model, self._data
        self._positions[:], self._velocities[:], self._accelerations[:] = positions, velocities, accelerations
        mj.mj_kinematics(model, data)
        mj.mj_comPos(model, data)
        mj.mj_comVel(model, data)
        result = np.zeros(model.nv)
        mj.mj_rne(model, data, 1, result)
        return result

    def tipping(self, positions: Array) -> Array:
        """What gravity takes from the stiffness about each joint at `positions` (nq,) [N m/rad], shape (B,); overwritten.

        With r from a joint to the centre of mass of what it carries and W its weight, a turn d changes the torque of gravity
        and of the load, which is carried in the body's frame, by W (z d - up (r . d)): at most W (z + |r|) / 2, which is W h
        for what stands upright, half of that for what is held out level and nothing for what hangs.
        """
        model, data = self._model, self._data
        self._positions[:] = positions
        mj.mj_kinematics(model, data)
        mj.mj_comPos(model, data)
        _kernels.tipping(self._centers, self._places, self._weights, self._tipping)
        return self._tipping

    def mass_matrix(self, positions: Array) -> Array:
        """See `Dynamics.mass_matrix`."""
        model, data = self._model, self._data
        data.qpos[:] = positions
        mj.mj_kinematics(model, data)
        mj.mj_comPos(model, data)
        mj.mj_crb(model, data)
        matrix = np.zeros((model.nv, model.nv))
        mj.mj_fullM(model, data, matrix)
        return matrix
