"""How far joints turn and how strong their muscles are, per anatomical role.

Ranges come from van Welbergen 2009, Table 2 (men; Woodson 1992) with its misprint in the right hip corrected, turned from
its frame (Y up, Z forward, X left) into ours (x forward, y left, z up): its x is our y (flexion), its y our z (twist), its
z our x (abduction). Trunk and clavicle are not in the table and are our choice. The right side mirrors the left: flexion
is the same, abduction and twist are negated and swapped.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from poise.body.plan import JointLimits
from poise.math import quat

__all__ = ["anatomical", "limits_for", "strength_for", "swing_twist_angles", "table_limits", "twisted_first", "widened"]

Array = NDArray[np.float64]

# Left side: abduction x, flexion y, twist z, each (least, greatest) in degrees.
_RANGES: dict[str, tuple[tuple[float, float], tuple[float, float], tuple[float, float]]] = {
    "hand": ((-90, 81), (-27, 47), (-103, 113)),
    "forearm": ((-10, 10), (-142, 5), (-103, 113)),
    "upper_arm": ((-48, 134), (-188, 61), (-80, 80)),
    "clavicle": ((-15, 40), (-20, 20), (-30, 30)),
    "neck": ((-41, 41), (-60, 61), (-79, 79)),
    "thigh": ((-31, 53), (-113, 20), (-31, 30)),
    "shank": ((-10, 10), (-5, 113), (-43, 35)),
    "foot": ((-24, 23), (-38, 35), (-20, 20)),
    "spine": ((-35, 35), (-30, 75), (-45, 45)),
}
_RANGES["head"] = _RANGES["neck"]
_STRENGTHS = {
    "thigh": 200.0,
    "shank": 200.0,
    "foot": 150.0,
    "spine": 200.0,
    "clavicle": 80.0,
    "upper_arm": 80.0,
    "forearm": 60.0,
    "hand": 15.0,
    "neck": 30.0,
    "head": 30.0,
}
"""Human-like peak torques [N m] of a 75 kg person, by order of magnitude (our choice)."""

_FREE = JointLimits(np.full(3, -np.pi), np.full(3, np.pi))


def _plain(role: str | None) -> str:
    return (role or "").removeprefix("left_").removeprefix("right_")


def limits_for(role: str | None, sharing: int) -> JointLimits:
    """Limits of a joint of this role; `sharing` joints of a chain (spine, neck) divide one range between them.

    A joint without a role turns freely.
    """
    if _plain(role) not in _RANGES:
        return _FREE
    lower, upper = np.radians(np.array(_RANGES[_plain(role)], dtype=np.float64)).T / sharing
    if role is not None and role.startswith("right_"):
        lower, upper = np.array([-upper[0], lower[1], -upper[2]]), np.array([-lower[0], upper[1], -lower[2]])
    return JointLimits(lower, upper)


def table_limits(body_roles: Sequence[str | None]) -> tuple[JointLimits, ...]:
    """The table's limits of bodies with these roles, before a clip widens them."""
    heads = sum(role in ("neck", "head") for role in body_roles)
    spines = sum(role == "spine" for role in body_roles)
    sharing = {"spine": max(spines, 1), "neck": max(heads, 1), "head": max(heads, 1)}
    return tuple(limits_for(role, sharing.get(role or "", 1)) for role in body_roles)


def strength_for(role: str | None, total_mass: float) -> float:
    """Largest muscle torque [N m] of a joint, in proportion to body mass [kg]."""
    return _STRENGTHS.get(_plain(role), 30.0) * total_mass / 75.0


def swing_twist_angles(rotations: Array) -> Array:
    """Swing about x, swing about y and twist about z [rad] of anatomical rotations, (..., 4) to (..., 3)."""
    swing, twist = quat.swing_twist(rotations, np.array([0.0, 0.0, 1.0]))
    return np.concatenate([quat.log(swing)[..., :2], quat.log(twist)[..., 2:]], axis=-1)


def twisted_first(rotations: Array) -> Array:
    """Anatomical rotations (..., 4), swings in the child's axes: as forearms turn before wrists bend."""
    swing, twist = quat.swing_twist(rotations, np.array([0.0, 0.0, 1.0]))
    return quat.mul(quat.mul(quat.conj(twist), quat.mul(swing, twist)), twist)


def anatomical(rotations: Array, neutral: Array) -> Array:
    """Joint coordinates (relative to the neutral pose, body axes) seen in the anatomical frame, (..., B, 4).

    Args:
        rotations: Joint coordinates wxyz, shape (..., B, 4).
        neutral: World orientation of each body in the neutral pose, shape (B, 4).
    """
    return quat.mul(quat.mul(neutral, rotations), quat.conj(neutral))


def widened(limits: JointLimits, angles: Array, slack: float = np.radians(2.0)) -> JointLimits:
    """Limits that admit what the clip itself does, since people are more supple than tables.

    Args:
        limits: The table's range.
        angles: The clip's swing and twist angles [rad], shape (T, 3).
        slack: Room left beyond the clip's extremes [rad].
    """
    lower = np.minimum(limits.lower, angles.min(axis=0) - slack)
    upper = np.maximum(limits.upper, angles.max(axis=0) + slack)
    return JointLimits(np.maximum(lower, -np.pi), np.minimum(upper, np.pi))
