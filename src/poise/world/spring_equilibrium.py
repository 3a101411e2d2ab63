"""Springs that hold a plant up in the shape it was given."""

from __future__ import annotations

import mujoco as mj
import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError

__all__ = ["balance_springs"]

_NUDGE = 1e-4


def balance_springs(model: mj.MjModel) -> None:
    """Set spring references so that gravity is balanced at rest, and refuse what would topple.

    A spring that only pulls back to the rest pose sags under the load; Alvarado 2022 calls these "self-balancing". The
    rest pose is a stable equilibrium iff the stiffness matrix, springs minus gravity, is positive definite there
    (for one link: K > m g h).

    Raises:
        InputError: The springs of a tree are too weak; the message says which and what would do.
    """
    data = mj.MjData(model)
    sprung = np.flatnonzero((model.jnt_stiffness > 0) & (model.jnt_type == mj.mjtJoint.mjJNT_HINGE))
    if len(sprung) == 0:
        return
    load = _gravity(model, data)
    for joint in sprung:
        at, dof = model.jnt_qposadr[joint], model.jnt_dofadr[joint]
        model.qpos_spring[at] = model.qpos0[at] + load[dof] / model.jnt_stiffness[joint]
    for tree in np.unique(model.dof_treeid[model.jnt_dofadr[sprung]]):
        _check_tree(model, data, [int(j) for j in sprung if model.dof_treeid[model.jnt_dofadr[j]] == tree])


def _gravity(model: mj.MjModel, data: mj.MjData) -> NDArray[np.float64]:
    """Generalized force that balances gravity at the data's positions, shape (nv,)."""
    data.qvel[:] = 0.0
    mj.mj_kinematics(model, data)
    mj.mj_comPos(model, data)
    result = np.zeros(model.nv)
    mj.mj_rne(model, data, 0, result)
    return result


def _check_tree(model: mj.MjModel, data: mj.MjData, joints: list[int]) -> None:
    dofs = model.jnt_dofadr[joints]
    gravity = np.zeros((len(joints), len(joints)))
    for column, joint in enumerate(joints):
        at = int(model.jnt_qposadr[joint])
        for sign in (1.0, -1.0):
            data.qpos[:] = model.qpos0
            data.qpos[at] += sign * _NUDGE
            gravity[:, column] += sign * _gravity(model, data)[dofs] / (2.0 * _NUDGE)
    data.qpos[:] = model.qpos0
    stiffness = np.diag(model.jnt_stiffness[joints])
    least = np.linalg.eigvalsh(stiffness + 0.5 * (gravity + gravity.T)).min()
    if least <= 0.0:
        name = model.body(int(model.jnt_bodyid[joints[0]])).name.split("/")[0]
        needed = model.jnt_stiffness[joints].max() - least
        raise InputError(
            f"stiffness {model.jnt_stiffness[joints].max():g} N m/rad cannot hold it up; it would topple. "
            f"More than {needed:.0f} N m/rad does",
            source=f"prop {name!r}",
        )
