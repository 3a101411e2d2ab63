"""Anticipation as a stage: sees, decides, leads the hands, tenses the arms, and lets what is hit unawares give way."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import NOTHING, Memory
from poise.body.coordinates import BodyFrames, body_frames
from poise.math import quat
from poise.runtime.actor import Actor
from poise.runtime.anticipation.decide import Decisions, Moment
from poise.runtime.anticipation.hands import SIDES, Arms, HandState
from poise.runtime.anticipation.options import AnticipationOptions
from poise.runtime.anticipation.senses import Senses
from poise.runtime.anticipation.startle import Startle
from poise.runtime.frame import Event
from poise.runtime.session import Session
from poise.world.surroundings import Obstacles

__all__ = ["Anticipate"]

Array = NDArray[np.float64]

_RAMP = 25.0
"""How fast tension changes [Hz/s]."""


class Anticipate:
    """A stage that keeps the safety regions of a character free with its hands (Alvarado 2022, section 5).

        Session({"walker": walker}, setting, stages={"walker": [Anticipate()]})

    Arms have to be physical to give way; what follows the clip is led all the same.

    Args:
        options: How it anticipates.
    """

    def __init__(self, options: AnticipationOptions | None = None) -> None:
        self.options = options or AnticipationOptions()

    def begin(self, session: Session, actor: Actor) -> None:
        """See `Stage.begin`."""
        plan = actor.character.plan
        self._session, self._actor, self._plan = session, actor, plan
        self._obstacles = Obstacles(session.world, session.setting.props)
        self._senses = Senses(plan, self._obstacles, self.options)
        self._arms = Arms(plan, session.clock.tick)
        self._decisions = Decisions(self._senses, self._arms, self.options)
        self.hands = [HandState(actor.tension.frequency) for _ in SIDES]
        """What either hand is about."""
        self._memory = Memory(len(self._obstacles.names))
        self._source = actor.source.copy()
        self._last: tuple[Array, Array] | None = None
        self._touch = self._touch_table()
        self._startle = Startle(session, actor, self._obstacles) if self.options.startle else None

    def _touch_table(self) -> NDArray[np.int64]:
        """Of each geom, the hand whose arm it belongs to and the obstacle it belongs to, -1 for none, shape (geoms, 2)."""
        table = np.full((len(self._session.world.geom_names), 2), -1, dtype=np.int64)
        arms = {f"{self._actor.layout.name}/{self._plan.names[b]}": h for h in range(2) for b in self._arms.bodies[h]}
        obstacles = {name: number for number, name in enumerate(self._obstacles.names)}
        for geom, name in enumerate(self._session.world.geom_names):
            table[geom, 0] = arms.get(name, -1)
            table[geom, 1] = obstacles.get(name, obstacles.get(name.split("/")[0], -1))
        return table

    def act(self, begin: float) -> tuple[Event, ...]:
        """See `Stage.act`."""
        actor, arms = self._actor, self._arms
        before, after = body_frames(self._plan, self._source), body_frames(self._plan, actor.rows[-1])
        self._source = actor.rows[-1].copy()
        moment = self._moment(begin, before, after)
        places, turns, told = self._decisions.decide(self.hands, moment)
        arms.follow(actor.rows, self.hands, places, turns)
        actor.changed |= any(state.busy for state in self.hands)
        self._tense()
        events = tuple(Event(begin, kind, self._subject(hand)) for kind, hand in told)
        if self._startle is not None:
            events += self._startle.act(begin, moment.percept.minded)
        return events

    def _moment(self, begin: float, before: BodyFrames, after: BodyFrames) -> Moment:
        tick = self._session.clock.tick
        meant, hands = body_frames(self._plan, self._actor.before), self._arms.bodies[:, 2]
        places, turns = meant.positions[0, hands], meant.rotations[0, hands]
        speeds = np.zeros((2, 6))
        if self._last is not None:
            speeds[:, :3] = (places - self._last[0]) / tick
            speeds[:, 3:] = quat.rotate(turns, quat.log(quat.mul(quat.conj(self._last[1]), turns))) / tick
        self._last = places, turns
        percept = self._senses.perceive(begin, before, after, tick, self._memory)
        return Moment(begin, tick, before, after, (places, turns), speeds, self._touching(), percept)

    def _touching(self) -> NDArray[np.bool_]:
        """For either hand, whether each obstacle was touched by its arm in the last tick, shape (2, P)."""
        result = np.zeros((2, len(self._obstacles.names)), dtype=bool)
        pairs = self._session.contacts.pairs
        for first, second in (pairs.T, pairs.T[::-1]):
            hand, obstacle = self._touch[first, 0], self._touch[second, 1]
            both = (hand >= 0) & (obstacle >= 0)
            result[hand[both], obstacle[both]] = True
        return result

    def _tense(self) -> None:
        """Lead the arms' tension to what the rule says, over a while."""
        actor, step = self._actor, _RAMP * self._session.clock.tick
        own = actor.tension.frequency
        for hand, state in enumerate(self.hands):
            adapted = self.options.adapt and state.obstacle != NOTHING and state.tension > 0.0
            wanted = state.tension if adapted else own
            state.frequency += min(max(wanted - state.frequency, -step), step)
            joints = self._arms.bodies[hand] - 1
            actor.stiffness[joints] *= (state.frequency / own) ** 2
            actor.damping[joints] *= state.frequency / own

    def _subject(self, hand: int) -> str:
        obstacle = self.hands[hand].obstacle
        what = "" if obstacle == NOTHING else f" {self._obstacles.names[obstacle]}"
        return f"{self._actor.layout.name}/{SIDES[hand]}_hand{what}"

    def save(self) -> Any:
        """See `Stage.save`."""
        arms = self._arms
        kept = (self.hands, self._memory.last, self._source, self._last, arms.turned, arms.memory, arms.poles.state)
        return copy.deepcopy(kept), None if self._startle is None else self._startle.save()

    def restore(self, saved: Any) -> None:
        """See `Stage.restore`."""
        kept, startle = saved
        hands, last, source, places, turned, memory, poles = copy.deepcopy(kept)
        self.hands[:], self._memory.last[:], self._source, self._last = hands, last, source, places
        self._arms.turned[:], self._arms.memory[:], self._arms.poles.state[:] = turned, memory, poles
        if self._startle is not None:
            self._startle.restore(startle)
