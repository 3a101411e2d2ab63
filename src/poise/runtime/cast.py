"""Who takes part in every tick, and what a tick gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from poise.behaviors import Behavior, Contribution, GroupBehavior, Reference
from poise.behaviors.merge import merge
from poise.characters.ground import Platforms
from poise.controllers import Muscles
from poise.errors import InputError
from poise.runtime.timings import Timings
from poise.signals import Contacts, Drive, Effort, Event
from poise.world.command import WorldCommand
from poise.world.layout import CharacterLayout
from poise.world.view import WorldView

__all__ = ["Acting", "ActingTogether", "Cast", "Played", "refuse_rivals"]


@dataclass(frozen=True, eq=False)
class Acting:
    """A behavior and whose it is."""

    behavior: Behavior[Any]
    reference: Reference

    @property
    def characters(self) -> tuple[str, ...]:
        """On whom it acts."""
        return (self.reference.name,)

    @property
    def on_purpose(self) -> bool:
        """Whether it may change a pose that nothing pushes."""
        return not self.behavior.only_yields

    def start(self, view: WorldView, command: WorldCommand) -> None:
        """Let it look around, and do what has to be so before the first tick."""
        merge(self.reference, self.behavior.start(view, self.reference), command)

    def adopt(self, options: Any, view: WorldView) -> None:
        """Let it go by other parameters from now on."""
        self.behavior.adopt(options, view, self.reference)

    def step(self, view: WorldView, command: WorldCommand) -> tuple[Event, ...]:
        """Make what it wants of this tick part of the motion; what is worth telling."""
        return merge(self.reference, self.behavior.step(view, self.reference, self.behavior.state), command)


@dataclass(frozen=True, eq=False)
class ActingTogether:
    """A behavior of several characters and whose it is, by name."""

    behavior: GroupBehavior[Any]
    references: Mapping[str, Reference]

    @property
    def characters(self) -> tuple[str, ...]:
        """On whom it acts."""
        return tuple(self.references)

    @property
    def on_purpose(self) -> bool:
        """See `Acting.on_purpose`."""
        return True

    def start(self, view: WorldView, command: WorldCommand) -> None:
        """See `Acting.start`."""
        self._merge(self.behavior.start(view, self.references), command)

    def step(self, view: WorldView, command: WorldCommand) -> tuple[Event, ...]:
        """See `Acting.step`."""
        return self._merge(self.behavior.step(view, self.references, self.behavior.state), command)

    def _merge(self, contributions: Mapping[str, Contribution], command: WorldCommand) -> tuple[Event, ...]:
        events: tuple[Event, ...] = ()
        for name, contribution in contributions.items():
            events += merge(self.references[name], contribution, command)
        return events


def refuse_rivals(acting: Sequence[Acting | ActingTogether], another: Acting | ActingTogether) -> None:
    """Raise `InputError` where another behavior would claim a part of a character that one of those there are has."""
    for one in acting:
        shared = sorted(one.behavior.claims & another.behavior.claims)
        whose = [name for name in one.characters if name in another.characters]
        if shared and whose:
            raise InputError(
                f"{_name_of(another)} and {_name_of(one)} would both decide about the {shared[0]}; a character has one of them",
                place=whose[0],
            )


def _name_of(acting: Acting | ActingTogether) -> str:
    return type(acting.behavior).__name__


@dataclass(frozen=True, eq=False)
class Cast:
    """Who takes part in every tick, and the arrays they fill.

    Args:
        references: What each character is meant to do.
        layouts: Where each sits in the world.
        acting: All behaviors, in the order in which they act.
        controller: What turns the references into forces.
        platforms: Ground that moves.
        drive: Where `MOTION` joints go.
        effort: What the muscles do.
    """

    references: Sequence[Reference]
    layouts: Sequence[CharacterLayout]
    acting: list[Acting | ActingTogether]
    controller: Muscles
    platforms: Platforms
    drive: Drive
    effort: Effort


@dataclass(frozen=True, eq=False)
class Played:
    """What a tick gave: contacts, events and the time spent in each room."""

    contacts: Contacts
    events: tuple[Event, ...]
    timings: Timings
