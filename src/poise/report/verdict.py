"""Which of two motions is the better one, in a line or two."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from poise.report.difference import clearly_differ
from poise.report.motion_comparison import Side
from poise.report.words import digits, name_metric

__all__ = ["verdict"]


class _Fault(NamedTuple):
    """A number of which less is better: what who has less of it does, and what it is called."""

    path: str
    better: str
    title: str


_JERK = "smoothness.joint_jerk_mean_m_s3"
_FAULTS = (
    _Fault("feet.weighted_skate_m_s", "skates less", "foot skate"),
    _Fault("feet.penetration_max_mm", "sinks less into the ground", "ground penetration"),
    _Fault("feet.floating_mean_mm", "floats less", "floating"),
    _Fault("penetration.max_mm", "cuts less into itself", "body in body"),
    _Fault("limits.max_deg", "keeps better to the limits of its joints", "joint limits"),
    _Fault(_JERK, "is smoother", "smoothness"),
)
_SAME = 1.0
"""Joints that are never farther apart are in the same place [mm]."""


def verdict(first: Side, second: Side, report: Mapping[str, Any]) -> list[str]:
    """Which motion does what better, where there is a clear difference, and how far they are apart.

    Args:
        first: A motion.
        second: Another.
        report: Their numbers, by `poise.report.motion_comparison.compare_sides`.
    """
    praise: dict[str, list[str]] = {first.name: [], second.name: []}
    alike = []
    for fault in _FAULTS:
        group, _, key = fault.path.partition(".")
        entry = report.get(group, {}).get(key, {})
        one, two = entry.get("before"), entry.get("after")
        # Jerk grows with the frame rate.
        if one is None or two is None or (fault.path == _JERK and first.clip.rate != second.clip.rate):
            continue
        _, unit, scale = name_metric(fault.path)
        if not clearly_differ(fault.path, one, two):
            alike.append(fault.title)
            continue
        one, two = scale * one, scale * two
        numbers = f"{digits(min(one, two))} against {digits(max(one, two))} {unit}"
        praise[first.name if one < two else second.name].append(f"{fault.better} ({numbers})")
    praises = [f"{name} {', '.join(better)}" for name, better in praise.items() if better]
    if alike:
        praises.append(f"no clear difference in {', '.join(alike)}")
    return ["; ".join(praises), *_apart(first, second, report)] if praises else _apart(first, second, report)


def _apart(first: Side, second: Side, report: Mapping[str, Any]) -> list[str]:
    """How far the second is from the first, where that can be measured."""
    mean, worst = (report["tracking"].get(f"position_{which}_mm") for which in ("global_mean", "max"))
    if mean is None or worst is None:
        return []
    if worst <= _SAME:
        return [f"{second.name} is where {first.name} is, to {digits(worst)} mm"]
    return [
        f"{second.name} is {digits(0.1 * mean)} cm from {first.name} in the mean, {digits(0.1 * worst)} cm at worst"
    ]
