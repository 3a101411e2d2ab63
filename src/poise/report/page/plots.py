"""The charts of a report."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
from numpy.typing import NDArray

from poise.motion.edit import trim
from poise.report.contact_summary import GROUND, body_label
from poise.report.page.series import course_of
from poise.report.page.svg import Line, Stems, chart
from poise.report.quality import ground_of
from poise.report.sentences import plain_name
from poise.runtime import Session
from poise.signals import Mode

__all__ = ["character_plots", "muscle_table"]

Array = NDArray[np.float64]

_MOST_LINES = 8


def character_plots(session: Session, name: str, end: float) -> list[str]:
    """Charts about one character, up to `end` [s]."""
    character = session.characters[name]
    result = session.result(name)
    skipped = character.prepared.skipped
    floor = ground_of(session, character)
    before = course_of(character.plan, trim(character.prepared.source, skipped, len(result)), floor)
    after = course_of(character.plan, trim(result, skipped, len(result)), floor)
    wanted = trim(character.clip, 0, len(result) - skipped)
    away = np.linalg.norm(after.bodies - course_of(character.plan, wanted, floor).bodies, axis=2)

    def pair(values: tuple[Array, Array], scale: float = 1.0) -> list[Line]:
        return [
            Line("result", after.times, scale * values[1], "after"),
            Line("source", before.times, scale * values[0], "before"),
        ]

    return [
        chart("Distance from the source, by joint", "cm", _away(session, name, after.times, away), end),
        chart("Contact impulse", "N s per tick", _impulses(session, name), end, note=_IMPULSE_NOTE),
        chart("Muscle torque, by joint", "N m", _torques(session, name), end),
        chart("Horizontal speed of the pelvis", "m/s", pair((before.speed, after.speed)), end),
        chart(
            "Center of mass margin",
            "cm",
            pair((before.margin, after.margin), 100.0),
            end,
            level=(0.0, "edge of the support"),
            note="Inside the feet's support polygon it is positive; walking falls out of it at every step.",
        ),
        chart(
            "Foot skate",
            "cm/s",
            pair((before.skate, after.skate), 100.0),
            end,
            note="How fast soles slide: counted fully at the ground, less the higher they are, not at all from 2.5 cm on.",
        ),
    ]


_IMPULSE_NOTE = "Normal impulse on the character from everything but the ground and itself."


def _strongest(labels: Sequence[str], values: Array) -> list[tuple[str, Array]]:
    """The columns of values (T, n) with the highest peaks, highest first."""
    peaks = np.max(np.abs(values), axis=0, initial=0.0)
    order = [int(i) for i in np.argsort(-peaks, kind="stable") if peaks[i] > 1e-6]
    return [(labels[i], values[:, i]) for i in order[:_MOST_LINES]]


def _away(session: Session, name: str, times: Array, away: Array) -> list[Line]:
    character = session.characters[name]
    physical = [int(body) for body in np.flatnonzero(character.modes != Mode.MOTION)] or list(
        range(len(character.plan))
    )
    labels = [body_label(character, character.plan.names[body]) for body in physical]
    shown = _strongest(labels, 100.0 * away[:, physical])
    return [Line(label, times, values, f"s{k}") for k, (label, values) in enumerate(shown)]


def _torques(session: Session, name: str) -> list[Line]:
    recording, character = session.recording(), session.characters[name]
    physical = [int(body) for body in np.flatnonzero(character.modes == Mode.TORQUE) if body]
    labels = [body_label(character, character.plan.names[body]) for body in physical]
    sizes = _torque_sizes(session, name)[:, [body - 1 for body in physical]]
    shown = _strongest(labels, sizes)
    return [Line(label, recording.times[1:], values, f"s{k}") for k, (label, values) in enumerate(shown)]


def _torque_sizes(session: Session, name: str) -> Array:
    """Size of each joint's torque at the end of each tick [N m], shape (N, B-1)."""
    recording, layout = session.recording(), session.world.layout(name)
    torques = recording.torques[:, layout.velocities][:, 6:]
    return np.asarray(np.linalg.norm(torques.reshape(len(recording), -1, 3), axis=2))


def _impulses(session: Session, name: str) -> list[Stems]:
    """Impulse per tick from each thing, summed over the character's bodies."""
    recording = session.recording()
    table, prefix = recording.contacts, f"{name}/"
    sums: dict[str, Array] = {}
    for row in range(len(table.tick)):
        names = [recording.geom_names[geom] for geom in table.pairs[row]]
        others = [each for each in names if not each.startswith(prefix)]
        if len(others) != 1 or others[0] == GROUND:
            continue
        thing = others[0].partition("/")[0]
        sums.setdefault(thing, np.zeros(len(recording)))[table.tick[row]] += table.impulse[row]
    if not sums:
        return []
    shown = _strongest(list(sums), np.stack(list(sums.values()), axis=1))
    return [
        Stems(plain_name(label), recording.times[1:][values > 0.0], values[values > 0.0], f"s{k}")
        for k, (label, values) in enumerate(shown)
    ]


def muscle_table(session: Session, name: str) -> str:
    """Tension, strength and use of each joint with muscles."""
    character = session.characters[name]
    reference = session.reference(name)
    gains, sizes = reference.tension.gains(reference.inertias), _torque_sizes(session, name)
    rows = ""
    for body in np.flatnonzero(character.modes == Mode.TORQUE):
        joint = int(body) - 1
        if joint < 0:
            continue
        peak, limit = float(sizes[:, joint].max()), float(character.plan.strengths[body])
        used = 100.0 * peak / limit if np.isfinite(limit) and limit > 0.0 else 0.0
        rows += (
            f"<tr><th>{escape(body_label(character, character.plan.names[body]))}</th>"
            f"<td>{gains.stiffness[joint]:.3g}</td><td>{gains.damping[joint]:.3g}</td>"
            f"<td>{sizes[:, joint].mean():.3g}</td><td>{peak:.3g}</td><td>{limit:.3g}</td>"
            f'<td class="bar{" full" if used > 99.0 else ""}"><i style="width:{0.7 * min(used, 100.0):.1f}%"></i>'
            f"{used:.0f} %</td></tr>"
        )
    if not rows:
        return ""
    head = (
        "<tr><th>joint</th><th>stiffness<br>N m/rad</th><th>damping<br>N m s/rad</th><th>mean torque<br>N m</th>"
        "<th>peak torque<br>N m</th><th>strength<br>N m</th><th class=bar>peak of strength</th></tr>"
    )
    tension = (
        f"Muscles at a tension of {reference.tension.frequency:g} Hz, damping ratio {reference.tension.damping_ratio:g}"
    )
    return f'<table class="numbers"><caption>{tension}</caption>{head}{rows}</table>'
