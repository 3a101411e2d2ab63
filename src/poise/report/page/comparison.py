"""Two motions on one page: numbers, charts in the same axes, and a replay of both beside one another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from pathlib import Path, PurePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.io.files import write_bytes
from poise.report.motion_comparison import COMMON_RATE, Differences, Side, joint_differences
from poise.report.page.comparison_view import replay_of_two
from poise.report.page.frame import fill_page
from poise.report.page.series import Course, course_of
from poise.report.page.svg import Line, chart
from poise.report.page.table import quality_table, tracking_table

__all__ = ["comparison_html", "write_comparison"]

Array = NDArray[np.float64]

_STYLES = ("s1", "s0")
"""Classes of the first and the second motion in the charts."""
_MOST_LINES = 6
_MARGIN = "Inside the feet's support polygon it is positive; walking falls out of it at every step."
_SKATE = "How fast soles slide: counted fully at the ground, less the higher they are, not at all from 2.5 cm on."
_JERK = f"Mean over the joints, both motions taken at {COMMON_RATE:g} Hz: jerk grows with the frame rate."
_PLACES = "Relative to the pelvis, both facing the same way at the start."


def comparison_html(first: Side, second: Side, report: Mapping[str, Any]) -> str:
    """A page about two motions that loads nothing.

    Args:
        first: A motion.
        second: Another.
        report: Their numbers, by `poise.report.motion_comparison.compare_sides`; with the lines of `verdict` as "verdict".
    """
    sides, names = (first, second), (first.name, second.name)
    end = max(side.common.duration for side in sides)
    tags = "".join(
        f'<span class="tag {style}" data-figure="{number}">{escape(name)}</span>'
        for number, (name, style) in enumerate(zip(names, _STYLES, strict=True))
    )
    apart = joint_differences(first, second)
    return fill_page(
        "compare.html",
        replay_of_two(first, second),
        end=end,
        followed=(0, 1),
        title=f"{escape(first.name)} and {escape(second.name)}",
        subtitle=escape(" · ".join(f"{side.common.duration:.1f} s at {side.clip.rate:g} Hz" for side in sides)),
        tags=tags,
        quality=_quality(report, names),
        plots="".join([*_courses(sides, end), *_differences(apart, end)]),
        joints=_joint_table(report, apart, names),
        facts="".join(_facts(side, style) for side, style in zip(sides, _STYLES, strict=True)),
    )


def write_comparison(path: str | Path, first: Side, second: Side, report: Mapping[str, Any]) -> None:
    """Write the page that `comparison_html` makes, usually to `compare.html`.

    Raises:
        InputError: The file cannot be written.
    """
    write_bytes(Path(path), comparison_html(first, second, report).encode("utf-8", "replace"))


def _quality(report: Mapping[str, Any], names: tuple[str, str]) -> str:
    beside = tracking_table(report, f"How far {names[1]} is from {names[0]}")
    why = next((text for key, text in report.get("reasons", {}).items() if key.startswith("tracking")), "")
    if why:
        beside = f"<p>No tracking errors: {escape(str(why))}.</p>"
    lines = "".join(f'<p class="verdict">{escape(line)}</p>' for line in report.get("verdict", []))
    return f'{lines}<div class="columns"><div>{quality_table(report, names)}</div><div>{beside}</div></div>'


def _courses(sides: tuple[Side, Side], end: float) -> list[str]:
    own = [course_of(side.plan, side.clip, side.floor) for side in sides]
    common = [course_of(side.plan, side.common, side.floor) for side in sides]

    def lines(courses: list[Course], pick: Callable[[Course], Array], scale: float = 1.0) -> list[Line]:
        return [
            Line(side.name, course.times, scale * pick(course), style)
            for side, course, style in zip(sides, courses, _STYLES, strict=True)
        ]

    return [
        chart("Horizontal speed of the hips", "m/s", lines(own, lambda each: each.speed), end),
        chart("Height of the center of mass", "cm", lines(own, lambda each: each.height, 100.0), end, floor=None),
        chart(
            "Center of mass margin",
            "cm",
            lines(own, lambda each: each.margin, 100.0),
            end,
            level=(0.0, "edge of the support"),
            note=_MARGIN,
        ),
        chart("Foot skate", "cm/s", lines(own, lambda each: each.skate, 100.0), end, note=_SKATE),
        chart("Jerk of the joints", "m/s³", lines(common, lambda each: each.jerk), end, note=_JERK),
    ]


def _differences(apart: Differences, end: float) -> list[str]:
    """The joints that differ most, in place and in rotation."""
    if not apart.names:
        return []
    return [
        chart("Distance between the same joints", "cm", _worst(apart, 100.0 * apart.distances), end, note=_PLACES),
        chart("Angle between the same joints", "°", _worst(apart, np.degrees(apart.angles)), end),
    ]


def _worst(apart: Differences, values: Array) -> list[Line]:
    order = np.argsort(-values.mean(axis=0), kind="stable")[:_MOST_LINES]
    return [Line(apart.names[j], apart.times, values[:, j], f"s{k + 2}") for k, j in enumerate(order)]


def _joint_table(report: Mapping[str, Any], apart: Differences, names: tuple[str, str]) -> str:
    alone = "".join(
        f"<p>Only in {escape(name)}: {escape(', '.join(joints))}.</p>"
        for name, joints in zip(names, apart.alone, strict=True)
        if joints
    )
    if not apart.names:
        return f"<p>No joint has the same name in both, so none can be compared one by one.</p>{alone}"
    rows = "".join(
        f"<tr><th>{escape(name)}</th><td>{0.1 * entry['position_mean_mm']:.1f}</td><td>{0.1 * entry['position_max_mm']:.1f}"
        f"</td><td>{entry['angle_mean_deg']:.1f}</td><td>{entry['angle_max_deg']:.1f}</td></tr>"
        for name, entry in report["joints"].items()
    )
    head = "<tr><th></th><th>mean, cm</th><th>worst, cm</th><th>mean, °</th><th>worst, °</th></tr>"
    last = f"over the {apart.times[-1]:.1f} s that both last"
    table = f'<table class="numbers"><caption>Joints of the same name, {last}</caption>{head}{rows}</table>'
    return f"<details><summary>Difference of each joint ({len(apart.names)})</summary>{table}{alone}</details>"


def _facts(side: Side, style: str) -> str:
    clip, plan = side.clip, side.plan
    facts = [
        ("file", PurePath(clip.source.path).name or clip.name),
        ("motion", f"{len(clip)} frames at {clip.rate:g} Hz, {clip.duration:.2f} s"),
        ("skeleton", f"{len(plan.skeleton)} joints"),
        ("body", f"{len(plan)} bodies, {plan.total_mass:.1f} kg, {plan.stature:.2f} m"),
        ("skin", "mannequin" if side.mesh is None else "its own"),
    ]
    rows = "".join(f"<dt>{name}</dt><dd>{escape(value)}</dd>" for name, value in facts)
    notes = "".join(f"<li>{escape(note)}</li>" for note in clip.source.notes)
    listed = f"<ul>{notes}</ul>" if notes else ""
    return f'<section class="card"><h3 class="key {style}">{escape(side.name)}</h3><dl>{rows}</dl>{listed}</section>'
