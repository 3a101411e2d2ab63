"""Where hands are on their way: what they shall touch, how they shall be turned, and how far they have got."""

from __future__ import annotations

from math import inf, isfinite

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import NOTHING, Rules, hermite_hop
from poise.runtime.anticipation import _kernels
from poise.runtime.anticipation._kernels import FIXED, FLIES, YIELDS
from poise.runtime.anticipation.hands import Arms, HandState
from poise.runtime.anticipation.meeting import Aims
from poise.runtime.anticipation.meeting._kernels import hold_hand
from poise.runtime.anticipation.moment import Moment
from poise.runtime.anticipation.senses import Senses

__all__ = ["Lead"]

Array = NDArray[np.float64]

_REACH = 0.97
"""Farthest a wrist goes from its shoulder, as a share of the arm."""
_AHEAD = 0.02
"""A hand on what can be moved stays so far before the shoulders [m]: what passes is let go."""
_FASTEST, _FASTEST_BALL = 4.0, 8.0
"""How fast a hand is meant to move at most, and against what flies [m/s]."""
_FOLLOWS, _FOLLOWS_AT_ONCE = (0.18, 0.35), 0.06
"""In what time a hand follows its goal, least and most, and against what flies or is fixed [s]."""
_STILL = np.zeros(3)


class Lead:
    """Leads the two hands of one character.

    Args:
        senses: What it perceives with.
        arms: What it acts with.
        aims: Where hands meet what they are about.
        rules: How palms are turned.
        hop: How far a hand is off the surface while it hops [m].
    """

    def __init__(self, senses: Senses, arms: Arms, aims: Aims, rules: Rules, hop: float) -> None:
        self._senses, self._arms, self._aims, self._rules, self._hop = senses, arms, aims, rules, hop
        self._hands = np.ascontiguousarray(arms.bodies[:, 2])
        self._flies, self._fixed = senses.flies.tolist(), senses.fixed.tolist()
        trunk = arms.trunk
        self._trunks = [(trunk.starts[hand], trunk.ends[hand], trunk.wanted) for hand in range(2)]
        self._tracks, self._goals, self._contacts = list(arms.tracks), list(arms.goals), list(aims.contacts)

    def begin(self, moment: Moment) -> None:
        """Take note of where the body is in a tick."""
        places, turns = moment.after.positions[0], moment.after.rotations[0]
        self._body = (moment.shoulders, moment.faces, places, turns, self._hands)

    def lead(self, state: HandState, hand: int, moment: Moment, *, together: bool) -> None:
        """Write where the hand's joint shall be at the end of the tick into the arms' goals."""
        about, arms, end = state.obstacle, self._arms, moment.time + moment.tick
        returns, palm = state.phase == "return", arms.palms[hand]
        flies = about != NOTHING and self._flies[about]
        stays_put = about == NOTHING or self._fixed[about]
        at_once, hop = flies or stays_put, _STILL
        contact, touch = self._contacts[hand], palm.rolls if stays_put else palm.round
        if returns:
            contact[0], contact[1:3], touch = moment.after.positions[0, self._hands[hand]], 0.0, palm.joint
            turn = moment.after.rotations[0, self._hands[hand]]
        else:
            turn = self._contact(state, hand, moment, together=together)
            if state.phase == "replant":
                begun = moment.time if state.begins else state.since
                hop = hermite_hop((end - begun) / (state.until - begun), self._hop, *state.normals)
        _kernels.lead_hand(
            self._tracks[hand],
            self._goals[hand],
            contact,
            turn,
            touch,
            hop,
            self._body,
            hand,
            (
                state.begins,
                _REACH * arms.reaches[hand],
                -inf if stays_put else _AHEAD,
                _FOLLOWS_AT_ONCE if at_once else min(max(state.reaction, _FOLLOWS[0]), _FOLLOWS[1]),
                _FASTEST_BALL if flies else _FASTEST,
            ),
            (
                returns,
                at_once and not returns,
                state.phase == "stick" and moment.time >= state.until,
                not flies,
                FLIES if flies else FIXED if stays_put and about != NOTHING else YIELDS,
            ),
            state.ease,
            self._trunks[hand],
            end,
            moment.tick,
        )
        state.begins = 0.0

    def _contact(self, state: HandState, hand: int, moment: Moment, *, together: bool) -> Array:
        """Write what the hand shall touch at the end of the tick; how the hand is turned."""
        contact, palm = self._contacts[hand], self._arms.palms[hand]
        stays = state.phase in ("stick", "replant")
        if state.shield is None:
            self._aims.meet(state, hand, moment, together=together)
        else:
            contact[0], contact[1], contact[2] = state.shield.palm, -state.shield.normal, 0.0
        if stays:
            near = moment.percept.nearest.velocity
            state.stuck = state.stuck + moment.tick * near[len(near) - 4 + hand, state.obstacle]
            contact[0] = state.stuck
            if isfinite(state.held[0]):
                return state.held
        if stays or state.shield is not None:
            hold_hand(contact, tuple(moment.shoulders[hand].tolist()), moment.faces, stays)
        turn = self._rules.palm_turn(contact[3], contact[4], palm.out, palm.along)
        if stays:
            state.held = turn.copy()
        return turn
