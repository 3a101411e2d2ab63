"""Where hands meet what they are about."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import _kernels as seeing
from poise.anticipation.holding import Holding
from poise.behaviors.hands.hands import Arms, HandState
from poise.behaviors.hands.meeting import _kernels
from poise.behaviors.hands.situation import Situation
from poise.behaviors.perception.senses import Senses

__all__ = ["ContactTargets"]

Array = NDArray[np.float64]

_MOST = 6
"""So many of the most urgent obstacles are looked at."""


class ContactTargets:
    """Finds points and normals of obstacles for the two hands of one character.

    Args:
        senses: What it perceives with.
        arms: What it acts with.
        hold: How far from a region's centre obstacles are held, as a share of its radius.
        holding: How softly.
    """

    def __init__(self, senses: Senses, arms: Arms, hold: float, holding: Holding) -> None:
        self._senses, self._shoulders, self._lengths = senses, arms.bodies[:, 0], arms.lengths
        self._leading, self._holds = arms.leading, hold * senses.regions.radii
        self._touch = arms.leading.touching.numbers, arms.leading.pressed
        self._holding = holding.soft, holding.sooner, holding.heights
        self._meetings = np.zeros((_MOST, seeing.MEETING))
        self.contacts = np.zeros((2, 5, 3))
        """What either hand shall touch and how it is held there (`_kernels.meet`), shape (2, 5, 3)."""

    def begin(self, moment: Situation) -> None:
        """Take note of what is perceived in a tick."""
        senses, percept = self._senses, moment.percept
        self._near = (
            tuple(percept.nearest),
            percept.spots,
            percept.velocities,
            (self._holds, self._holding),
            senses.raised,
            senses.flies,
            senses.fixed,
            moment.shoulders,
        )

    def meetings(self, current: tuple[int, int], moment: Situation) -> Array:
        """The most urgent obstacles, the most urgent first, and how either hand gets to them (`anticipation.assign_hands`).

        Overwritten by the next call.

        Args:
            current: What the hands have now.
            moment: What is perceived.
        """
        percept = moment.percept
        count = seeing.find_meetings(
            self._near,
            moment.hands,
            self._lengths,
            percept.faces,
            percept.threats.urgency,
            percept.threats.spot,
            current,
            self._meetings,
        )
        return self._meetings[:count]

    def meet(self, state: HandState, hand: int, moment: Situation) -> float:
        """Write into `contacts` where a hand meets what it is about, whatever the other does.

        Returns:
            When that gets there, if both go on as they do [s]; 0 for what is fixed.
        """
        slides = state.phase == "slide"
        return _kernels.meet(  # type: ignore[no-any-return]
            self._near,
            moment.faces,
            hand,
            (state.obstacle, state.spot, slides, False),
            self._touch,
            self.contacts[hand],
        )

    def meet_both(self, left: HandState, right: HandState, moment: Situation) -> None:
        """Write into `contacts` where both hands meet what they are about."""
        _kernels.meet_both(
            self._near,
            moment.faces,
            (left.obstacle, right.obstacle),
            (left.spot, right.spot),
            (left.phase == "slide", right.phase == "slide"),
            self._touch,
            self.contacts,
        )

    def landing(self, state: HandState, hand: int, duration: float, moment: Situation) -> tuple[Array, Array]:
        """Where a hand that hops lands, as far ahead of its shoulder by then as it holds on well, and the normal there."""
        senses, size = self._senses, self._lengths[hand]
        drift = (moment.after.positions[0] - moment.before.positions[0])[self._shoulders[hand]] / moment.tick
        spot = moment.shoulders[hand] + duration * drift + size * self._leading.lands_ahead * moment.faces
        spot[2] -= size * self._leading.lands_below
        found = senses.surroundings.nearest(spot[None], np.array([1.6 * size]))
        if not np.isfinite(found.distance[0, state.obstacle]):
            self.meet(state, hand, moment)
            return self.contacts[hand, 0].copy(), self.contacts[hand, 1].copy()
        normal = found.normal[0, state.obstacle].copy()
        return found.point[0, state.obstacle] - self._leading.pressed * normal, normal
