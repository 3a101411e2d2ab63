"""Quality before and after as a table: what got better is green, what got worse is red."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any, NamedTuple

from poise.characters.character import Character
from poise.report.difference import clearly_differ
from poise.report.sentences import pair_sentence
from poise.report.words import FIRST, digits, explain_metric, name_metric, rounded

__all__ = ["contact_table", "quality_table", "tracking_table"]

_LESS_IS_BETTER = ("feet", "smoothness", "penetration", "limits")
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
    first = [rows[path] for path in FIRST if path in rows]
    rest = [row for path, row in rows.items() if path not in FIRST]
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
        label, unit, scale = name_metric(f"tracking.{key}")
        reason = report.get("reasons", {}).get(f"tracking.{key}", "")
        name = _explained(f"tracking.{key}", label)
        rows += f"<tr><th>{name}</th><td{_hint(value, reason)}>{_shown(value, unit, scale)}</td></tr>"
    return f'<table class="numbers"><caption>{escape(title)}</caption>{rows}</table>' if rows else ""


def contact_table(report: Mapping[str, Any], character: Character) -> str:
    """What a character touched, strongest first."""
    pairs = report.get("contacts", {}).get("pairs", {})
    rows = ""
    for name, entry in sorted(pairs.items(), key=lambda item: (-(_after(item[1], "peak_n") or 0.0), item[0])):
        first = _after(entry, "first_s")
        jump = "" if first is None else f' data-time="{first:.4f}"'
        rows += (
            f'<tr><th><button class="link"{jump}>{escape(pair_sentence(name, character))}</button></th>'
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
        label, unit, scale = name_metric(path)
        scaled = [None if value is None else scale * value for value in (entry["before"], entry["after"])]
        yield Row(
            path=path,
            label=label,
            unit=unit,
            before=scaled[0],
            after=scaled[1],
            verdict=_verdict(path, entry["before"], entry["after"], scale),
        )


def _verdict(path: str, before: float | None, after: float | None, scale: float) -> str:
    """Class of the row: better, worse, same, or nothing where the difference is small or more is neither."""
    group = path.partition(".")[0]
    if before is None or after is None:
        return ""
    # By the numbers that are shown, or a reader would see two equal ones called better.
    one, two = rounded(scale * before), rounded(scale * after)
    if abs(two - one) <= max(_SAME * max(abs(one), abs(two)), _NOTHING):
        return "same"
    if not clearly_differ(path, before, after):
        return ""
    if group in _LESS_IS_BETTER or path.endswith("outside_percent"):
        return "better" if after < before else "worse"
    if group == "balance":
        return "better" if after > before else "worse"
    return ""


def _row(row: Row, reasons: Mapping[str, str]) -> str:
    change = None if row.before is None or row.after is None else row.after - row.before
    sign = "+" if change is not None and change > 0.0 else ""
    shown_change = "" if change is None else "±0" if row.verdict == "same" else f"{sign}{digits(change)}"
    cells = "".join(
        f"<td{_hint(value, reasons.get(f'{row.path}.{side}', ''))}>{_shown(value, row.unit, 1.0)}</td>"
        for side, value in (("before", row.before), ("after", row.after))
    )
    name = _explained(row.path, row.label)
    return f'<tr class="{row.verdict}"><th>{name}</th>{cells}<td>{shown_change}</td><td>{row.verdict}</td></tr>'


def _explained(path: str, label: str) -> str:
    """The label; where there is something to say about the number, it opens."""
    words = explain_metric(path)
    if not words:
        return escape(label)
    return f'<details class="why"><summary>{escape(label)}</summary>{escape(words)}</details>'


def _hint(value: float | None, reason: str) -> str:
    return f' title="{escape(reason, quote=True)}"' if value is None and reason else ""


def _shown(value: float | None, unit: str, scale: float) -> str:
    return "–" if value is None else f"{digits(scale * value)} {unit}".strip()
