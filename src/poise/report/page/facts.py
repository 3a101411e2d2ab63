"""What ran: the characters, the scene and the clock, in words.

How long it took is in `timings.json` and nowhere here: the same run gives the same page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape
from pathlib import PurePath

import numpy as np

from poise.motion.roles import ROLES
from poise.report.words import spoken_role
from poise.runtime import Session
from poise.signals import Mode

__all__ = ["fact_cards", "subtitle"]


def subtitle(session: Session) -> str:
    """One line: how long, with whom and what around."""
    props = len(session.setting.props)
    parts = [
        f"{len(session.recording()) * session.clock.tick:.1f} s",
        ", ".join(session.characters) if len(session.characters) > 1 else "",
        f"{props} {'prop' if props == 1 else 'props'}" if props else "nothing around",
    ]
    return " · ".join(part for part in parts if part)


def fact_cards(session: Session, notes: Sequence[str]) -> str:
    """A definition list per character, one for the scene, one for the run, and the notes."""
    cards = [_card(name, _character_facts(session, name)) for name in session.characters]
    cards += [_card("Scene", _scene_facts(session)), _card("Run", _run_facts(session))]
    shown_notes = [note for who in session.characters.values() for note in who.prepared.notes]
    shown_notes += [note for note in notes if note not in shown_notes]
    if shown_notes:
        items = "".join(f"<li>{escape(note)}</li>" for note in shown_notes)
        cards.append(f'<section class="card"><h3>Notes</h3><ul>{items}</ul></section>')
    return "".join(cards)


def _card(title: str, facts: Sequence[tuple[str, str]]) -> str:
    rows = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in facts)
    return f'<section class="card"><h3>{escape(title)}</h3><dl>{rows}</dl></section>'


def _character_facts(session: Session, name: str) -> list[tuple[str, str]]:
    character = session.characters[name]
    clip, plan = character.prepared.source, character.plan
    physical = int(np.sum(character.modes != Mode.MOTION))
    where = PurePath(clip.source.path).name
    tension = session.reference(name).tension
    return [
        ("clip", where or clip.name),
        ("motion", f"{len(clip)} frames at {clip.rate:g} Hz, {clip.duration:.2f} s"),
        ("skeleton", f"{len(plan.skeleton)} joints"),
        ("body", f"{len(plan)} bodies, {plan.total_mass:.1f} kg, {plan.stature:.2f} m"),
        (
            "physical",
            f"{physical} bodies: {', '.join(_spoken(each) for each in character.options.anchors)} and all below"
            if physical
            else "none",
        ),
        ("tension", f"{tension.frequency:g} Hz, damping ratio {tension.damping_ratio:g}{_let_go(tension.relax)}"),
        ("skin", "its own" if character.mesh is not None else "mannequin"),
    ]


def _spoken(anchor: str) -> str:
    """A role in words; joints are called as in their file."""
    return spoken_role(anchor) if anchor in ROLES else anchor


def _let_go(relax: float) -> str:
    return f", arms let go of {100.0 * relax:.0f} % of their load" if relax else ""


def _scene_facts(session: Session) -> list[tuple[str, str]]:
    setting = session.setting
    kinds = Counter(type(prop).__name__.lower() for prop in setting.props)
    floor = "none" if setting.floor is None else f"{setting.floor:.3f} m"
    return [
        ("props", ", ".join(f"{count} × {kind}" for kind, count in sorted(kinds.items())) or "none"),
        ("ground", floor),
        ("gravity", f"{setting.gravity:g} m/s²"),
    ]


def _run_facts(session: Session) -> list[tuple[str, str]]:
    recording = session.recording()
    return [
        ("ticks", f"{len(recording)} of {1e3 * recording.tick:.2f} ms"),
        ("substeps", f"{session.clock.substeps} per tick, {1e3 * session.clock.substep:.2f} ms each"),
        ("contacts", f"{len({tuple(pair) for pair in recording.contacts.pairs.tolist()})} pairs of shapes"),
    ]
