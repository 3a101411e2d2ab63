"""What the numbers of `poise.metrics` are called where people read them, and in which unit they are shown."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["FIRST", "Name", "digits", "explain_metric", "name_metric", "rounded", "spoken_role"]

_UNITS = (
    ("_kg_m2_s", "kg m²/s", 1.0),
    ("_n2_m2_s", "N² m² s", 1.0),
    ("_kg_m_s", "kg m/s", 1.0),
    ("_m_s3", "m/s³", 1.0),
    ("_m_s2", "m/s²", 1.0),
    ("_m_s", "cm/s", 100.0),
    ("_n_s", "N s", 1.0),
    ("_percent", "%", 1.0),
    ("_deg", "°", 1.0),
    ("_mm", "mm", 1.0),
    ("_m", "cm", 100.0),
    ("_j", "J", 1.0),
    ("_n", "N", 1.0),
    ("_s", "s", 1.0),
)
"""Ends of keys, what they mean and the factor to what is shown; longest first."""

_GROUPS = {
    "feet": "Feet",
    "balance": "Balance",
    "smoothness": "Smoothness",
    "penetration": "Body in body",
    "limits": "Joint limits",
    "energy": "Energy",
}
FIRST = {
    "feet.weighted_skate_m_s": "Foot skate, weighted by height",
    "feet.stance_speed_m_s": "Speed of standing feet",
    "feet.skating_ratio": "Frames that skate",
    "feet.penetration_max_mm": "Ground penetration, worst",
    "feet.floating_mean_mm": "Floating, mean",
    "balance.com_margin_mean_m": "Center of mass margin, mean",
    "balance.com_margin_min_m": "Center of mass margin, least",
    "smoothness.joint_jerk_mean_m_s3": "Joint jerk, mean",
    "smoothness.joint_jerk_max_m_s3": "Joint jerk, largest",
    "smoothness.root_jerk_mean_m_s3": "Root jerk, mean",
    "penetration.max_mm": "Body in body, worst",
    "limits.max_deg": "Beyond joint limits, worst",
    "limits.frames_percent": "Frames beyond joint limits",
}
"""What a reader sees first, by path."""
_NAMES = {
    **FIRST,
    "feet.weighted_skate_m": "Foot skate, weighted by height, in all",
    "feet.penetrating_skate_mm": "Foot skate in the ground",
    "feet.penetration_mean_mm": "Ground penetration, mean",
    "feet.penetration_frames_percent": "Frames with feet in the ground",
    "feet.floating_max_mm": "Floating, worst",
    "feet.floating_frames_percent": "Frames that float",
    "smoothness.root_jerk_p95_m_s3": "Root jerk, 95th percentile",
    "smoothness.root_jerk_max_m_s3": "Root jerk, largest",
    "smoothness.joint_jerk_p95_m_s3": "Joint jerk, 95th percentile",
    "energy.kinetic_mean_j": "Kinetic energy, mean",
    "energy.kinetic_max_j": "Kinetic energy, largest",
    "energy.total_change_j": "Energy, change from beginning to end",
    "energy.total_range_j": "Energy, between least and largest",
    "energy.momentum_max_kg_m_s": "Momentum, largest",
    "energy.angular_momentum_max_kg_m2_s": "Angular momentum, largest",
    "balance.supported_percent": "Frames with a foot on the ground",
    "balance.com_margin_outside_percent": "Frames with the center of mass outside the support",
    "balance.extrapolated_com_margin_mean_m": "Margin of where the center of mass goes, mean",
    "balance.extrapolated_com_margin_min_m": "Margin of where the center of mass goes, least",
    "balance.extrapolated_com_margin_outside_percent": "Frames with where it goes outside the support",
    "penetration.mean_mm": "Body in body, mean",
    "penetration.frames_percent": "Frames with body in body",
    "tracking.position_global_mean_mm": "Joint position, mean",
    "tracking.position_root_relative_mean_mm": "Joint position relative to the pelvis, mean",
    "tracking.position_max_mm": "Joint position, worst",
    "tracking.angle_mean_deg": "Joint angle, mean",
    "tracking.angle_max_deg": "Joint angle, worst",
    "tracking.velocity_error_m_s": "Joint velocity, mean",
    "tracking.acceleration_error_m_s2": "Joint acceleration, mean",
}
_EXPLANATIONS = {
    "feet.weighted_skate_m_s": "How fast feet slide along the ground, counted fully at the ground, less the higher a foot is. "
    "Motion capture has 2 to 10 cm/s.",
    "feet.stance_speed_m_s": "Mean speed of soles while they stand: within 3 cm of the ground and no faster than 1.2 m/s. A "
    "planted foot has 0, captured walks have 5 to 15 cm/s.",
    "feet.skating_ratio": "Share of the frames in which a point of a sole within 5 cm of the ground is faster than 0.5 m/s. "
    "Toes that swing past count: captured walks have 20 to 30 %.",
    "feet.penetration_max_mm": "How deep a sole was below the ground at worst.",
    "feet.floating_mean_mm": "How high the lower foot was above the ground, in the mean; jumps are left out.",
    "balance.com_margin_mean_m": "How far inside the area spanned by the feet the center of mass was, in the mean; negative is "
    "outside, which walking is much of the time.",
    "balance.com_margin_min_m": "The same where it was least.",
    "smoothness.joint_jerk_mean_m_s3": "How abruptly joints change their acceleration; grows with the frame rate. A calm walk "
    "at 60 Hz has about 100.",
    "smoothness.joint_jerk_max_m_s3": "The same at its largest: a hit, or a jump in the data.",
    "smoothness.root_jerk_mean_m_s3": "The same for the hips alone.",
    "penetration.max_mm": "How deep one limb was inside another at worst, by the shapes physics knows the body by.",
    "limits.max_deg": "How far a joint was beyond what people's joints allow, at worst.",
    "limits.frames_percent": "Share of the frames in which some joint was beyond.",
    "tracking.position_global_mean_mm": "How far joints are from where the source has them, in the mean over joints and time.",
    "tracking.position_root_relative_mean_mm": "The same, measured from the hips: how much the pose differs.",
    "tracking.position_max_mm": "The largest such distance of any joint at any time.",
    "tracking.angle_mean_deg": "How far joints are turned from the source, in the mean.",
    "tracking.angle_max_deg": "The largest such angle.",
    "tracking.velocity_error_m_s": "How much the joints' speed differs, in the mean.",
    "tracking.acceleration_error_m_s2": "How much their acceleration differs, in the mean.",
}
"""What the numbers say that a reader sees first."""
_WORDS = {"com": "center of mass", "p95": "95th percentile"}


class Name(NamedTuple):
    """How a number is told: its name, the unit, and the factor to that unit from the one it is measured in."""

    label: str
    unit: str
    scale: float


def spoken_role(role: str) -> str:
    """An anatomical role, as "left_clavicle", as one would say it."""
    return role.replace("clavicle", "collarbone").replace("shank", "shin").replace("_", " ")


def name_metric(path: str) -> Name:
    """The name of a number in a report of `poise.metrics`.

    Args:
        path: Its keys, with dots between them, such as "feet.stance_speed_m_s".
    """
    group, _, key = path.rpartition(".")
    unit, scale = "", 1.0
    for end, known, factor in _UNITS:
        if key.endswith(end):
            key, unit, scale = key.removesuffix(end), known, factor
            break
    if key.endswith("_ratio"):
        unit, scale = "%", 100.0
    words = " ".join(_WORDS.get(word, word) for word in key.split("_"))
    where = _GROUPS.get(group, spoken_role(group))
    return Name(_NAMES.get(path) or (f"{where}: {words}" if where else words), unit, scale)


def digits(value: float) -> str:
    """A number for people: three digits, and nothing smaller than a hundredth."""
    if abs(value) < 5e-3:
        return "0"
    text = f"{value:.0f}" if abs(value) >= 100.0 else f"{float(f'{value:.2f}'):.3g}"
    return text.replace("-", "−")


def rounded(value: float) -> float:
    """The number that `digits` shows."""
    return float(digits(value).replace("−", "-"))


def explain_metric(path: str) -> str:
    """What a number says, in a sentence or two; nothing for one that has no explanation."""
    return _EXPLANATIONS.get(path, "")
