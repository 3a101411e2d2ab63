"""Where hands are on their way: what they shall touch, how they shall be turned, and how far they have got."""

from __future__ import annotations

from math import inf, isfinite, isinf

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import NOTHING, Rules, hermite_hop
from poise.behaviors.hands import _kernels
from poise.behaviors.hands.columns import FIXED, FLIES, YIELDS
from poise.behaviors.hands.hands import Arms, HandState
from poise.behaviors.hands.meeting import ContactTargets
from poise.behaviors.hands.meeting._kernels import hold_hand
from poise.behaviors.hands.situation import Situation
from poise.behaviors.perception.senses import Senses

__all__ = ["HandTrajectory"]

Array = NDArray[np.float64]

_JOINT, _ROUND, _ROLLS = range(3)
"""The ways to touch (`hands.Palm`)."""


class HandTrajectory:
    """Leads the two hands of one character.

    Args:
        senses: What it perceives with.
        arms: What it acts with.
        aims: Where hands meet what they are about.
        rules: How palms are turned.
        hop: How far a hand is off the surface while it hops [m].
    """

    def __init__(self, senses: Senses, arms: Arms, aims: ContactTargets, rules: Rules, hop: float) -> None:
        self._senses, self._arms, self._aims, self._rules, self._hop = senses, arms, aims, rules, hop
        self._hands = np.ascontiguousarray(arms.bodies[:, 2])
        self._flies, self._fixed = senses.flies.tolist(), senses.fixed.tolist()
        self._palms = np.array([[palm.joint, palm.round, palm.rolls] for palm in arms.palms])
        self._reaches = (arms.leading.reach * arms.lengths).tolist()
        self._turns, self._hops = np.zeros((2, 4)), np.zeros((2, 3))

    def lead(self, states: list[HandState], moment: Situation) -> None:
        """Write where the hands' joints shall be at the end of the tick into the arms' goals."""
        (left, right), arms, after = states, self._arms, moment.after
        self._aims.meet_both(left, right, moment)
        for hand, state in enumerate(states):
            if state.phase not in ("idle", "return"):
                self._turns[hand] = self._turn(state, hand, moment)
        _kernels.lead_hands(
            arms.tracks,
            arms.goals,
            (self._aims.contacts, self._turns, self._palms, self._hops),
            (moment.shoulders, moment.faces, after.positions[0], after.rotations[0], self._hands),
            (self._way(left, 0, moment), self._way(right, 1, moment)),
            (arms.leading.approach.numbers, arms.leading.clearing.numbers),
            (arms.trunk.starts, arms.trunk.ends, arms.trunk.wanted),
            (moment.time + moment.tick, moment.tick),
        )
        left.begins = right.begins = 0.0

    def _way(self, state: HandState, hand: int, moment: Situation) -> tuple[object, ...]:
        """How a hand goes, as `_kernels.lead_hands` is told."""
        about, phase, end = state.obstacle, state.phase, moment.time + moment.tick
        flies, stays_put = about != NOTHING and self._flies[about], about == NOTHING or self._fixed[about]
        kind = FLIES if flies else FIXED if stays_put and about != NOTHING else YIELDS
        leading = self._arms.leading
        least = leading.coming if phase in ("reach", "replant", "shield") else leading.settles
        state.settles = 0.0 if kind == FIXED else min(max(state.until - end, least), leading.settles_slowly)
        # What was met and does not come any more is not followed on its way down.
        rests = flies and phase == "slide" and isinf(moment.percept.threats.urgency[about])
        returns, at_once, hops = phase == "return", (flies and not rests) or stays_put, phase == "replant"
        if hops:
            begun = moment.time if state.begins else state.since
            self._hops[hand] = hermite_hop((end - begun) / (state.until - begun), self._hop, *state.normals)
        way = (
            state.begins,
            self._reaches[hand],
            -inf if stays_put else leading.ahead,
            leading.at_once if at_once else min(max(state.reaction, leading.follows), leading.follows_slowly),
            leading.fastest_ball if flies else leading.fastest,
            state.ease,
        )
        planted, reaches = phase == "stick" and moment.time >= state.until, phase == "reach" and not at_once
        nature = (returns, at_once and not returns, planted, reaches, rests)
        touch = _JOINT if returns else _ROLLS if stays_put else _ROUND
        return phase != "idle", kind, touch, hops, way, nature

    def _turn(self, state: HandState, hand: int, moment: Situation) -> Array:
        """How a hand is turned in the end; what it shall touch then is changed where it stays, and for a shield."""
        contact, palm = self._aims.contacts[hand], self._arms.palms[hand]
        stays = state.phase in ("stick", "replant")
        if state.shield is not None:
            contact[0], contact[1], contact[2] = state.shield.palm, -state.shield.normal, 0.0
        if stays:
            near = moment.percept.nearest.velocity
            state.stuck = state.stuck + moment.tick * near[len(near) - 4 + hand, state.obstacle]
            contact[0] = state.stuck
            if isfinite(state.held[0]):
                return state.held
        if stays or state.shield is not None:
            hold_hand(
                contact, tuple(moment.shoulders[hand].tolist()), moment.faces, stays, self._arms.leading.touching.lean
            )
        turn = self._rules.palm_turn(contact[3], contact[4], palm.out, palm.along)
        if stays:
            state.held = turn.copy()
        return turn
