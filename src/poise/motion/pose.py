"""One instant of a skeleton, and where its joints then are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import InputError
from poise.lazy import pays_to_compile
from poise.math import quat
from poise.motion.skeleton import Skeleton

__all__ = ["Pose", "forward_kinematics", "joint_positions"]

Array = NDArray[np.float64]

_MANY = 300_000
"""Joints times frames that NumPy chains in the time that numba takes to be loaded, a fifth of a second."""


@dataclass(frozen=True, eq=False)
class Pose:
    """Local transforms of every joint at one instant.

    Args:
        skeleton: The joints.
        rotations: Rotation of each joint in its parent's frame, wxyz, shape (J, 4).
        translations: Position of each joint in its parent's frame [m], shape (J, 3); for the root, in the world.
    """

    skeleton: Skeleton
    rotations: Array
    translations: Array

    def __post_init__(self) -> None:
        count = len(self.skeleton)
        if self.rotations.shape != (count, 4) or self.translations.shape != (count, 3):
            raise InputError(
                f"a pose of {count} joints needs rotations ({count}, 4) and translations ({count}, 3); "
                f"got {self.rotations.shape} and {self.translations.shape}"
            )

    def __repr__(self) -> str:
        return f"<Pose of {len(self.skeleton)} joints>"

    def world(self) -> tuple[Array, Array]:
        """Orientations (J, 4) and positions [m] (J, 3) of all joints in the world."""
        return forward_kinematics(self.skeleton, self.rotations, self.translations)


def forward_kinematics(skeleton: Skeleton, rotations: ArrayLike, translations: ArrayLike) -> tuple[Array, Array]:
    """Orientations and positions of all joints in the world.

    Args:
        skeleton: The joints.
        rotations: Local rotations wxyz, shape (..., J, 4).
        translations: Local positions [m], shape (..., J, 3).

    Returns:
        World orientations, shape (..., J, 4), and world positions [m], shape (..., J, 3).

    Raises:
        InputError: There are more or fewer rotations or translations than joints, or of one than of the other.
    """
    joints = len(skeleton)
    world_q = np.array(rotations, dtype=np.float64, order="C")
    world_p = np.array(translations, dtype=np.float64, order="C")
    if world_q.shape[-2:] != (joints, 4) or world_p.shape != (*world_q.shape[:-1], 3):
        raise InputError(
            f"poses of {joints} joints need rotations (..., {joints}, 4) and translations (..., {joints}, 3); "
            f"got {world_q.shape} and {world_p.shape}"
        )
    flat_q, flat_p = world_q.reshape(-1, joints, 4), world_p.reshape(-1, joints, 3)
    if pays_to_compile(flat_q.shape[0] * joints, _MANY):
        # Slow to import (docs/architecture.md, decision 12).
        from poise.motion._kernels import chain

        chain(np.array(skeleton.parents), flat_q, flat_p)
    else:
        _chain(skeleton, flat_q, flat_p)
    return world_q, world_p


def _chain(skeleton: Skeleton, rotations: Array, positions: Array) -> None:
    """What the compiled `chain` does, to the bit."""
    for joint, parent in enumerate(skeleton.parents[1:], start=1):
        above = rotations[:, parent]
        rotations[:, joint] = quat.mul(above, rotations[:, joint])
        positions[:, joint] = positions[:, parent] + quat.rotate(above, positions[:, joint])


def joint_positions(skeleton: Skeleton, rotations: ArrayLike, translations: ArrayLike) -> tuple[Array, Array]:
    """World positions [m] of the joints, (..., J, 3), and of the end sites, (..., E, 3)."""
    world_q, world_p = forward_kinematics(skeleton, rotations, translations)
    on = skeleton.end_parents
    ends = world_p[..., on, :] + quat.rotate(world_q[..., on, :], skeleton.end_offsets)
    return world_p, ends
