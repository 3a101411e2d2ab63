"""What a reader may want to jump to: touches as spans of time, and what the session reported."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from poise.report.contact_summary import GROUND, BodyContact, body_label
from poise.report.event_intervals import event_intervals
from poise.report.sentences import event_sentence, plain_name
from poise.runtime import Session

__all__ = ["PageMoment", "moments_of"]

_GAP = 0.15
"""A touch that is taken up again within this time goes on [s]."""
_NOISE = 0.5
"""Forces below this are not told [N]."""
_FAR = 0.01
"""Distance from the source worth telling [m]."""


class PageMoment(NamedTuple):
    """Something that happened.

    Args:
        time: When to look [s]: of a touch its strongest instant.
        start: When it began [s].
        end: When it ended [s].
        kind: "touch", "thrown", "saturated" or "away".
        lane: What it belongs with.
        text: What to tell.
    """

    time: float
    start: float
    end: float
    kind: str
    lane: str
    text: str


def moments_of(session: Session, touches: Sequence[BodyContact]) -> list[PageMoment]:
    """All moments of a finished session, in time. Standing on the ground is not one."""
    several = len(session.characters) > 1
    moments = _touch_moments(session, touches, several)
    over = len(session.recording()) * session.clock.tick
    for (time, kind, subject), end in event_intervals(session.recording().events):
        lane, text = event_sentence(kind, subject, session.characters)
        if kind == "saturated":
            text += f" for {end - time:.2f} s" if end is not None else " to the end"
            end = over if end is None else end
        moments.append(PageMoment(time, time, time if end is None else end, kind, lane, text))
    for name in session.characters:
        moments += _furthest(session, name, several)
    return sorted(moments, key=lambda moment: (moment.time, moment.text))


def _touch_moments(session: Session, touches: Sequence[BodyContact], several: bool) -> list[PageMoment]:
    tick = session.clock.tick
    runs: dict[tuple[str, str, str], list[list[BodyContact]]] = {}
    for touch in touches:
        if touch.other == GROUND or touch.inner or touch.strength < _NOISE:
            continue
        spans = runs.setdefault((touch.character, touch.body, touch.other), [])
        if spans and (touch.state - spans[-1][-1].state) * tick <= _GAP:
            spans[-1].append(touch)
        else:
            spans.append([touch])
    moments = []
    for (character, body, other), spans in runs.items():
        who = f"{plain_name(character)}’s {body}" if several else f"the {body}"
        for span in spans:
            peak = max(span, key=lambda touch: touch.strength)
            text = f"{who} touches {plain_name(other)} with {peak.strength:.0f} N"
            start, end = (span[0].state - 1) * tick, span[-1].state * tick
            moments.append(PageMoment(peak.state * tick, start, end, "touch", plain_name(other), text))
    return moments


def _furthest(session: Session, name: str, several: bool) -> list[PageMoment]:
    """When a body was furthest from the source."""
    character = session.characters[name]
    result = session.result(name)
    skipped = character.prepared.skipped
    count = min(len(result) - skipped, len(character.clip))
    own = result.world()[1][skipped : skipped + count][:, character.plan.joints]
    away = np.linalg.norm(own - character.clip.world()[1][:count][:, character.plan.joints], axis=2)
    frame, body = np.unravel_index(int(away.argmax()), away.shape)
    if away[frame, body] < _FAR:
        return []
    time = float(frame) * character.clip.period
    label = body_label(character, character.plan.names[body])
    who = f"{plain_name(name)}’s {label}" if several else f"the {label}"
    text = f"{who} is furthest from the source, {100.0 * away[frame, body]:.0f} cm"
    return [PageMoment(time, time, time, "away", "furthest away", text)]
