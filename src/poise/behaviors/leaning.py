"""A body that leans on its own feet: what they can push out of the ground, its legs carry, and what stands stays there."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.behavior import Contribution
from poise.behaviors.feet_down import FeetDown
from poise.behaviors.reference import Reference
from poise.control.bearing import Carrying, LegBearing
from poise.ik import Goals
from poise.ik.goals import steady
from poise.locomotion.soles import FEET
from poise.signals import Mode
from poise.world.view import WorldView

__all__ = ["Leaning", "LeaningState"]

Array = NDArray[np.float64]


@dataclass
class LeaningState:
    """What a body remembers of its feet.

    Args:
        firm: How far it leans on the left and the right, 0 (not at all) to 1, shape (2,).
        aimed: Where their ankles were meant to be at the end of the last tick [m], and how turned, shape (2, 7).
    """

    firm: Array = field(default_factory=lambda: np.zeros(2))
    aimed: Array = field(default_factory=lambda: np.zeros((2, 7)))


class Leaning:
    """Of one character.

    Args:
        reference: Its intended motion.
        carrying: How its legs carry.
        foresees: Whether its feet go where its clip has them, which is known beforehand.

    Raises:
        InputError: It has no two feet with soles.
    """

    def __init__(self, reference: Reference, carrying: Carrying, *, foresees: bool) -> None:
        self._reference, self._carrying, self._foresees = reference, carrying, foresees
        self._feet = FeetDown(reference.plan, reference.name, carrying.feet)
        self._bearing = LegBearing(reference.plan, carrying)

    def begin(self) -> LeaningState:
        """Of who leans on nothing yet."""
        return LeaningState(aimed=self._feet.of(self._reference.source))

    def plant(self, view: WorldView, goals: Goals, base: Array, state: LeaningState) -> Goals:
        """Note how far the body leans on each foot; where it does, the foot goes on from where it stands.

        A foot that was led from where it should be to where it should be next would be pressed against the ground or lifted off
        by as much as it stands elsewhere.

        Args:
            view: The world.
            goals: Of this tick's end.
            base: The motion there, shape (nq,); what has no goal follows it.
            state: Brought up to date.

        Returns:
            The goals to be reached instead.
        """
        reference, feet = self._reference, self._feet
        known, aims, time = [goals.ends.get(name) for name in FEET], feet.of(base), reference.time + reference.tick
        for aim, goal in zip(aims, known, strict=True):
            good = None if goal is None else steady(goal, None, aim[:3])
            if good is not None:
                aim[:] = np.append(good.position, aim[3:] if good.rotation is None else good.rotation)
        meant = feet.stand(state.aimed, aims, reference.tick, (view.ground, time))
        meant &= reference.modes[feet.bodies] == Mode.TORQUE
        if self._foresees:
            time += self._carrying.gives
            soon = feet.of(reference.clip_rows(np.array([time - reference.tick, time])))
            meant &= feet.stand(soon[0], soon[1], reference.tick, (view.ground, time))
        self._carrying.lean(state.firm, feet.touch(view), meant, reference.tick)
        away = feet.away(feet.of(view.positions(reference.name)), state.aimed, (view.ground, reference.time))
        state.aimed[:] = aims
        planted = {
            name: replace(goal, position=goal.position + firm * beside)
            for name, goal, firm, beside in zip(FEET, known, state.firm, away, strict=True)
            if goal is not None
        }
        return replace(goals, ends={**goals.ends, **planted})

    def bear(self, view: WorldView, wanted: Contribution, state: LeaningState, load: Array) -> None:
        """Take from a wrench (6,) on the pelvis what the legs carry; see `LegBearing.take`."""
        real = view.positions(self._reference.name)
        soles = self._feet.soles(self._feet.of(real), (view.ground, self._reference.time))
        self._bearing.take(real, soles, state.firm, load)
        wanted.edit_load()[:] += self._bearing.torques
