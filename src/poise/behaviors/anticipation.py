"""Anticipation: sees, decides, leads the hands, tenses the arms, and lets what is hit unawares give way.

Its parts share what is perceived and act one after the other on one contribution: trunk, neck, head and pace (`evasion`), parts
that give way to a hit (`contact_compliance`), and the hands (`hands`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import NOTHING
from poise.behaviors.behavior import Behavior, Contribution, Part
from poise.behaviors.contact_compliance import Flinch, FlinchState, Startle, StartleState
from poise.behaviors.evasion import Evade, EvadeState, Pacer, PacerState, Underfoot, UnderfootState
from poise.behaviors.hands import SIDES, Arms, ArmsState, HandState, HandStateMachine, Situation
from poise.behaviors.hands.meeting._kernels import touching
from poise.behaviors.hands.noting._kernels import note_body
from poise.behaviors.perception import AnticipationOptions, Expectation, Percept, Senses, SensesState
from poise.behaviors.reference import Reference
from poise.behaviors.state import restore_state, saved_state
from poise.body.coordinates import BodyFrames, body_frames
from poise.control import ramped, tense
from poise.world.view import WorldView

__all__ = ["Anticipation", "AnticipationOptions", "AnticipationState", "Expectation"]

Array = NDArray[np.float64]


@dataclass
class AnticipationState:
    """What a character that anticipates remembers.

    Args:
        hands: What either hand is about.
        last: The body without its arms' gestures a tick ago (one row).
        before: The same now.
        facing: Where the chest faces, level: now, and at the end of the tick, shape (3, 3).
        first: Whether nothing was played yet.
        arms: How arms get where hands are led.
        senses: What was perceived.
        evade: Of trunk, neck and head.
        pacer: Of the pace.
        underfoot: Of what is in the way of feet.
        startle: Of parts that give way; None where none do.
        flinch: Of a hunch after a hit; None likewise.
    """

    hands: list[HandState]
    last: BodyFrames
    before: BodyFrames
    facing: Array
    first: bool
    arms: ArmsState
    senses: SensesState
    evade: EvadeState
    pacer: PacerState
    underfoot: UnderfootState
    startle: StartleState | None
    flinch: FlinchState | None


class Anticipation(Behavior[AnticipationState]):
    """Keeps the safety regions of a character free with its hands (Alvarado 2022, section 5).

        Session({"walker": walker}, scene, behaviors={"walker": [Anticipation()]})

    Arms have to be physical to give way; what follows the clip is led all the same.

    Args:
        options: How it anticipates.
    """

    claims = frozenset[Part]({"hands"})
    called = "anticipation"
    options: AnticipationOptions

    def __init__(self, options: AnticipationOptions | None = None) -> None:
        self.options = options or AnticipationOptions()

    @property
    def hands(self) -> list[HandState]:
        """What either hand is about."""
        return self.state.hands

    def start(self, view: WorldView, reference: Reference) -> Contribution:
        """See `Behavior.start`."""
        plan = reference.plan
        self._obstacles, self._arms = view.obstacles(), Arms(plan, reference.tick, self.options.leading)
        self._arms.start(reference.source)
        arms, obstacles = self._arms, self._obstacles
        self._startle = Startle(view, reference, obstacles, self.options.startling) if self.options.startle else None
        self._flinch = Flinch(plan, self.options.startling.flinching, reference.tick) if self._startle else None
        self._make_parts(view, reference)
        frames = body_frames(plan, reference.source)
        self.state = AnticipationState(
            hands=[HandState(reference.tension.frequency) for _ in SIDES],
            last=frames,
            before=frames,
            facing=np.tile(self._senses.facing(frames), (3, 1)),
            first=True,
            arms=arms.state,
            senses=self._senses.state,
            evade=self._evade.state,
            pacer=self._pacer.state,
            underfoot=self._underfoot.state,
            startle=None if self._startle is None else self._startle.state,
            flinch=None if self._flinch is None else self._flinch.state,
        )
        self._meant = body_frames(plan, reference.source)
        self._joints = np.ascontiguousarray(arms.bodies - 1)
        self._wrists, self._shoulders = np.zeros((2, 3)), np.zeros((2, 3))
        chest = self._senses.chest
        self._body = (plan.parents, plan.offsets, plan.bind_rotations, chest, plan.neutral[chest])
        self._touch = self._touch_table(view, reference)
        self._touched = np.zeros((2, len(obstacles.names)), dtype=bool)
        self._push, self._felt = np.zeros(3), np.zeros((2, 3))
        return Contribution(reference)

    def _make_parts(self, view: WorldView, reference: Reference) -> None:
        """What the options are about."""
        plan, obstacles, arms, options = reference.plan, self._obstacles, self._arms, self.options
        self._senses = Senses(plan, obstacles, options, arms.bodies[:, 0], arms.lengths, view.gravity)
        self._machine = HandStateMachine(self._senses, arms, options)
        masses = self._senses.masses
        self._evade = Evade(plan, obstacles, options, reference.tick, masses, view.gravity)
        self._pacer = Pacer(reference, obstacles, options, reference.tick, masses, view.gravity)
        self._underfoot = Underfoot(plan, obstacles, options, masses)

    def adopt(self, options: AnticipationOptions, view: WorldView, reference: Reference) -> None:
        """See `Behavior.adopt`."""
        self.options, state, remembered = options, self.state, saved_state(self.state)
        self._arms.adopt(options.leading)
        self._make_parts(view, reference)
        state.senses, state.evade, state.pacer = self._senses.state, self._evade.state, self._pacer.state
        state.underfoot = self._underfoot.state
        restore_state(state, remembered)

    def _touch_table(self, view: WorldView, reference: Reference) -> NDArray[np.int64]:
        """Of each geom, the hand whose arm it belongs to and the obstacle it belongs to, -1 for none, shape (geoms, 2)."""
        names = view.geoms.names
        table = np.full((len(names), 2), -1, dtype=np.int64)
        arms = {f"{reference.name}/{reference.plan.names[b]}": h for h in range(2) for b in self._arms.bodies[h]}
        obstacles = {name: number for number, name in enumerate(self._obstacles.names)}
        for geom, name in enumerate(names):
            table[geom, 0] = arms.get(name, -1)
            table[geom, 1] = obstacles.get(name, obstacles.get(name.split("/")[0], -1))
        return table

    def step(self, view: WorldView, reference: Reference, state: AnticipationState) -> Contribution:
        """See `Behavior.step`."""
        wanted, contacts = Contribution(reference), view.contacts
        (left, right), begin, tick = state.hands, reference.time, reference.tick
        wanted.edit_pose(moves=False)
        busy = (left.obstacle, right.obstacle)
        percept = self._senses.perceive(begin, state.last, state.before, state.facing[0], tick, busy)
        touched = (contacts.pairs, contacts.impulse, contacts.normal)
        touching(touched, self._touch, busy, tick, self._touched, self._push, self._felt)
        happened = [("sees", which) for which in percept.noticed.tolist()]
        happened += self._move_body(wanted, percept, busy)
        for kind, which in happened:
            subject = f"{reference.name} {self._obstacles.names[which]}" if which >= 0 else reference.name
            wanted.tell(begin, kind, subject)
        if self._startle is not None and self._flinch is not None:
            # Before the hands: they go by the trunk as it is, given way or coming back.
            self._startle.act(view, wanted, percept.minded, busy)
            self._flinch.act(wanted, self._startle.struck, (1.0 - left.ease, 1.0 - right.ease))
        self._move_hands(wanted, percept, state)
        self._tense(wanted, state)
        return wanted

    def _move_body(self, wanted: Contribution, percept: Percept, busy: tuple[int, int]) -> list[tuple[str, int]]:
        """Trunk, neck, head and pace."""
        begin, rows = wanted.reference.time, wanted.edit_pose(moves=False)
        happened = self._evade.act(begin, rows, percept, self._push, wanted.reference.carries, busy)
        wanted.moves |= self._evade.active
        wanted.displacement = self._evade.displacement
        wanted.pace, paced = self._pacer.act(begin, rows[-1], self._push)
        wanted.hurdles = self._underfoot.known(rows[-1])
        return happened + paced

    def _move_hands(self, wanted: Contribution, percept: Percept, state: AnticipationState) -> None:
        begin, rows = wanted.reference.time, wanted.edit_pose(moves=False)
        situation = self._situation(wanted, percept, state)
        happened = self._machine.decide(state.hands, situation)
        self._arms.follow(rows, state.hands, situation.after, situation.faces, begin)
        wanted.moves |= state.hands[0].busy or state.hands[1].busy or self._arms.away
        state.last, state.before = state.before, situation.after
        state.facing[0] = state.facing[1]
        for kind, hand in happened:
            wanted.tell(begin, kind, self._subject(wanted.reference.name, hand, state.hands[hand]))

    def _situation(self, wanted: Contribution, percept: Percept, state: AnticipationState) -> Situation:
        reference, arms, before = wanted.reference, self._arms, state.before
        bodies = len(reference.plan)
        after = BodyFrames(np.empty((1, bodies, 3)), np.empty((1, bodies, 4)))
        note_body(
            self._body,
            wanted.rows,
            arms.wished(wanted.starts),
            (before.positions[0], tuple(after), tuple(self._meant)),
            state.facing,
            (arms.bodies, arms.tracks, self._shoulders, self._wrists, (state.hands[0].busy, state.hands[1].busy)),
            reference.tick,
            state.first,
        )
        state.first = False
        return Situation(
            reference.time,
            reference.tick,
            before,
            after,
            self._meant,
            self._wrists,
            self._shoulders,
            state.facing[1],
            self._touched,
            self._felt,
            percept,
            self._evade.shields,
            self._evade.dodged,
        )

    def _tense(self, wanted: Contribution, state: AnticipationState) -> None:
        """Lead the arms' tension to what the rule says, over a while."""
        own, adapts, tick = wanted.reference.tension.frequency, self.options.adapt, wanted.reference.tick
        left, right = state.hands
        for hand in (left, right):
            goal = hand.tension if adapts and hand.obstacle != NOTHING and hand.tension > 0.0 else own
            hand.frequency = ramped(hand.frequency, goal, tick)
        if wanted.reference.tension.relax or wanted.reference.state.relax:
            relaxed = wanted.edit_relaxed()
            for joints, hand in zip(self._joints, (left, right), strict=True):
                relaxed[joints] *= hand.put_to_work(tick / self.options.leading.works)
        stiffness, damping = wanted.edit_gains()
        tense(stiffness, damping, self._joints, (left.frequency / own, right.frequency / own))

    def _subject(self, name: str, side: int, hand: HandState) -> str:
        what = "" if hand.obstacle == NOTHING else f" {self._obstacles.names[hand.obstacle]}"
        return f"{name}/{SIDES[side]}_hand{what}"
