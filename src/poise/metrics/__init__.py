"""How good a motion is: pure functions on arrays, one file per kind of question.

`measure` says all there is to say about one `Motion` and `compare` sets two side by side, as nested dicts of plain
numbers ready for JSON. The functions behind them can be called alone: feet, smoothness, joint limits, penetration,
tracking, balance, contacts, energy. Measure the source clip and the output, and judge the difference: captured motion
itself skates, sinks and jitters, so zero is not the goal.

Frames are axis 0, joints, points and bodies axis 1; Z is up; SI units unless a name ends in another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from poise.lazy import lazy_names

if TYPE_CHECKING:
    from poise.metrics.balance import (
        SupportMargin,
        centre_of_mass,
        extrapolated_centre_of_mass,
        margin_summary,
        support_margin,
        support_polygon,
    )
    from poise.metrics.bodies import Bodies
    from poise.metrics.contacts import ContactLog, ContactSummary, contact_summary
    from poise.metrics.energy import (
        angular_momentum,
        cost_of_transport,
        kinetic_energy,
        linear_momentum,
        mechanical_work,
        potential_energy,
        torque_squared,
        total_energy,
    )
    from poise.metrics.feet import (
        Floating,
        GroundPenetration,
        floating,
        foot_contacts,
        ground_penetration,
        heights,
        penetrating_skate,
        skating_ratio,
        stance_speed,
        weighted_skate,
        weighted_steps,
    )
    from poise.metrics.ground_forces import GroundReaction, ground_reaction
    from poise.metrics.hands import arrival_ratio, arrival_speeds, jerk_ratio, reversals
    from poise.metrics.joints import acceleration_ratio, angular_accelerations, near
    from poise.metrics.limits import JointAngles, LimitViolation, limit_violation, violation
    from poise.metrics.motion import Motion
    from poise.metrics.penetration import (
        Penetration,
        capsule_penetration,
        pair_penetration,
        penetration_summary,
        segment_distance,
    )
    from poise.metrics.smoothness import Jerk, acceleration_error, jerk, jerk_summary, velocity_error
    from poise.metrics.summary import Report, compare, measure
    from poise.metrics.tracking import (
        AngleError,
        PositionError,
        angle_error,
        joint_angle_error,
        joint_position_error,
        position_error,
    )
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "poise.metrics.balance": (
                "SupportMargin",
                "centre_of_mass",
                "extrapolated_centre_of_mass",
                "margin_summary",
                "support_margin",
                "support_polygon",
            ),
            "poise.metrics.bodies": ("Bodies",),
            "poise.metrics.contacts": ("ContactLog", "ContactSummary", "contact_summary"),
            "poise.metrics.energy": (
                "angular_momentum",
                "cost_of_transport",
                "kinetic_energy",
                "linear_momentum",
                "mechanical_work",
                "potential_energy",
                "torque_squared",
                "total_energy",
            ),
            "poise.metrics.feet": (
                "Floating",
                "GroundPenetration",
                "floating",
                "foot_contacts",
                "ground_penetration",
                "heights",
                "penetrating_skate",
                "skating_ratio",
                "stance_speed",
                "weighted_skate",
                "weighted_steps",
            ),
            "poise.metrics.ground_forces": ("GroundReaction", "ground_reaction"),
            "poise.metrics.hands": ("arrival_ratio", "arrival_speeds", "jerk_ratio", "reversals"),
            "poise.metrics.joints": ("acceleration_ratio", "angular_accelerations", "near"),
            "poise.metrics.limits": ("JointAngles", "LimitViolation", "limit_violation", "violation"),
            "poise.metrics.motion": ("Motion",),
            "poise.metrics.penetration": (
                "Penetration",
                "capsule_penetration",
                "pair_penetration",
                "penetration_summary",
                "segment_distance",
            ),
            "poise.metrics.smoothness": ("Jerk", "acceleration_error", "jerk", "jerk_summary", "velocity_error"),
            "poise.metrics.summary": ("Report", "compare", "measure"),
            "poise.metrics.tracking": (
                "AngleError",
                "PositionError",
                "angle_error",
                "joint_angle_error",
                "joint_position_error",
                "position_error",
            ),
        },
    )

__all__ = [
    "AngleError",
    "Bodies",
    "ContactLog",
    "ContactSummary",
    "Floating",
    "GroundPenetration",
    "GroundReaction",
    "Jerk",
    "JointAngles",
    "LimitViolation",
    "Motion",
    "Penetration",
    "PositionError",
    "Report",
    "SupportMargin",
    "acceleration_error",
    "acceleration_ratio",
    "angle_error",
    "angular_accelerations",
    "angular_momentum",
    "arrival_ratio",
    "arrival_speeds",
    "capsule_penetration",
    "centre_of_mass",
    "compare",
    "contact_summary",
    "cost_of_transport",
    "extrapolated_centre_of_mass",
    "floating",
    "foot_contacts",
    "ground_penetration",
    "ground_reaction",
    "heights",
    "jerk",
    "jerk_ratio",
    "jerk_summary",
    "joint_angle_error",
    "joint_position_error",
    "kinetic_energy",
    "limit_violation",
    "linear_momentum",
    "margin_summary",
    "measure",
    "mechanical_work",
    "near",
    "pair_penetration",
    "penetrating_skate",
    "penetration_summary",
    "position_error",
    "potential_energy",
    "reversals",
    "segment_distance",
    "skating_ratio",
    "stance_speed",
    "support_margin",
    "support_polygon",
    "torque_squared",
    "total_energy",
    "velocity_error",
    "violation",
    "weighted_skate",
    "weighted_steps",
]
