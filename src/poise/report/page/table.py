"""Quality before and after as a table: what got better is green, what got worse is red."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any, NamedTuple

__all__ = ["contact_table", "quality_table", "tracking_table"]

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
_LESS_IS_BETTER = ("feet", "smoothness", "penetration", "limits")
_SHOWN = {
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
"""What a reader sees first; everything else is folded away."""
_TRACKING = {
    "position_global_mean_mm": "Joint position, mean",
    "position_root_relative_mean_mm": "Joint position relative to the pelvis, mean",
    "position_max_mm": "Joint position, worst",
    "angle_mean_deg": "Joint angle, mean",
    "angle_max_deg": "Joint angle, worst",
    "velocity_error_m_s": "Joint velocity, mean",
    "acceleration_error_m_s2": "Joint acceleration, mean",
}
_SAME, _NOTHING = 0.01, 0.05
"""Smaller changes, as a share of the larger value or in the unit shown, are no change."""


class Row(NamedTuple):
    """One number before and after."""

    path: str
    label: str
    unit: str
    before: float | None
    after: float | None
    verdict: str


def quality_table(report: Mapping[str, Any], names: tuple[str, str] = ("source", "result")) -> str:
    """The table of a report by `poise.metrics.compare`; all that is not shown at once is folded away.

    Args:
        report: The numbers.
        names: What the two sides are called.
    """
    rows = {row.path: row for row in _rows(report)}
    reasons = report.get("reasons", {})
    first = [rows[path] for path in _SHOWN if path in rows]
    rest = [row for path, row in rows.items() if path not in _SHOWN]
    if not rows:
        return "<p>Nothing was measured.</p>"
    first_name, second_name = (escape(name) for name in names)
    head = f"<tr><th></th><th>{first_name}</th><th>{second_name}</th><th>change</th><th></th></tr>"
    body = "".join(_row(row, reasons) for row in first)
    more = "".join(_row(row, reasons) for row in rest)
    folded = f'<details><summary>All other numbers ({len(rest)})</summary><table class="quality">{head}{more}</table></details>'
    return f'<table class="quality">{head}{body}</table>' + (folded if rest else "")


def tracking_table(report: Mapping[str, Any], title: str = "How far the result is from the source") -> str:
    """How closely one motion follows the other."""
    rows = ""
    for key, value in report.get("tracking", {}).items():
        if key == "position_success":
            continue
        label, unit, scale = _named(key)
        reason = report.get("reasons", {}).get(f"tracking.{key}", "")
        label = _TRACKING.get(key, label)
        rows += f"<tr><th>{escape(label)}</th><td{_hint(value, reason)}>{_shown(value, unit, scale)}</td></tr>"
    return f'<table class="numbers"><caption>{escape(title)}</caption>{rows}</table>' if rows else ""


def contact_table(report: Mapping[str, Any]) -> str:
    """What was touched, strongest first."""
    pairs = report.get("contacts", {}).get("pairs", {})
    rows = ""
    for name, entry in sorted(pairs.items(), key=lambda item: (-(_after(item[1], "peak_n") or 0.0), item[0])):
        first = _after(entry, "first_s")
        jump = "" if first is None else f' data-time="{first:.4f}"'
        rows += (
            f'<tr><th><button class="link"{jump}>{escape(name.replace(" | ", " × "))}</button></th>'
            f"<td>{_shown(_after(entry, 'peak_n'), 'N', 1.0)}</td>"
            f"<td>{_shown(_after(entry, 'impulse_n_s'), 'N s', 1.0)}</td>"
            f"<td>{_shown(_after(entry, 'hits'), '', 1.0)}</td><td>{_shown(first, 's', 1.0)}</td></tr>"
        )
    if not rows:
        return ""
    head = "<tr><th></th><th>peak force</th><th>impulse</th><th>hits</th><th>first at</th></tr>"
    return f'<table class="numbers"><caption>What was touched</caption>{head}{rows}</table>'


def _after(entry: Mapping[str, Any], key: str) -> float | None:
    value = entry.get(key)
    value = value.get("after") if isinstance(value, Mapping) else value
    return None if value is None else float(value)


def _leaves(report: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    for key, value in report.items():
        if not isinstance(value, Mapping) or key in ("reasons", "tracking", "pairs", "joints", "unmatched"):
            continue
        if {"before", "after"} <= set(value):
            yield f"{path}{key}", value
        else:
            yield from _leaves(value, f"{path}{key}.")


def _rows(report: Mapping[str, Any]) -> Iterator[Row]:
    for path, entry in _leaves(report):
        group, _, key = path.rpartition(".")
        label, unit, scale = _named(key)
        before, after = entry["before"], entry["after"]
        if key == "skating_ratio":
            unit, scale = "%", 100.0
        scaled = [None if value is None else scale * value for value in (before, after)]
        yield Row(
            path=path,
            label=_SHOWN.get(path) or f"{_GROUPS.get(group, group.replace('_', ' '))}: {label}",
            unit=unit,
            before=scaled[0],
            after=scaled[1],
            verdict=_verdict(path, *scaled),
        )


def _verdict(path: str, before: float | None, after: float | None) -> str:
    """Class of the row: better, worse, same, or nothing where more is neither."""
    group = path.partition(".")[0]
    if before is None or after is None:
        return ""
    if abs(after - before) <= max(_SAME * max(abs(before), abs(after)), _NOTHING):
        return "same"
    if group in _LESS_IS_BETTER or path.endswith("outside_percent"):
        return "better" if after < before else "worse"
    if group == "balance":
        return "better" if after > before else "worse"
    return ""


def _named(key: str) -> tuple[str, str, float]:
    """Words, unit and factor of a key."""
    for end, unit, scale in _UNITS:
        if key.endswith(end):
            return key.removesuffix(end).replace("_", " "), unit, scale
    return key.replace("_", " "), "", 1.0


def _row(row: Row, reasons: Mapping[str, str]) -> str:
    change = None if row.before is None or row.after is None else row.after - row.before
    sign = "+" if change is not None and change > 0.0 else ""
    told = "" if change is None else "±0" if row.verdict == "same" else f"{sign}{_digits(change)}"
    cells = "".join(
        f"<td{_hint(value, reasons.get(f'{row.path}.{side}', ''))}>{_shown(value, row.unit, 1.0)}</td>"
        for side, value in (("before", row.before), ("after", row.after))
    )
    return f'<tr class="{row.verdict}"><th>{escape(row.label)}</th>{cells}<td>{told}</td><td>{row.verdict}</td></tr>'


def _hint(value: float | None, reason: str) -> str:
    return f' title="{escape(reason, quote=True)}"' if value is None and reason else ""


def _shown(value: float | None, unit: str, scale: float) -> str:
    return "–" if value is None else f"{_digits(scale * value)} {unit}".strip()


def _digits(value: float) -> str:
    """Three digits, and nothing smaller than a hundredth."""
    if abs(value) < 5e-3:
        return "0"
    text = f"{value:.0f}" if abs(value) >= 100.0 else f"{float(f'{value:.2f}'):.3g}"
    return text.replace("-", "−")
