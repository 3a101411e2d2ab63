"""What a session remembers from tick to tick, and a moment of it that one can go back to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from poise.behaviors.reference import ReferenceState
from poise.characters.blend import BlendState
from poise.runtime.cast import Cast
from poise.signals import Contacts
from poise.world.props import Ball
from poise.world.world import Snapshot

__all__ = ["Checkpoint", "SessionState"]


@dataclass
class SessionState:
    """What a session remembers from tick to tick beside the world.

    Args:
        count: Ticks played.
        waiting: Balls not yet thrown, the next one first.
        contacts: What touched in the last tick.
        references: Of the characters.
        behaviors: Of all behaviors, in the order in which they act.
        watches: What is looked after to be told.
        blends: What comes out by a weight per bone.
    """

    count: int
    waiting: list[Ball]
    contacts: Contacts
    references: list[ReferenceState]
    behaviors: list[Any]
    watches: list[Any]
    blends: BlendState


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """A moment of a session: who acts in it, the world, and the memory and the parameters of everything that acts."""

    cast: Cast
    world: Snapshot
    state: SessionState
    options: list[Any]
