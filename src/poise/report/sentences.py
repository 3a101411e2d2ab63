"""What happened, as sentences: events have a kind and a subject, readers want to know who did what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from poise.characters.character import Character
from poise.report.contact_summary import BodyContact, body_label

__all__ = ["Sentence", "event_sentence", "pair_sentence", "plain_name", "touch_lines"]

_SENTENCES = {
    "balances": "{who} begins to balance",
    "contact": "{part} meets {thing}",
    "dodge": "{who} dodges {thing}",
    "down": "{who} is down",
    "falls": "{who} falls (pushed by {thing})",
    "fell": "{who} falls",
    "follows": "{who} brings the {thing} foot after the other",
    "follows the clip": "{part} follows the clip again",
    "go on": "{who} goes on",
    "goal lost": "{part} cannot reach its goal",
    "implausible": "{part} is pressed by {thing} harder than a body would survive",
    "input": "input: {all}",
    "landed": "{who}’s step lands",
    "phase": "phase: {all}",
    "pushed": "{who} pushes",
    "reach": "{part} reaches for {thing}",
    "recovered": "{part} is back in place",
    "release": "{part} lets go",
    "loses balance": "{who} loses balance and falls",
    "look": "{who} looks at {thing}",
    "released": "{part} is let go",
    "replant": "{part} takes a new hold",
    "saturated": "{part}: its muscles are at their limit",
    "sees": "{who} sees {thing}",
    "settles": "{who} ends the walk with the {thing} foot",
    "shield": "{part} goes before the face",
    "slow": "{who} slows down before {thing}",
    "startled": "{part} is hit by {thing} and gives way",
    "steps": "{who} catches the balance with the {thing} foot",
    "stepped": "{who} takes a step",
    "stiffened": "{part} becomes stiffer than was asked, since it could not be held otherwise",
    "surprised": "{part} finds {thing} not as heavy as expected",
    "thrown": "{who} is thrown",
    "tired": "{part} is tired",
    "too heavy": "{part} bears more than it can for long",
    "waded": "{who} is out of the fluid",
    "wades": "{who} wades",
    "yields": "{who} yields again",
}
"""By kind of an event; `{who}` is a character or prop, `{part}` one of its bodies, `{thing}` what else is named, `{all}` the
whole subject."""
_LANES = {"saturated": "muscles at their limit"}
"""Kinds whose events belong together on the timeline, whomever they are about."""


class Sentence(NamedTuple):
    """An event told: what it belongs with on a timeline, and the sentence without its stop."""

    lane: str
    text: str


def plain_name(name: str) -> str:
    """A name from a scene as one would say it."""
    return name.replace("_", " ")


def event_sentence(kind: str, subject: str, characters: Mapping[str, Character]) -> Sentence:
    """Tell an event.

    Args:
        kind: Its kind.
        subject: Whom it is about: a character or prop, `character/body`, and after a blank what else takes part.
        characters: Those of the session.
    """
    first, _, thing = subject.partition(" ")
    owner, _, body = first.partition("/")
    who = plain_name(owner)
    part = _part(owner, body, characters)
    lane = _LANES.get(kind, plain_name(thing or owner))
    if kind not in _SENTENCES:
        return Sentence(lane, f"{plain_name(subject.replace('/', ' '))}: {kind}")
    names = {"who": who, "part": part, "thing": plain_name(thing) or "what is there", "all": plain_name(subject)}
    text = _SENTENCES[kind].format(**names)
    return Sentence(lane, text)


def pair_sentence(pair: str, character: Character) -> str:
    """Who touched what, from the names of the two in a report's contacts: "LeftForeArm | bush_2/0"."""
    own, _, other = pair.partition(" | ")
    label = body_label(character, own) if own in character.plan.names else plain_name(own)
    thing = other.partition("/")[0]
    met = body_label(character, thing) if thing in character.plan.names else plain_name(thing)
    return f"the {label} touches {'the ' if thing in character.plan.names else ''}{met}"


def _part(owner: str, body: str, characters: Mapping[str, Character]) -> str:
    """A body in words, with whose it is where there are several characters."""
    character = characters.get(owner)
    label = body_label(character, body) if character is not None and body in character.plan.names else plain_name(body)
    if not body:
        return plain_name(owner)
    return f"the {label}" if len(characters) < 2 else f"{plain_name(owner)}’s {label}"


def touch_lines(touches: Sequence[BodyContact]) -> list[str]:
    """The first two of a moment's touches, and how many pairs more; of a pair that meets in several places the strongest.

    Args:
        touches: The strongest first.
    """
    pairs: dict[str, float] = {}
    for touch in touches:
        pair = f"{touch.body} on {plain_name(touch.other)}"
        pairs[pair] = max(pairs.get(pair, 0.0), touch.strength)
    lines = [f"{pair}, {strength:.0f} N" for pair, strength in list(pairs.items())[:2]]
    if len(pairs) > 2:
        lines[-1] += f" (+{len(pairs) - 2})"
    return lines
