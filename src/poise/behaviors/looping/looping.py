"""A behavior that lets arms and head go through a gesture again and again, exactly."""

from __future__ import annotations

import numpy as np

from poise.behaviors.behavior import Contribution, Stateless
from poise.behaviors.looping.loop import GestureLoop, LoopRows
from poise.behaviors.reference import Reference
from poise.body.layout import turn_at
from poise.body.trajectory import mean_velocities
from poise.world.command import Place
from poise.world.view import WorldView

__all__ = ["Looping"]


class Looping(Stateless):
    """Repeats a gesture over what the clip does, from where in its cycle it begins.

    Args:
        loop: The gesture.
        rate: Cycles per second.
        size: Factor on the gesture.
        phase: Where in its cycle it begins, in cycles.
    """

    def __init__(self, loop: GestureLoop, rate: float, size: float = 1.0, phase: float = 0.0) -> None:
        self._rows = LoopRows(loop, *(np.array([value]) for value in (rate, size, phase)))
        self._columns = turn_at(loop.bodies)

    def start(self, view: WorldView, reference: Reference) -> Contribution:
        """Begin in the gesture, moving as it does."""
        wanted, substep = Contribution(reference), view.substep
        rows = np.tile(reference.rows[-1], (2, 1))
        self._rows.write(self._columns, np.array([0.0, substep]), rows)
        velocities = np.zeros(reference.plan.velocity_count)
        mean_velocities(rows[0], rows[1], substep, velocities)
        wanted.edit_pose()[:] = rows[0]
        wanted.commands.append(Place(reference.name, rows[0], velocities))
        return wanted

    def step(self, view: WorldView, reference: Reference, state: None) -> Contribution:
        """The arms of this tick."""
        wanted = Contribution(reference)
        self._rows.write(self._columns, reference.times, wanted.edit_pose())
        return wanted
