"""Behaviors that act on a body from outside: a ragdoll's limbs, a force on a body, an object that is dragged."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from poise.behaviors import Contribution, Reference, Stateless
from poise.world.command import Guide, Press
from poise.world.view import WorldView

__all__ = ["Dragged", "Limp", "Pressed"]

Array = NDArray[np.float64]

_STIFFNESS, _DAMPING = 1.0, 1.0
"""Of a limp joint [N m/rad, N m s/rad]: next to nothing, but the dampers of its stops are in proportion to it."""


class Limp(Stateless):
    """Limbs that hang on their joints as a plain ragdoll's do: no load is carried, only the ends of their range are kept.

    Args:
        roots: Roles from which on the body is limp; these joints are in mode `TORQUE`.
    """

    def __init__(self, roots: Sequence[str]) -> None:
        self._roots = tuple(roots)

    def start(self, view: WorldView, reference: Reference) -> Contribution:
        """See `Behavior.start`."""
        plan = reference.plan
        self._joints = np.array([b for root in plan.with_role(*self._roots) for b in plan.subtree(root)]) - 1
        return Contribution(reference)

    def step(self, view: WorldView, reference: Reference, state: None) -> Contribution:
        """See `Behavior.step`."""
        wanted, joints = Contribution(reference), self._joints
        stiffness, damping = wanted.edit_gains()
        stiffness[joints], damping[joints] = _STIFFNESS, _DAMPING
        middle = reference.rows[(len(reference.rows) - 1) // 2]
        wanted.edit_load()[joints] -= reference.dynamics.load(middle)[6:].reshape(-1, 3)[joints]
        return wanted


class Pressed(Stateless):
    """A constant downward force on bodies.

    Args:
        roles: Which bodies.
        force: On each [N].
    """

    def __init__(self, roles: Sequence[str], force: float) -> None:
        self._roles, self._force = tuple(roles), force

    def start(self, view: WorldView, reference: Reference) -> Contribution:
        """See `Behavior.start`."""
        wanted, plan, down = Contribution(reference), reference.plan, np.array([0.0, 0.0, -self._force])
        wanted.commands += [
            Press(f"{reference.name}/{plan.names[body]}", down) for body in plan.with_role(*self._roles)
        ]
        return wanted

    def step(self, view: WorldView, reference: Reference, state: None) -> Contribution:
        """See `Behavior.step`."""
        return Contribution(reference)


class Dragged(Stateless):
    """Moves a held ball along a way, whatever it meets.

    Args:
        ball: Its name; it is never thrown.
        way: Where it is at times (n,) [s], shape (n, 3).
    """

    def __init__(self, ball: str, way: Callable[[Array], Array]) -> None:
        self._ball, self._way = ball, way

    def start(self, view: WorldView, reference: Reference) -> Contribution:
        """See `Behavior.start`."""
        return Contribution(reference)

    def step(self, view: WorldView, reference: Reference, state: None) -> Contribution:
        """See `Behavior.step`."""
        wanted = Contribution(reference)
        wanted.commands.append(Guide(self._ball, self._way(reference.times)))
        return wanted
