"""What happened, in a few lines for the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from rich import markup

from poise.characters.character import Character
from poise.errors import visible
from poise.report.event_intervals import EventInterval, event_intervals
from poise.report.sentences import event_sentence, pair_sentence
from poise.report.words import digits
from poise.runtime.session import Session
from poise.signals import Event, Mode
from poise.world.props import HELD

__all__ = ["summarize_run"]

_MOST = 12
_IMPOSSIBLE = 2000.0
"""Peak force [N] that no push or blow of a person reaches."""
_SHORT = 2.0
"""A clip that is over sooner [s] meets next to nothing: nothing comes before it has been seen how it moves."""


def summarize_run(name: str, session: Session, metrics: Mapping[str, Any], most: int = _MOST) -> list[str]:
    """Lines (with rich markup) about who moved, what they touched, how good it is and how fast it was.

    Args:
        name: Of what was run.
        session: After it was run.
        metrics: As `write_outputs` gives them.
        most: Contacts and events that are told at most.
    """
    run = metrics["run"]
    lines = [f"[bold]{_escape(name)}[/]: {run['simulated_s']:.1f} s of motion in {run['wall_s']:.2f} s"]
    if factor := run["real_time_factor"]:
        lines[0] += (
            f", [bold]{factor:.{0 if factor >= 10.0 else 1}f} × real time[/] ({run['median_tick_ms']:.2f} ms per tick of "
            f"{1e3 * run['tick_s']:.1f} ms)"
        )
    for label, character in session.characters.items():
        physical = int(np.sum(character.modes != Mode.MOTION))
        lines.append(
            f"  {_escape(label)}: {len(character.plan)} bodies, {physical} of them physical, "
            f"{character.plan.total_mass:.1f} kg, {character.plan.stature:.2f} m{_let_go(session, label)}"
        )
        lines += _touched(character, metrics["characters"][label], most)
        lines += _quality(metrics["characters"][label])
    happened = event_intervals(Event(**event) for event in run["events"])
    for (time, kind, subject), end in _telling(happened, most):
        lasted = "" if end is None else f" for {end - time:.2f} s"
        lines.append(f"  {time:6.2f} s  {_escape(event_sentence(kind, subject, session.characters).text)}{lasted}")
    if len(happened) > most:
        lines.append(f"  … and {_more(len(happened) - most, 'event')} in metrics.json")
    lines += [
        f"  [yellow]{_escape(ball.name)} was never thrown: its time is {ball.time:g} s[/]"
        for ball in session.waiting
        if ball.time < HELD
    ]
    return lines


def _let_go(session: Session, name: str) -> str:
    relax = session.reference(name).tension.relax
    return f"; its arms let go of {100.0 * relax:.0f} % of their load" if relax else ""


def _telling(happened: Sequence[EventInterval], most: int) -> list[EventInterval]:
    """The events that tell most, in time: rare kinds go first, so that what is seen and reached for leaves room."""
    often = Counter(event.kind for event, _ in happened)
    chosen = sorted(range(len(happened)), key=lambda n: (often[happened[n][0].kind], n))[:most]
    return [happened[n] for n in sorted(chosen)]


def _touched(character: Character, report: Mapping[str, Any], most: int) -> list[str]:
    # The links of a plant are one thing to a reader.
    met: dict[str, tuple[float, float]] = {}
    for pair, entry in report.get("contacts", {}).get("pairs", {}).items():
        sentence, (peak, impulse) = pair_sentence(pair, character), met.get(pair_sentence(pair, character), (0.0, 0.0))
        met[sentence] = (max(peak, _after(entry, "peak_n")), impulse + _after(entry, "impulse_n_s"))
    strongest = sorted(met.items(), key=lambda item: -item[1][0])
    lines = [
        f"  {_escape(sentence)}: {digits(peak)} N at most, {impulse:.2f} N s in all"
        for sentence, (peak, impulse) in strongest[:most]
    ]
    driven = [sentence for sentence, (peak, _) in strongest if peak > _IMPOSSIBLE]
    if driven:
        lines.append(
            f"  [yellow]{_escape(driven[0])} harder than a body could push: who falls hits hard, and what "
            "follows a clip or a course of its own is driven through whatever stands in its way[/]"
        )
    if not strongest:
        longer = (
            "; a cycle goes on with --cycles, in a scene file with cycles" if character.clip.duration < _SHORT else ""
        )
        lines.append(f"  nothing was touched{longer}")
    if len(strongest) > most:
        lines.append(f"  … and {_more(len(strongest) - most, 'contact')} in metrics.json")
    return lines


def _more(count: int, what: str) -> str:
    return f"{count} more {what}{'s' if count != 1 else ''}"


def _after(entry: Mapping[str, Any], key: str) -> float:
    value = entry.get(key, 0.0)
    number = value.get("after") if isinstance(value, Mapping) else value
    return float(number or 0.0)


def _quality(report: Mapping[str, Any]) -> list[str]:
    shown = (
        ("foot skate, weighted by height", "feet", "weighted_skate_m_s", 100.0, "cm/s"),
        ("ground penetration, worst", "feet", "penetration_max_mm", 1.0, "mm"),
        ("joint jerk, mean", "smoothness", "joint_jerk_mean_m_s3", 1.0, "m/s³"),
    )
    lines = []
    for title, group, key, scale, unit in shown:
        entry = report.get(group, {}).get(key)
        if isinstance(entry, Mapping) and entry.get("after") is not None:
            before = "–" if entry.get("before") is None else f"{scale * entry['before']:.1f}"
            lines.append(f"  {title}: {before} → {scale * entry['after']:.1f} {unit}")
    return lines


def _escape(text: str) -> str:
    """The text without anything that is markup to rich, or does something to a terminal."""
    return markup.escape(visible(text))
