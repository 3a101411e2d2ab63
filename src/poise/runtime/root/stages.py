"""The compliant root as two stages around all others of its character.

The front one plans the feet and tells the others where the body really is; the back one takes the pose they made of it and says
what the root aims at.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from poise.body.plan import BodyPlan
from poise.errors import InputError
from poise.ik.limbs import LimbSolver
from poise.runtime.frame import Event
from poise.runtime.root.root import CompliantRoot
from poise.runtime.stage import Stage

if TYPE_CHECKING:
    from poise.runtime.actor import Actor
    from poise.runtime.session import Session

__all__ = ["can_yield", "surrounded"]


def can_yield(plan: BodyPlan) -> bool:
    """Whether a body has what a compliant root needs: two legs with feet, and arms."""
    try:
        solver = LimbSolver(plan)
    except InputError:
        return False
    feet = [solver.bodies[solver.names.index(name), 2] for name in ("left_foot", "right_foot")]
    return bool(min(feet) >= 0)


def surrounded(root: CompliantRoot, stages: Sequence[Stage]) -> list[Stage]:
    """The stages of a character with its compliant root around them."""
    return [_Front(root), *stages, _Back(root)]


class _Front:
    def __init__(self, root: CompliantRoot) -> None:
        self._root = root

    def begin(self, session: Session, actor: Actor) -> None:
        self._root.begin(session, actor)

    def act(self, begin: float) -> tuple[Event, ...]:
        return self._root.look(begin)

    def save(self) -> Any:
        return self._root.save()

    def restore(self, saved: Any) -> None:
        self._root.restore(saved)


class _Back:
    def __init__(self, root: CompliantRoot) -> None:
        self._root = root

    def begin(self, session: Session, actor: Actor) -> None:
        """The front one has begun."""

    def act(self, begin: float) -> tuple[Event, ...]:
        return self._root.lead(begin)

    def save(self) -> None:
        """The front one saves."""

    def restore(self, saved: None) -> None:
        """The front one restores."""
