"""Stages: what acts on a character every tick, between its clip and its muscles.

Anticipation raises a hand, balance leans the body, a bounded drive holds the hips. Each is one object that is called once
per tick, after the clip was sampled and before the pose is split into drive and target, and that writes what it wants into
its actor: the kinematic pose (`Actor.rows`), muscle gains, extra load, extra force, who moves what. It sees what there is
through the session's world and the contacts of the last tick, the only way back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from poise.runtime.frame import Event

if TYPE_CHECKING:
    from poise.runtime.actor import Actor
    from poise.runtime.session import Session

__all__ = ["Stage"]


class Stage(Protocol):
    """Acts on one character every tick; stages of a character act one after the other, each on what the last one left."""

    def begin(self, session: Session, actor: Actor) -> None:
        """Take note of whom this stage acts on; called once, with everything at its start."""
        ...

    def act(self, begin: float) -> tuple[Event, ...]:
        """Write what this tick shall be into the actor.

        Args:
            begin: Time at the beginning of the tick [s]; the world is there.

        Returns:
            What is worth telling.
        """
        ...

    def save(self) -> Any:
        """Everything this stage remembers from tick to tick; a copy."""
        ...

    def restore(self, saved: Any) -> None:
        """Go back to what `save` gave."""
        ...
