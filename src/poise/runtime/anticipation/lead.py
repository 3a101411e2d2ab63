"""Where hands are on their way: what they shall touch, how they shall be turned, and how far they have got."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import NOTHING, Rules, hermite_hop
from poise.runtime.anticipation import _kernels
from poise.runtime.anticipation.aims import Aims
from poise.runtime.anticipation.hands import FIXED, FLIES, YIELDS, Arms, HandGoals, HandState
from poise.runtime.anticipation.moment import Moment
from poise.runtime.anticipation.posture import held_hand
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
        self._shoulders, self._hands = arms.bodies[:, 0], arms.bodies[:, 2]
        self.goals = HandGoals(
            np.zeros((2, 7)), np.zeros((2, 4)), np.zeros((2, 3)), [p.joint for p in arms.palms], [YIELDS, YIELDS]
        )
        """Where either hand is at the end of the tick."""

    def lead(self, state: HandState, hand: int, moment: Moment, *, together: bool) -> None:
        """Write where the hand's joint shall be at the end of the tick."""
        flies = state.obstacle != NOTHING and bool(self._senses.flies[state.obstacle])
        stays_put = state.obstacle == NOTHING or bool(self._senses.fixed[state.obstacle])
        clip = self._hands[hand]
        palm = self._arms.palms[hand]
        hop, rate, touch, normal = _STILL, _STILL, palm.joint, _STILL
        if state.phase == "return":
            point, turn = moment.after.positions[0, clip], moment.after.rotations[0, clip]
        else:
            point, normal, turn = self._contact(state, hand, moment, together=together)
            touch = palm.rolls if stays_put else palm.round
            rate = _STILL if state.shield is not None else self._aims.aimed(state, hand, moment)[2].copy()
            if state.phase == "replant":
                begun = moment.time if state.begins else state.since
                share = (moment.time + moment.tick - begun) / (state.until - begun)
                hop = hermite_hop(share, self._hop, *state.normals)
        horizon = min(max(state.reaction, _FOLLOWS[0]), _FOLLOWS[1])
        if flies or stays_put:
            horizon = _FOLLOWS_AT_ONCE
        trunk = self._arms.trunk
        _kernels.lead_hand(
            self._arms.tracks[hand],
            point,
            normal,
            tuple(touch),
            rate,
            hop,
            moment.shoulders,
            moment.faces,
            hand,
            _REACH * self._arms.lengths[hand],
            -np.inf if stays_put else _AHEAD,
            state.begins,
            state.phase == "return",
            (flies or stays_put) and state.phase != "return",
            state.phase == "stick" and moment.time >= state.until,
            not flies,
            horizon,
            _FASTEST_BALL if flies else _FASTEST,
            moment.time + moment.tick,
            moment.tick,
            (trunk.starts, trunk.ends, trunk.wanted, self._clips(clip, moment), state.ease),
            self.goals.led[hand],
        )
        self.goals.turns[hand], self.goals.normals[hand], self.goals.touches[hand] = turn, normal, touch
        self.goals.kinds[hand] = FLIES if flies else FIXED if stays_put and state.obstacle != NOTHING else YIELDS
        state.begins = 0.0

    def _clips(self, hand: int, moment: Moment) -> Array:
        """Place and turn of a hand in the clip, shape (7,)."""
        return np.concatenate([moment.after.positions[0, hand], moment.after.rotations[0, hand]])

    def _contact(self, state: HandState, hand: int, moment: Moment, *, together: bool) -> tuple[Array, Array, Array]:
        """What the hand shall touch at the end of the tick, the surface's normal there, and how the hand is turned."""
        if state.shield is not None:
            point, normal = state.shield.palm, -state.shield.normal
        else:
            point, normal = self._aims.surface(state, hand, moment, together=together)
        stays = state.phase in ("stick", "replant")
        if stays:
            near = moment.percept.nearest.velocity
            state.stuck = state.stuck + moment.tick * near[len(near) - 4 + hand, state.obstacle]
            point = state.stuck
            if np.isfinite(state.held[0]):
                return point, normal, state.held
        palm = self._arms.palms[hand]
        leant, fingers = held_hand(point, normal, moment.shoulders[hand], moment.faces, stays=stays)
        turn = self._rules.palm_turn(leant, fingers, palm.out, palm.along)
        if stays:
            state.held = turn.copy()
        return point, normal, turn
