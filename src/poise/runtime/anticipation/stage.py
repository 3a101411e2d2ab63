"""Anticipation as a stage: sees, decides, leads the hands, tenses the arms, and lets what is hit unawares give way."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import NOTHING
from poise.body.coordinates import BodyFrames, body_frames
from poise.control import ramped, tense
from poise.runtime.actor import Actor
from poise.runtime.anticipation import _kernels
from poise.runtime.anticipation.evade import Evade, Pacer
from poise.runtime.anticipation.hand_state_machine import HandStateMachine
from poise.runtime.anticipation.hands import SIDES, Arms, HandState
from poise.runtime.anticipation.meeting._kernels import touching
from poise.runtime.anticipation.options import AnticipationOptions
from poise.runtime.anticipation.senses import Percept, Senses
from poise.runtime.anticipation.situation import Situation
from poise.runtime.anticipation.startle import Startle
from poise.runtime.frame import Event
from poise.runtime.session import Session
from poise.world.obstacle_query import Obstacles

__all__ = ["Anticipate"]

Array = NDArray[np.float64]


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
        self._session, self._actor, self._plan, self._tick = session, actor, plan, session.clock.tick
        self._obstacles = Obstacles(session.world, session.setting.props)
        self._arms = Arms(plan, session.clock.tick)
        arms, gravity = self._arms, session.setting.gravity
        self._senses = Senses(plan, self._obstacles, self.options, arms.bodies[:, 0], arms.lengths, gravity)
        self._decisions = HandStateMachine(self._senses, self._arms, self.options)
        self.hands = [HandState(actor.tension.frequency) for _ in SIDES]
        """What either hand is about."""
        self._last = self._before = body_frames(plan, actor.source)
        self._meant, self._facing = body_frames(plan, actor.source), np.zeros((3, 3))
        self._meant_arrays = tuple(self._meant)
        self._facing[:] = self._senses.facing(self._before)
        self._joints = np.ascontiguousarray(arms.bodies - 1)
        self._hands, self._shoulders = np.zeros((2, 3)), np.zeros((2, 3))
        chest = self._senses.chest
        self._body = (plan.parents, plan.offsets, plan.bind_rotations, chest, plan.neutral[chest])
        self._first = True
        self._touch, self._touched = self._touch_table(), np.zeros((2, len(self._obstacles.names)), dtype=bool)
        self._push, self._felt = np.zeros(3), np.zeros((2, 3))
        masses, tick = self._senses.masses, session.clock.tick
        self._startle = Startle(session, actor, self._obstacles) if self.options.startle else None
        self._evade = Evade(plan, self._obstacles, self.options, tick, masses, gravity)
        self._pacer = Pacer(actor, self._obstacles, self.options, tick, masses, gravity)

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
        actor, contacts, tick = self._actor, self._session.contacts, self._tick
        left, right = self.hands
        percept = self._senses.perceive(begin, self._last, self._before, self._facing[0], tick)
        told = [("sees", which) for which in percept.noticed.tolist()]
        touching(
            contacts.pairs,
            contacts.impulse,
            contacts.normal,
            self._touch,
            (left.obstacle, right.obstacle),
            tick,
            self._touched,
            self._push,
            self._felt,
        )
        told += self._move_body(begin, percept)
        events: tuple[Event, ...] = ()
        if told:
            name, names = actor.layout.name, self._obstacles.names
            events = tuple(Event(begin, kind, f"{name} {names[which]}" if which >= 0 else name) for kind, which in told)
        if self._startle is not None:
            # Before the hands: they go by the trunk as it is, given way or coming back.
            events += self._startle.act(begin, percept.minded, (left.obstacle, right.obstacle))
        events += self._move_hands(begin, percept)
        self._tense()
        return events

    def _move_body(self, begin: float, percept: Percept) -> list[tuple[str, int]]:
        """Trunk, neck, head and pace."""
        told = self._evade.act(begin, self._actor.rows, percept, self._push)
        self._actor.changed |= self._evade.active
        return told + self._pacer.act(begin, self._push)

    def _move_hands(self, begin: float, percept: Percept) -> tuple[Event, ...]:
        actor, arms, states = self._actor, self._arms, self.hands
        moment = self._moment(begin, percept)
        told = self._decisions.decide(states, moment)
        arms.follow(actor.rows, states, moment.after, moment.faces, begin)
        actor.changed |= states[0].busy or states[1].busy
        self._last, self._before = self._before, moment.after
        self._facing[0] = self._facing[1]
        return tuple(Event(begin, kind, self._subject(hand)) for kind, hand in told) if told else ()

    def _moment(self, begin: float, percept: Percept) -> Situation:
        tick, actor, arms = self._tick, self._actor, self._arms
        before, bodies = self._before, len(self._plan)
        after = BodyFrames(np.empty((1, bodies, 3)), np.empty((1, bodies, 4)))
        _kernels.note_body(
            self._body,
            actor.rows,
            actor.before,
            before.positions[0],
            tuple(after),
            self._meant_arrays,
            self._facing,
            arms.bodies,
            arms.tracks,
            (self._shoulders, self._hands),
            (self.hands[0].busy, self.hands[1].busy),
            tick,
            self._first,
        )
        self._first = False
        return Situation(
            begin,
            tick,
            before,
            after,
            self._meant,
            self._hands,
            self._shoulders,
            self._facing[1],
            self._touched,
            self._felt,
            percept,
            self._evade.shields,
            self._evade.dodged,
        )

    def _tense(self) -> None:
        """Lead the arms' tension to what the rule says, over a while."""
        actor, adapts = self._actor, self.options.adapt
        own, (left, right) = actor.tension.frequency, self.hands
        for state in (left, right):
            wanted = state.tension if adapts and state.obstacle != NOTHING and state.tension > 0.0 else own
            state.frequency = ramped(state.frequency, wanted, self._tick)
        tense(actor.stiffness, actor.damping, self._joints, (left.frequency / own, right.frequency / own))

    def _subject(self, hand: int) -> str:
        obstacle = self.hands[hand].obstacle
        what = "" if obstacle == NOTHING else f" {self._obstacles.names[obstacle]}"
        return f"{self._actor.layout.name}/{SIDES[hand]}_hand{what}"

    def save(self) -> Any:
        """See `Stage.save`."""
        arms = self._arms
        kept = (self.hands, self._last, self._before, self._facing, self._first)
        kept_arms = (arms.turned, arms.memory, arms.poles.state, arms.tracks)
        rest = (self._evade.save(), self._pacer.save(), None if self._startle is None else self._startle.save())
        return copy.deepcopy((kept, kept_arms)), self._senses.save(), rest

    def restore(self, saved: Any) -> None:
        """See `Stage.restore`."""
        (kept, kept_arms), senses, (evade, pacer, startle) = copy.deepcopy(saved[0]), saved[1], saved[2]
        self.hands[:], self._last, self._before, self._facing[:], self._first = kept
        self._senses.restore(senses)
        arms = self._arms
        arms.turned[:], arms.memory[:], arms.poles.state[:], arms.tracks[:] = kept_arms
        self._evade.restore(evade)
        self._pacer.restore(pacer)
        if self._startle is not None:
            self._startle.restore(startle)
