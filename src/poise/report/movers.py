"""Who moves the people of a session: a program for all of a group, or their clips."""

from __future__ import annotations

from poise.groups import Together
from poise.runtime import Session

__all__ = ["company", "driven_by"]


def company(session: Session, name: str) -> list[str]:
    """Those a character does things together with, and itself; itself alone outside groups."""
    groups = [one.group.people for one in session.behaviors if isinstance(one, Together)]
    return next((list(people) for people in groups if name in people), [name])


def driven_by(session: Session) -> str:
    """What the legend calls the color of bodies that are driven exactly: by the clip, by a program, or one of the two."""
    moved = {name for one in session.behaviors if isinstance(one, Together) for name in one.group.people}
    if not moved:
        return "follows the clip"
    return "moved by a program" if moved >= set(session.characters) else "follows the clip or a program"
