"""Anticipation as a stage: sees, decides, leads the hands, tenses the arms, and lets what is hit unawares give way."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import NOTHING, Memory
from poise.body.coordinates import BodyFrames, body_frames
from poise.runtime.actor import Actor
from poise.runtime.anticipation import _kernels
from poise.runtime.anticipation.decide import Decisions
from poise.runtime.anticipation.evade import Evade, Pacer
from poise.runtime.anticipation.hands import SIDES, Arms, HandState
from poise.runtime.anticipation.moment import Moment
from poise.runtime.anticipation.options import AnticipationOptions
from poise.runtime.anticipation.senses import Percept, Senses
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
        self._arms = Arms(plan, session.clock.tick)
        arms, gravity = self._arms, session.setting.gravity
        self._senses = Senses(plan, self._obstacles, self.options, arms.bodies[:, 0], arms.lengths, gravity)
        self._decisions = Decisions(self._senses, self._arms, self.options)
        self.hands = [HandState(actor.tension.frequency) for _ in SIDES]
        """What either hand is about."""
        self._memory = Memory(len(self._obstacles.names))
        self._last = self._before = body_frames(plan, actor.source)
        self._first = True
        self._touch, self._touched = self._touch_table(), np.zeros((2, len(self._obstacles.names)), dtype=bool)
        self._forces, self._felt = np.zeros((2, 3)), np.zeros((2, 3))
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
        actor, contacts, tick = self._actor, self._session.contacts, self._session.clock.tick
        before, new = self._before, self._memory.last == -np.inf
        percept = self._senses.perceive(begin, self._last, before, tick, self._memory)
        told = [("sees", int(which)) for which in np.flatnonzero(new & percept.minded)] if percept.urgent else []
        about = np.array([state.obstacle for state in self.hands])
        _kernels.touching(
            contacts.pairs,
            contacts.impulse,
            contacts.normal,
            self._touch,
            about,
            tick,
            self._touched,
            self._forces,
            self._felt,
        )
        told += self._move_body(begin, percept)
        name, names = self._actor.layout.name, self._obstacles.names
        events = tuple(Event(begin, kind, f"{name} {names[which]}" if which >= 0 else name) for kind, which in told)
        if self._startle is not None:
            # Before the hands: they go by the trunk as it is, given way or coming back.
            events += self._startle.act(begin, percept.minded, [self._busy(state) for state in self.hands])
        after = body_frames(self._plan, actor.rows[-1])
        events += self._move_hands(begin, before, after, percept)
        self._last, self._before = before, after
        self._tense()
        return events

    def _move_body(self, begin: float, percept: Percept) -> list[tuple[str, int]]:
        """Trunk, neck, head and pace."""
        push = self._forces.sum(axis=0)
        push[2] = 0.0
        told = self._evade.act(begin, self._actor.rows, percept, push)
        self._actor.changed |= self._evade.active
        return told + self._pacer.act(begin, push)

    def _move_hands(self, begin: float, before: BodyFrames, after: BodyFrames, percept: Percept) -> tuple[Event, ...]:
        actor, arms = self._actor, self._arms
        moment = self._moment(begin, before, after, percept)
        told = self._decisions.decide(self.hands, moment)
        arms.follow(actor.rows, self.hands, self._decisions.goals, after, moment.meant, moment.faces, begin)
        actor.changed |= self.hands[0].busy or self.hands[1].busy
        return tuple(Event(begin, kind, self._subject(hand)) for kind, hand in told)

    def _moment(self, begin: float, before: BodyFrames, after: BodyFrames, percept: Percept) -> Moment:
        tick, arms = self._session.clock.tick, self._arms
        meant = body_frames(self._plan, self._actor.before)
        faces, hands, roots = self._senses.facing(after), arms.bodies[:, 2], arms.bodies[:, 0]
        _kernels.note_hands(
            arms.tracks,
            (meant.positions[0], meant.rotations[0]),
            (before.positions[0], after.positions[0]),
            hands,
            roots,
            # From the trunk as it was in the end: a part that gives way to a hit may have moved it.
            (self._senses.facing(meant), percept.faces, faces),
            np.array([state.busy for state in self.hands]),
            tick,
            self._first,
        )
        self._first = False
        return Moment(
            time=begin,
            tick=tick,
            before=before,
            after=after,
            meant=meant,
            hands=meant.positions[0, hands],
            shoulders=after.positions[0, arms.bodies[:, 0]],
            faces=faces,
            touching=self._touched,
            felt=self._felt,
            percept=percept,
            shields=self._evade.shields,
            dodged=self._evade.dodged,
        )

    def _busy(self, state: HandState) -> tuple[int, ...]:
        """What a hand deals with on purpose."""
        return () if state.obstacle == NOTHING else (state.obstacle,)

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
        kept = (self.hands, self._memory.last, self._last, self._before, self._first)
        kept_senses = (self._senses.course, self._senses.count)
        kept_arms = (arms.turned, arms.memory, arms.poles.state, arms.tracks)
        rest = (self._evade.save(), self._pacer.save(), None if self._startle is None else self._startle.save())
        return copy.deepcopy((kept, kept_senses, kept_arms)), rest

    def restore(self, saved: Any) -> None:
        """See `Stage.restore`."""
        (kept, kept_senses, kept_arms), (evade, pacer, startle) = copy.deepcopy(saved[0]), saved[1]
        self.hands[:], self._memory.last[:], self._last, self._before, self._first = kept
        self._senses.course[:], self._senses.count = kept_senses
        arms = self._arms
        arms.turned[:], arms.memory[:], arms.poles.state[:], arms.tracks[:] = kept_arms
        self._evade.restore(evade)
        self._pacer.restore(pacer)
        if self._startle is not None:
            self._startle.restore(startle)
