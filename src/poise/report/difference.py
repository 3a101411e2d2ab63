"""When two numbers of a report differ clearly, so that table and verdict say the same."""

from __future__ import annotations

from poise.report.words import name_metric, rounded

__all__ = ["clearly_differ"]

_LEAST = {
    "feet.weighted_skate_m_s": 0.005,
    "feet.penetration_max_mm": 5.0,
    "feet.floating_mean_mm": 50.0,
    "penetration.max_mm": 10.0,
    "limits.max_deg": 3.0,
    "limits.frames_percent": 1.0,
    "smoothness.joint_jerk_mean_m_s3": 20.0,
}
"""Least clear difference, by path and in the unit of its key; of the others only the share counts."""
_SHARE = 0.15
"""Least clear difference as a share of the larger number."""


def clearly_differ(path: str, one: float, two: float) -> bool:
    """Whether two values of the number at `path` differ clearly; those that are shown decide.

    Args:
        path: As of `poise.report.words.name_metric`.
        one: A value, in the unit of the path's key.
        two: Another.
    """
    scale = name_metric(path).scale
    first, second = rounded(scale * one), rounded(scale * two)
    return abs(second - first) > max(scale * _LEAST.get(path, 0.0), _SHARE * max(abs(first), abs(second)))
