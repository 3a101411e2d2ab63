"""What a character touched, in words and numbers, read from a recording."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.report.words import spoken_role
from poise.runtime import Character, Session

__all__ = ["GROUND", "BodyContact", "body_label", "find_contacts"]

Array = NDArray[np.float64]

GROUND = "ground"


class BodyContact(NamedTuple):
    """One contact of one character during one tick.

    Args:
        state: Row of the recording's positions at the end of that tick.
        character: Who is touched.
        body: Its body, in words.
        other: What it meets: a prop, `GROUND`, or a body of a character in words.
        inner: Whether both are parts of the same character.
        point: Where [m], shape (3,).
        force: The largest force on the character's body [N], shape (3,).
    """

    state: int
    character: str
    body: str
    other: str
    inner: bool
    point: Array
    force: Array

    @property
    def strength(self) -> float:
        """Size of the force [N]."""
        return float(np.linalg.norm(self.force))


def body_label(character: Character, body: str) -> str:
    """A body in words: its role if it has one, else its name."""
    plan = character.plan
    role = plan.body_roles[plan.index(body)]
    return body if role is None else spoken_role(role)


def find_contacts(session: Session) -> list[BodyContact]:
    """Contacts that involve a character, in time; the first geom's character is the one touched when both are."""
    recording = session.recording()
    table, result = recording.contacts, []
    for row in range(len(table.tick)):
        names = [recording.geom_names[geom] for geom in table.pairs[row]]
        owners = [name.split("/")[0] for name in names]
        own = next((side for side in (0, 1) if owners[side] in session.characters), None)
        if own is None:
            continue
        # The table's normal is the direction of the force on the second geom.
        force = table.peak[row] * table.normal[row] * (1.0 if own == 1 else -1.0)
        character = session.characters[owners[own]]
        result.append(
            BodyContact(
                state=int(table.tick[row]) + 1,
                character=owners[own],
                body=body_label(character, names[own].split("/", 1)[1]),
                other=_other_label(session, names[1 - own]),
                inner=owners[0] == owners[1],
                point=table.point[row],
                force=force,
            )
        )
    return result


def _other_label(session: Session, name: str) -> str:
    owner, _, part = name.partition("/")
    character = session.characters.get(owner)
    if character is None:
        return owner
    label = body_label(character, part)
    return label if len(session.characters) == 1 else f"{owner}'s {label}"
