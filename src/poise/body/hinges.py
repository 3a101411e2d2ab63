"""A body's joints as hinges: which axes each joint turns about, how far, how fast and how strongly.

Controllers that solve for joint torques want one coordinate per muscle group and no quaternions. The hinges of a joint
act one after the other, from the trunk outwards, about axes of the neutral pose: x forward, y left, z up. Positive
angles flex the knee, lift the left leg and arm outwards, turn to the left, lean the trunk forward; hip and shoulder
flex to negative angles.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise.body.plan import BodyPlan

__all__ = ["Hinge", "hinges_of"]

_REFERENCE_MASS = 75.0
"""Of the person that the torques of the table belong to [kg]."""


@dataclass(frozen=True)
class Hinge:
    """One coordinate of a joint.

    Args:
        axis: "x", "y" or "z" of the neutral pose.
        lower: Least angle [rad].
        upper: Greatest angle [rad].
        torque: Largest torque of its muscles [N m].
        speed: Largest angular velocity [rad/s].
    """

    axis: str
    lower: float
    upper: float
    torque: float
    speed: float


_TABLE: dict[str, tuple[tuple[str, float, float, float, float], ...]] = {
    "thigh": (("z", -45, 45, 200, 8.8), ("x", -25, 50, 200, 5.5), ("y", -120, 24, 200, 5.4)),
    "shank": (("y", 0, 140, 200, 6.0),),
    "foot": (("y", -57, 45, 150, 4.6), ("x", -34, 34, 150, 9.8)),
    "spine": (("z", -35, 35, 200, 5.5), ("y", -20, 60, 200, 5.5)),
    "head": (("z", -70, 70, 30, 4.0), ("y", -40, 50, 30, 4.0)),
    "upper_arm": (("y", -170, 60, 80, 6.0), ("x", -20, 120, 80, 6.0), ("z", -92, 92, 80, 6.0)),
    "forearm": (("y", -145, 0, 60, 6.0),),
    "hand": (("z", -92, 92, 15, 6.0), ("y", -84, 84, 15, 6.0), ("x", -84, 84, 15, 6.0)),
}
"""Axis, range [degrees], torque [N m] and speed [rad/s] per joint, of the left side, in the order of an HRP-4 (Kaneko
2011): hip yaw, roll, pitch; knee; ankle pitch, roll; waist yaw, pitch; neck yaw, pitch; shoulder pitch, roll, yaw;
elbow; wrist yaw, pitch, roll. Ranges are those of the HRP-4C's public description, widened to a person's (van Welbergen
2009, Table 2) where a climb needs more; its wrist's range holds for all three axes there. Torques are a person's, by
order of magnitude, at 75 kg."""


def hinges_of(plan: BodyPlan) -> tuple[tuple[Hinge, ...], ...]:
    """The hinges of every body's joint, shape (B,); the pelvis, which floats, has none.

    Bodies whose role is not in the table (clavicles, necks, helpers) keep one posture: they get none either. Of several
    bodies of a spine the topmost has the waist's hinges. Torques scale with mass.
    """
    strength = plan.total_mass / _REFERENCE_MASS
    roles = [role or "" for role in plan.body_roles]
    spines = [body for body, role in enumerate(roles) if role == "spine"]
    result: list[tuple[Hinge, ...]] = []
    for body, role in enumerate(roles):
        side, part = ("right", role[6:]) if role.startswith("right_") else ("left", role.removeprefix("left_"))
        rows = _TABLE.get(part, ())
        if body in spines[:-1]:
            rows = ()
        result.append(tuple(_hinge(row, side, strength) for row in rows))
    return tuple(result)


def _hinge(row: tuple[str, float, float, float, float], side: str, strength: float) -> Hinge:
    axis, lower, upper, torque, speed = row
    if side == "right" and axis != "y":
        lower, upper = -upper, -lower
    return Hinge(axis, float(np.radians(lower)), float(np.radians(upper)), torque * strength, speed)
