"""How closely one motion follows another, in positions and in angles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from poise.errors import InputError
from poise.math import quat
from poise.metrics._arrays import Array, checked, checked_indices, largest, mean

__all__ = ["AngleError", "PositionError", "angle_error", "joint_angle_error", "joint_position_error", "position_error"]


@dataclass(frozen=True)
class PositionError:
    """Distances between the joints of two motions: `joint_position_error`."""

    global_mean_mm: float
    root_relative_mean_mm: float
    max_mm: float
    success: bool


@dataclass(frozen=True)
class AngleError:
    """Angles between the joint rotations of two motions: `joint_angle_error`."""

    mean_deg: float
    max_deg: float


def _pair(reference: ArrayLike, actual: ArrayLike, name: str, width: int) -> tuple[Array, Array]:
    a = checked(f"reference {name}", reference, None, None, width)
    b = checked(f"actual {name}", actual, None, None, width)
    if a.shape != b.shape:
        raise InputError(f"both motions need the same frames and joints; got {a.shape} and {b.shape}")
    return a, b


def position_error(reference: ArrayLike, actual: ArrayLike) -> Array:
    """Distance between corresponding joints [m], two arrays (T, J, 3) to (T, J).

    Raises:
        InputError: The shapes differ.
    """
    a, b = _pair(reference, actual, "positions", 3)
    return np.asarray(np.linalg.norm(b - a, axis=-1))


def joint_position_error(
    reference: ArrayLike, actual: ArrayLike, *, root: int = 0, failure: float = 0.5
) -> PositionError:
    """Mean joint position errors [mm] of one motion against another, both (T, J, 3).

    Global is the mean over frames and joints of `‖p̂ - p‖`; root-relative first subtracts each motion's own root
    position (no rotation is removed); `max_mm` is the largest global distance of any joint. `success` is the
    benchmark's: the mean global distance of a frame never exceeds `failure` [m]. PHC on AMASS: about 37.5 global
    and 26.9 root-relative in training, 47 and 31 in test, success 98.9 % and 96.4 % of clips.

    Source: Luo et al. 2023, PHC, E_g-mpjpe, E_mpjpe, Succ.

    Raises:
        InputError: The shapes differ or the root is not one of the joints.
    """
    a, b = _pair(reference, actual, "positions", 3)
    checked_indices("the root joint", root, a.shape[1])
    distance = position_error(a, b)
    if distance.size == 0:
        return PositionError(float("nan"), float("nan"), float("nan"), False)
    relative = position_error(a - a[:, [root]], b - b[:, [root]])
    success = bool(distance.mean(axis=1).max() <= failure)
    return PositionError(1000.0 * mean(distance), 1000.0 * mean(relative), 1000.0 * largest(distance), success)


def angle_error(reference: ArrayLike, actual: ArrayLike) -> Array:
    """Geodesic angle between corresponding rotations [rad], two arrays (T, J, 4) to (T, J): `‖log(R̂ᵀ R)‖`.

    Raises:
        InputError: The shapes differ.
    """
    return quat.angle_between(*_pair(reference, actual, "rotations", 4))


def joint_angle_error(reference: ArrayLike, actual: ArrayLike) -> AngleError:
    """Mean and largest geodesic angle between the local joint rotations of two motions, both (T, J, 4) [deg].

    Under gravity it stays flat as the tension of antagonistic control falls, and grows with plain PD.

    Source: Alvarado et al. 2022 (the claim); the angle is that of the rotation between the two.

    Raises:
        InputError: The shapes differ.
    """
    angle = np.rad2deg(angle_error(reference, actual))
    return AngleError(mean(angle), largest(angle))
