"""Where hands meet what they are about."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import _kernels as seeing
from poise.runtime.anticipation.hands import Arms, HandState
from poise.runtime.anticipation.moment import Moment
from poise.runtime.anticipation.senses import Senses

__all__ = ["Aims"]

Array = NDArray[np.float64]

_APART = 0.12
"""Palms that are about the same thing are no nearer to one another [m]."""
_SLOPES = 0.7
"""A palm in the way of what flies slopes ahead, so that it does not roll off onto the head."""
_BESIDE = 0.08
"""And of what flies [m]."""
_PRESSED = 0.002
"""How far behind the surface of what cannot be moved a palm is meant to be, so that it rests on it [m]."""
_LEANT = 0.015
"""And of what can be moved, once the hand is there [m]."""
_LANDS = (0.6, 0.3)
"""Where a hop lands: ahead of the shoulder and below it, shares of the arm."""
_HEAVY = 0.1
"""What has this share of the heaviest mass is kept in hand across the body."""
_MOST = 6
"""So many of the most urgent obstacles are looked at."""


class Aims:
    """Finds points and normals of obstacles for the two hands of one character.

    Args:
        senses: What it perceives with.
        arms: What it acts with.
        hold: How far from a region's centre obstacles are held, as a share of its radius.
    """

    def __init__(self, senses: Senses, arms: Arms, hold: float) -> None:
        self._senses, self._shoulders, self._lengths = senses, arms.bodies[:, 0], arms.lengths
        self._holds = hold * senses.regions.radii
        self._heavy = senses.masses > _HEAVY * senses.options.heaviest
        self._meetings, self._aim = np.zeros((_MOST, 9)), np.zeros((3, 3))

    def meetings(self, states: list[HandState], moment: Moment) -> Array:
        """The most urgent obstacles, the most urgent first, and how either hand gets to them; overwritten by the next call.

        Returns:
            Obstacle, then for either hand: way of the hand, way from the shoulder, whether it is across, whether it can be
            reached; shape (n, 9).
        """
        percept = moment.percept
        count = seeing.find_meetings(
            *self._near(moment),
            moment.hands,
            self._lengths,
            percept.faces,
            percept.threats.urgency,
            percept.threats.spot,
            self._heavy,
            np.array([state.obstacle for state in states]),
            self._meetings,
        )
        return self._meetings[:count]

    def _near(self, moment: Moment) -> tuple[object, ...]:
        """What kernels aim by."""
        senses, percept = self._senses, moment.percept
        return (
            tuple(percept.nearest),
            percept.spots,
            percept.velocities,
            self._holds,
            senses.raised,
            senses.flies,
            senses.fixed,
            moment.shoulders,
        )

    def surface(self, state: HandState, hand: int, moment: Moment, *, together: bool) -> tuple[Array, Array]:
        """Where a hand meets what it is about, and the surface's normal there."""
        apart = None
        if together:
            apart = self.aimed(state, 1 - hand, moment)[0].copy()
        aim = self.aimed(state, hand, moment)
        point, normal = aim[0].copy(), aim[1].copy()
        if self._senses.flies[state.obstacle]:
            normal -= _SLOPES * moment.faces
            normal /= np.linalg.norm(normal)
        if self._senses.fixed[state.obstacle]:
            point -= _PRESSED * normal
        elif state.phase == "slide":
            point -= _LEANT * normal
        if apart is not None:
            left, side = np.array([-moment.faces[1], moment.faces[0], 0.0]), 1.0 if hand == 0 else -1.0
            short = side * float((point - apart) @ left)
            if self._senses.flies[state.obstacle]:
                # One palm in the way of it, the other beside: what is small would slip through between them.
                point += side * (hand == 0) * max(_BESIDE - short, 0.0) * left
            else:
                point += side * 0.5 * max(_APART - short, 0.0) * left
        return point, normal

    def aimed(self, state: HandState, hand: int, moment: Moment) -> Array:
        """Point, normal and drift of where a hand would meet what `state` is about, shape (3, 3); overwritten."""
        seeing.aim_hand(*self._near(moment), hand, state.obstacle, state.spot, self._aim)
        return self._aim

    def arrival(self, state: HandState, hand: int, moment: Moment) -> float:
        """When what `state` is about gets to where it is met, if both go on as they do [s]; 0 for what is waited for."""
        return float(seeing.aim_hand(*self._near(moment), hand, state.obstacle, state.spot, self._aim))

    def landing(self, state: HandState, hand: int, duration: float, moment: Moment) -> tuple[Array, Array]:
        """Where a hand that hops lands, as far ahead of its shoulder by then as it holds on well, and the normal there."""
        senses, size = self._senses, self._lengths[hand]
        drift = (moment.after.positions[0] - moment.before.positions[0])[self._shoulders[hand]] / moment.tick
        spot = moment.shoulders[hand] + duration * drift + size * _LANDS[0] * moment.faces
        spot[2] -= size * _LANDS[1]
        found = senses.surroundings.nearest(spot[None], np.array([1.6 * size]))
        if not np.isfinite(found.distance[0, state.obstacle]):
            return self.surface(state, hand, moment, together=False)
        normal = found.normal[0, state.obstacle].copy()
        return found.point[0, state.obstacle] - _PRESSED * normal, normal
