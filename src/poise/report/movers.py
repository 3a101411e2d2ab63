"""Who moves the people of a session: a program for all of a group, or their clips; and what a group was told to do."""

from __future__ import annotations

import numpy as np

from poise.groups import Together
from poise.runtime import Recording, Session

__all__ = ["answered", "before_input", "company", "driven_by", "handled", "in_group", "told_by"]

_ANSWERED = 3.0
"""How long after an input it has been answered at the latest [s]."""
_BESIDE = 3.0
"""How far away somebody may be at most to be shown along [m]: three abreast at arm's length."""


def company(session: Session, name: str) -> list[str]:
    """Those a character does things together with, and itself; outside groups those who stay beside it all the time."""
    groups = [one.group.people for one in session.behaviors if isinstance(one, Together)]
    return next((list(people) for people in groups if name in people), _beside(session, name))


def _beside(session: Session, name: str) -> list[str]:
    """A character and those whose pelvis is never far from its own."""
    places = {
        one: session.recording().output[:, session.world.layout(one).positions][:, :2] for one in session.characters
    }
    return [one for one in places if np.linalg.norm(places[one] - places[name], axis=1).max() < _BESIDE]


def in_group(session: Session, name: str) -> bool:
    """Whether a program moves a character, and no clip."""
    return any(name in one.group.people for one in session.behaviors if isinstance(one, Together))


def driven_by(session: Session) -> str:
    """What the legend calls the color of bodies that are driven exactly: by the clip, by a program, or one of the two."""
    moved = {name for one in session.behaviors if isinstance(one, Together) for name in one.group.people}
    if not moved:
        return "follows the clip"
    return "moved by a program" if moved >= set(session.characters) else "follows the clip or a program"


def handled(session: Session) -> frozenset[int]:
    """Shapes of what groups handle."""
    names = {thing.name for one in session.behaviors if isinstance(one, Together) for thing in one.group.things}
    return frozenset(geom for geom, name in enumerate(session.view.geoms.names) if name.split("/")[0] in names)


def told_by(recording: Recording, time: float) -> list[str]:
    """What a group is about at a time [s], and the last input of that phase; nothing where there is no group."""
    begin, phase = _phase(recording, time)
    inputs = [
        event.subject for event in recording.events if event.kind == "input" and begin <= event.time <= time + 1e-9
    ]
    return [*([phase] if phase else ()), *inputs[-1:]]


def before_input(recording: Recording, time: float) -> int | None:
    """The state in which the last input of the phase of a time [s] came; None where there was none."""
    begin, _ = _phase(recording, time)
    inputs = [event.time for event in recording.events if event.kind == "input" and begin <= event.time <= time]
    return _state(recording, inputs[-1]) if inputs else None


def answered(recording: Recording) -> list[int]:
    """The last states before each next input, or some seconds later where none follows soon."""
    times = [event.time for event in recording.events if event.kind == "input"]
    ends = [min(end, time + _ANSWERED) for time, end in zip(times, [*times[1:], np.inf], strict=False)]
    return [max(_state(recording, end) - 1, 0) for end in ends]


def _state(recording: Recording, time: float) -> int:
    """The first state at or after a time [s], or the last."""
    return min(int(np.searchsorted(recording.times, time - 1e-9)), len(recording.times) - 1)


def _phase(recording: Recording, time: float) -> tuple[float, str]:
    """When the phase of a time began [s], and what it is called; the beginning and nothing without phases."""
    phases = [event for event in recording.events if event.kind == "phase" and event.time <= time + 1e-9]
    return (phases[-1].time, phases[-1].subject) if phases else (0.0, "")
