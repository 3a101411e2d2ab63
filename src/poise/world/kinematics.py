"""Where the bodies of a world are, for many states at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.math import quat

__all__ = ["world_frames"]

Array = NDArray[np.float64]

_FREE, _BALL, _SLIDE = 0, 1, 2
"""MuJoCo's numbers for kinds of joints (mjtJoint); the fourth is the hinge."""


def world_frames(model: Any, positions: Array) -> tuple[Array, Array]:
    """Positions [m] (T, bodies, 3) and orientations (T, bodies, 4) of a MuJoCo model's bodies.

    `mj_kinematics` gives the same for one state; a page needs hundreds.

    Args:
        model: The compiled model.
        positions: Generalized positions, shape (T, nq).
    """
    place = np.zeros((len(positions), model.nbody, 3))
    turn = np.tile(quat.IDENTITY, (len(positions), model.nbody, 1))
    for body in range(1, model.nbody):
        parent = int(model.body_parentid[body])
        at = place[:, parent] + quat.rotate(turn[:, parent], model.body_pos[body])
        facing = quat.mul(turn[:, parent], model.body_quat[body])
        first = int(model.body_jntadr[body])
        for joint in range(first, first + int(model.body_jntnum[body])):
            at, facing = _moved(model, joint, positions, at, facing)
        place[:, body], turn[:, body] = at, facing
    return place, turn


def _moved(model: Any, joint: int, positions: Array, at: Array, facing: Array) -> tuple[Array, Array]:
    """A body's frame after one of its joints."""
    kind, column = int(model.jnt_type[joint]), int(model.jnt_qposadr[joint])
    if kind == _FREE:
        return positions[:, column : column + 3], quat.normalize(positions[:, column + 3 : column + 7])
    away = positions[:, column] - model.qpos0[column]
    if kind == _SLIDE:
        return at + quat.rotate(facing, model.jnt_axis[joint] * away[:, None]), facing
    if kind == _BALL:
        rotation = quat.normalize(positions[:, column : column + 4])
    else:
        rotation = quat.exp(model.jnt_axis[joint] * away[:, None])
    anchor = at + quat.rotate(facing, model.jnt_pos[joint])
    facing = quat.mul(facing, rotation)
    return anchor - quat.rotate(facing, model.jnt_pos[joint]), facing
