"""Stages that act on a body from outside or leave it alone: a ragdoll's limbs, a force on a body, an object that is dragged."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from poise.runtime.actor import Actor
from poise.runtime.frame import Event
from poise.runtime.session import Session

__all__ = ["Dragged", "Limp", "Pressed"]

Array = NDArray[np.float64]

_STIFFNESS, _DAMPING = 1.0, 1.0
"""Of a limp joint [N m/rad, N m s/rad]: next to nothing, but the dampers of its stops are in proportion to it."""


class _Memoryless:
    """A stage that remembers nothing."""

    def save(self) -> None:
        """See `Stage.save`."""

    def restore(self, saved: None) -> None:
        """See `Stage.restore`."""


class Limp(_Memoryless):
    """Limbs that hang on their joints as a plain ragdoll's do: no load is carried, only the ends of their range are kept.

    Args:
        roots: Roles from which on the body is limp; these joints are in mode `TORQUE`.
    """

    def __init__(self, roots: Sequence[str]) -> None:
        self._roots = tuple(roots)

    def begin(self, session: Session, actor: Actor) -> None:
        """See `Stage.begin`."""
        plan = actor.character.plan
        self._actor = actor
        self._joints = np.array([b for root in plan.with_role(*self._roots) for b in plan.subtree(root)]) - 1

    def act(self, begin: float) -> tuple[Event, ...]:
        """See `Stage.act`."""
        actor, joints = self._actor, self._joints
        actor.stiffness[joints], actor.damping[joints] = _STIFFNESS, _DAMPING
        middle = actor.rows[(len(actor.rows) - 1) // 2]
        actor.load[joints] -= actor.dynamics.load(middle)[6:].reshape(-1, 3)[joints]
        return ()


class Pressed(_Memoryless):
    """A constant downward force on bodies.

    Args:
        roles: Which bodies.
        force: On each [N].
    """

    def __init__(self, roles: Sequence[str], force: float) -> None:
        self._roles, self._force = tuple(roles), force

    def begin(self, session: Session, actor: Actor) -> None:
        """See `Stage.begin`."""
        bodies = actor.layout.bodies[list(actor.character.plan.with_role(*self._roles))]
        session.world.data.xfrc_applied[bodies, 2] = -self._force

    def act(self, begin: float) -> tuple[Event, ...]:
        """See `Stage.act`."""
        return ()


class Dragged(_Memoryless):
    """Moves a held ball along a way, whatever it meets.

    Args:
        ball: Its name; it is never thrown.
        way: Where it is at times (n,) [s], shape (n, 3).
    """

    def __init__(self, ball: str, way: Callable[[Array], Array]) -> None:
        self._ball, self._way = ball, way

    def begin(self, session: Session, actor: Actor) -> None:
        """See `Stage.begin`."""
        model = session.world.model
        self._session, self._at = session, int(model.jnt_qposadr[model.joint(self._ball).id])

    def act(self, begin: float) -> tuple[Event, ...]:
        """See `Stage.act`."""
        session = self._session
        session.drive.positions[:, self._at : self._at + 3] = self._way(begin + session.substep_times)
        return ()
