"""What the hands do: which obstacle, when, where to, how firmly; one call per tick."""

from __future__ import annotations

from math import isinf, isnan, nan

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import NOTHING, assign_hands
from poise.behaviors.evasion import Shield
from poise.behaviors.hands.hand_trajectory import HandTrajectory
from poise.behaviors.hands.hands import Arms, HandState
from poise.behaviors.hands.meeting import ContactTargets
from poise.behaviors.hands.situation import Situation
from poise.behaviors.perception.options import AnticipationOptions
from poise.behaviors.perception.senses import Senses

__all__ = ["HandStateMachine"]

Array = NDArray[np.float64]


class HandStateMachine:
    """Decides for the two hands of one character.

    Args:
        senses: What it perceives with.
        arms: What it acts with.
        options: How it decides.
    """

    def __init__(self, senses: Senses, arms: Arms, options: AnticipationOptions) -> None:
        self.senses, self.arms, self.options = senses, arms, options
        self._steady = {"slide": options.handling.slides, "stick": options.handling.sticks}
        self._aims = ContactTargets(senses, arms, options.hold, options.holding)
        self._lead = HandTrajectory(senses, arms, self._aims, options.rules, options.hop)

    def decide(self, states: list[HandState], moment: Situation) -> list[tuple[str, int]]:
        """Bring both hands' states and goals up to date; what is worth telling, as kind and hand."""
        happened: list[tuple[str, int]] = []
        self._aims.begin(moment)
        if moment.dodged != NOTHING:
            moment.percept.threats.urgency[moment.dodged] = np.inf  # What is dodged is not reached for.
        chosen = self._choose(states, moment) if moment.percept.urgent else (NOTHING, NOTHING)
        guards = {shield.hand: shield for shield in moment.shields}
        for hand, state in enumerate(states):
            if hand in guards or state.phase == "shield":
                happened += [(kind, hand) for kind in self._guard(state, guards.get(hand), moment)]
            elif chosen[hand] != state.obstacle:
                happened += [(kind, hand) for kind in self._take(state, chosen[hand], hand, moment)]
        if states[0].obstacle == states[1].obstacle != NOTHING:
            # What moves by the push of both is as heavy as both feel: one of them alone may hardly touch it.
            moment = moment._replace(felt=np.tile(moment.felt.sum(axis=0), (2, 1)))
        for hand, state in enumerate(states):
            if state.busy:
                happened += [(kind, hand) for kind in self._progress(state, hand, moment)]
        if states[0].busy or states[1].busy:
            self.arms.trunk.place(moment.after, moment.meant)
            self._lead.lead(states, moment)
        return happened

    def _choose(self, states: list[HandState], moment: Situation) -> tuple[int, int]:
        current = (states[0].obstacle, states[1].obstacle)
        return assign_hands(
            self._aims.meetings(current, moment),
            current,
            lambda which, left, right: current == (which, which) or self._takes_two(which, left, right, moment),
        )

    def _takes_two(self, which: int, left: float, right: float, moment: Situation) -> bool:
        """Whether an obstacle so far from either shoulder [m] takes both hands; two in a hurry get into each other's way."""
        if self.senses.flies[which] and float(moment.percept.threats.urgency[which]) < self.options.handling.hurry:
            return False
        return self.options.rules.both_hands(left, right, float(self.senses.masses[which]), self.options.heaviest)

    def _take(self, state: HandState, chosen: int, hand: int, moment: Situation) -> list[str]:
        """Turn to what was chosen, or away from what there was."""
        if chosen == NOTHING and moment.time - state.touched < self.options.handling.stays:
            return []
        keeps = state.obstacle != NOTHING and moment.time - state.since < self.options.handling.least
        if keeps or (chosen == NOTHING and state.phase in ("idle", "return")):
            return []
        if chosen == NOTHING:
            _begin(state, "return", self.options.handling.returns, moment)
            state.obstacle, state.touched = NOTHING, nan
            return ["release"]
        percept, spot = moment.percept, int(moment.percept.threats.spot[chosen])
        bounds = self.senses.bounds[spot][chosen]
        state.obstacle, state.spot, state.touched = chosen, spot, nan
        distance, radius = float(percept.nearest.distance[spot, chosen]), float(self.senses.regions.radii[spot])
        closing = float(percept.threats.closing[chosen])
        state.reaction = self.options.rules.reaction_time(distance, radius, closing, bounds)
        if self.options.adapt:
            mass = float(self.senses.masses[chosen])
            steady = (
                self._steady[self.options.contact]
                if isinf(mass)
                else self.options.rules.tension(mass, self.options.heaviest, bounds)
            )
            state.tension = steady
        arrival = self._aims.meet(state, hand, moment)
        way = float(np.linalg.norm(self._aims.contacts[hand, 0] - moment.hands[hand]))
        flies = bool(self.senses.flies[chosen])
        # What flies is waited for; everything else is met, and goes along from then on.
        available, least = (bounds.early * arrival, 0.0) if flies else (float(percept.threats.urgency[chosen]), arrival)
        # What was seen too late to be taken in by the time it matters leaves a hand less time.
        late = min(max(bounds.slowest - (distance - radius) / max(closing, 1e-3), 0.0), self.options.sight.latency)
        rules, priority = self.options.rules, self.options.regions[self.senses.regions.regions[spot]].priority
        jerk = self.arms.leading.approach.jerk
        duration = max(state.reaction - late, rules.movement_time(way, available, priority, jerk), least, moment.tick)
        _begin(state, "reach", duration, moment)
        return ["reach"]

    def _guard(self, state: HandState, shield: Shield | None, moment: Situation) -> list[str]:
        """Go before the face, or back from there."""
        if shield is None:
            _begin(state, "return", self.options.handling.returns, moment)
            state.obstacle, state.shield = NOTHING, None
            return ["release"]
        state.shield = shield
        if state.phase == "shield":
            return []
        state.obstacle, state.spot, state.reaction = moment.dodged, 0, self.options.handling.guards
        state.tension, state.touched = self.options.handling.firm, nan
        _begin(state, "shield", self.options.handling.guards, moment)
        return ["shield"]

    def _progress(self, state: HandState, hand: int, moment: Situation) -> list[str]:
        """Go on to the next phase where this one is over."""
        time = moment.time
        done = time >= state.until
        if state.phase == "return":
            if done and state.pole == 0.0:
                state.phase = "idle"
            return []
        happened = self._feel(state, hand, moment)
        touching = bool(moment.touching[hand, state.obstacle])
        if touching and isnan(state.touched):
            state.touched = time
            happened.append("contact")
        if state.phase == "reach" and (touching or done):
            state.phase, state.since = self.options.contact, time
            self._aims.meet(state, hand, moment)
            state.stuck, state.held = self._aims.contacts[hand, 0].copy(), np.full(4, np.nan)
        elif state.phase == "replant" and done:
            # As it came to lie, so it stays.
            state.phase, state.held = "stick", moment.meant.rotations[0, self.arms.bodies[hand, 2]].copy()
        elif state.phase == "stick" and not self._within(moment.hands[hand], hand, moment):
            duration = max(state.reaction, self.options.handling.hop)
            stuck, normal = self._aims.landing(state, hand, duration, moment)
            state.normals = np.stack([state.normals[1] if state.normals[1].any() else normal, normal])
            state.stuck, state.held = stuck, np.full(4, np.nan)
            _begin(state, "replant", duration, moment)
            happened.append("replant")
        return happened

    def _feel(self, state: HandState, hand: int, moment: Situation) -> list[str]:
        """Let tension follow what the hand feels."""
        near = moment.percept.nearest.velocity
        velocity = near[len(near) - 4 + hand, state.obstacle]
        answers = state.felt.feel(
            moment.time, moment.tick, state.obstacle, moment.felt[hand], velocity, self.options.handling.feeling
        )
        tells = not (self.senses.fixed[state.obstacle] or self.senses.rooted[state.obstacle])
        if not answers or not tells or not self.options.adapt or state.phase == "shield":
            return []
        bounds = self.senses.bounds[state.spot][state.obstacle]
        if self.options.feels:
            state.tension = self.options.rules.tension(state.felt.mass, self.options.heaviest, bounds)
        return (
            ["surprised"]
            if state.felt.surprises(float(self.senses.masses[state.obstacle]), self.options.handling.feeling)
            else []
        )

    def _within(self, wrist: Array, hand: int, moment: Situation) -> bool:
        """Whether an arm still reaches where its hand holds on."""
        away = wrist - moment.shoulders[hand]
        length = float(np.linalg.norm(away))
        handling = self.options.handling
        near = length < handling.grasp * self.arms.lengths[hand]
        return near and float(away @ moment.percept.faces) > -handling.behind * length


def _begin(state: HandState, phase: str, duration: float, moment: Situation) -> None:
    """Start a phase whose way leads from where the hand is to its goal."""
    state.phase, state.since = phase, moment.time
    state.until, state.begins = moment.time + duration, duration
