"""What is looked after at the end of every tick, to be told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from poise.behaviors.reference import Reference
from poise.controllers import Muscles
from poise.controllers.saturation import Saturation
from poise.runtime.plausibility import Plausibility
from poise.signals import Event
from poise.world.view import WorldView

__all__ = ["Watch", "watches"]


class Watch(Protocol):
    """Looks after one thing; its state is saved and restored."""

    @property
    def state(self) -> Any:
        """What it remembers."""
        ...

    def notice(self, time: float) -> tuple[Event, ...]:
        """What is to be told at the end of a tick, at `time` [s]."""
        ...


def watches(references: Sequence[Reference], muscles: Muscles, view: WorldView) -> list[Watch]:
    """All that is looked after: muscles at their limits, tensions that had to be raised, contacts that nobody would survive."""
    found: list[Watch] = [
        Saturation(reference.name, reference.plan, own.state.saturated)
        for reference, own in zip(references, muscles.characters, strict=True)
    ]
    raised = ("stiffened", "loosened")
    found += [Saturation(reference.name, reference.plan, reference.raised, raised) for reference in references]
    return found + [Plausibility(reference, view) for reference in references]
