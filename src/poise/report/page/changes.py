"""Charts of what is changed during a run: how tense the muscles are, and who moves which part."""

from __future__ import annotations

from html import escape
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from poise.body.plan import BodyPlan
from poise.report.contact_summary import body_label
from poise.report.page.svg import Line, Span, chart, lanes
from poise.runtime import Session
from poise.signals import Mode
from poise.world.render import shown_modes

__all__ = ["change_plots", "part_of"]

_PARTS = ("trunk", "neck and head", "left arm", "right arm", "left leg", "right leg", "other")
_LEG = ("thigh", "shank", "foot", "toes")
_WORDS = {Mode.MOTION: "follows the clip", Mode.TORQUE: "its muscles", Mode.PASSIVE: "nobody"}
_NOTICED = 0.01
"""A stiffness that stays within this part of its largest value is one that is not changed."""


def part_of(role: str | None) -> str:
    """The part of the body that a role belongs to."""
    side, _, limb = (role or "").partition("_")
    if side in ("left", "right"):
        return f"{side} {'leg' if limb in _LEG else 'arm'}"
    return {"pelvis": "trunk", "spine": "trunk", "neck": "neck and head", "head": "neck and head"}.get(side, "other")


def change_plots(session: Session, name: str, end: float) -> list[str]:
    """Tension over time, and who moved what; each only where it changed during the run.

    Args:
        session: After it was run.
        name: Of the character.
        end: Time at the right edge [s].
    """
    return [*_tension(session, name, end), *_movers(session, name, end)]


def _parts(plan: BodyPlan) -> dict[str, list[int]]:
    """Bodies of each part, in the order in which they are shown."""
    parts: dict[str, list[int]] = {part: [] for part in _PARTS}
    for body, role in enumerate(plan.body_roles):
        parts[part_of(role)].append(body)
    return {part: bodies for part, bodies in parts.items() if bodies}


def _tension(session: Session, name: str, end: float) -> list[str]:
    recording, layout = session.recording(), session.world.layout(name)
    stiffness = recording.stiffness[:, layout.muscles]
    largest = stiffness.max(axis=0)
    if not (np.ptp(stiffness, axis=0) > _NOTICED * largest).any():
        return []
    lines: list[Line] = []
    for part, bodies in _parts(layout.plan).items():
        muscles = [body - 1 for body in bodies if body and largest[body - 1] > 0.0]
        if muscles:
            mean = stiffness[:, muscles].mean(axis=1)
            lines.append(Line(part, recording.times[1:], mean, f"s{len(lines)}"))
    note = "Mean stiffness of a part's muscles; 0 where none is at work."
    return [chart("Tension", "N m/rad", lines, end, note=note)]


def _movers(session: Session, name: str, end: float) -> list[str]:
    recording, layout, character = session.recording(), session.world.layout(name), session.characters[name]
    modes = shown_modes(recording.modes[:, layout.joints], layout.plan)
    changed = np.flatnonzero((modes != modes[0]).any(axis=0)).tolist()
    if not changed:
        return []
    rows: dict[str, list[Span]] = {}
    for part, bodies in _parts(layout.plan).items():
        alike: dict[bytes, list[int]] = {}
        for body in bodies:
            if body in changed:
                alike.setdefault(modes[:, body].tobytes(), []).append(body)
        for same in alike.values():
            labels = [body_label(character, layout.plan.names[body]) for body in same]
            side = part.partition(" ")[0] + " "
            some = dict.fromkeys([labels[0], *(each.removeprefix(side) for each in labels[1:])])
            label = part if len(same) == len(bodies) else ", ".join(some)
            rows[label] = _spans(modes[:, same[0]], recording.tick)
    styles = {Mode(mode).name.lower(): _WORDS[Mode(mode)] for mode in np.unique(modes[:, changed])[::-1]}
    legend = "".join(f'<span class="key {style}">{escape(words)}</span>' for style, words in styles.items())
    return [lanes("Who moves what", rows, legend, end)]


def _spans(modes: NDArray[np.int64], tick: float) -> list[Span]:
    edges = [0, *(np.flatnonzero(np.diff(modes)) + 1).tolist(), len(modes)]
    spans = []
    for start, stop in pairwise(edges):
        mode = Mode(int(modes[start]))
        spans.append(Span(start * tick, stop * tick, mode.name.lower(), _WORDS[mode]))
    return spans
