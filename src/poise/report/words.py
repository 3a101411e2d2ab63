"""What the numbers of `poise.metrics` are called where people read them, and in which unit they are shown."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["FIRST", "Name", "digits", "name_metric"]

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
    "balance.com_margin_mean_m": "Centre of mass margin, mean",
    "balance.com_margin_min_m": "Centre of mass margin, least",
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
    "tracking.position_global_mean_mm": "Joint position, mean",
    "tracking.position_root_relative_mean_mm": "Joint position relative to the pelvis, mean",
    "tracking.position_max_mm": "Joint position, worst",
    "tracking.angle_mean_deg": "Joint angle, mean",
    "tracking.angle_max_deg": "Joint angle, worst",
    "tracking.velocity_error_m_s": "Joint velocity, mean",
    "tracking.acceleration_error_m_s2": "Joint acceleration, mean",
}
_WORDS = {"com": "centre of mass", "p95": "95th percentile"}


class Name(NamedTuple):
    """How a number is told: its name, the unit, and the factor to that unit from the one it is measured in."""

    label: str
    unit: str
    scale: float


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
    where = _GROUPS.get(group, group.replace("_", " "))
    return Name(_NAMES.get(path) or (f"{where}: {words}" if where else words), unit, scale)


def digits(value: float) -> str:
    """A number for people: three digits, and nothing smaller than a hundredth."""
    if abs(value) < 5e-3:
        return "0"
    text = f"{value:.0f}" if abs(value) >= 100.0 else f"{float(f'{value:.2f}'):.3g}"
    return text.replace("-", "−")
