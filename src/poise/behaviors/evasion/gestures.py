"""What trunk, neck and head do about what comes: look at it, lean into it, give way to it."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import NOTHING
from poise.anticipation.evasion import tilt
from poise.behaviors.evasion.balancing import Balancing
from poise.behaviors.evasion.bending import Bending
from poise.behaviors.evasion.displacing import Displacing, DisplacingState
from poise.behaviors.evasion.dodge import Dodge, DodgeState, Shield
from poise.behaviors.evasion.eased import Eased, EasedState
from poise.behaviors.evasion.look import Look, LookState
from poise.behaviors.evasion.settling import Settling, SettlingState
from poise.behaviors.perception.options import AnticipationOptions
from poise.behaviors.perception.senses import Percept
from poise.body.plan import BodyPlan
from poise.signals import Surroundings

__all__ = ["Evade", "EvadeState"]

Array = NDArray[np.float64]

_UPRIGHT = np.zeros((1, 3))


@dataclass
class EvadeState:
    """What trunk, neck and head remember."""

    look: LookState
    dodge: DodgeState
    lean: SettlingState
    bend: SettlingState
    aside: DisplacingState
    numbers: EasedState


class Evade:
    """The gestures of trunk, neck and head of one character (Alvarado 2022 leaves them to the clip).

    Args:
        plan: Its body.
        surroundings: What stands around.
        options: How it anticipates.
        tick: Length of a tick [s].
        masses: Of the obstacles, as they seem [kg], shape (P,).
        gravity: [m/s²].

    Attributes:
        active: Whether the last tick's rows were changed.
    """

    def __init__(
        self,
        plan: BodyPlan,
        surroundings: Surroundings,
        options: AnticipationOptions,
        tick: float,
        masses: Array,
        gravity: float,
    ) -> None:
        self._weight = plan.total_mass * gravity
        self._plan, self._evasion, self._tick = plan, options.evasion, tick
        self._look = Look(plan, masses, self._evasion, tick)
        self._dodge = Dodge(plan, surroundings, self._evasion, options.heaviest, masses, tick)
        self._bending, self._balancing = Bending(plan, options.evasion.dodging.spine), Balancing(plan)
        self._numbers = Eased(np.append(Balancing.numbers(plan, options.evasion), options.evasion.dodging.spine))
        self._lean, self._bend, self._aside = Settling(1), Settling(1), Displacing()
        lean, bend, aside = self._lean.state, self._bend.state, self._aside.state
        self.state = EvadeState(self._look.state, self._dodge.state, lean, bend, aside, self._numbers.state)
        self.active = False

    @property
    def shields(self) -> tuple[Shield, ...]:
        """Hands that go before the face in this tick, since what comes at the head cannot be avoided."""
        return self._dodge.shields

    @property
    def displacement(self) -> Array | None:
        """Where the pelvis goes beside its motion, level and up [m], shape (3,); None for nowhere."""
        return None if self._aside.at_rest else self._aside.state.value

    @property
    def dodged(self) -> int:
        """The obstacle that is dodged, `NOTHING` for none."""
        return self._dodge.state.at

    def act(
        self,
        begin: float,
        rows: Array,
        percept: Percept,
        push: Array,
        carries: bool,
        busy: tuple[int, int],
    ) -> list[tuple[str, int]]:
        """Move spine, neck and head of `rows` (n, nq), in place.

        Args:
            begin: Time at the beginning of the tick [s].
            rows: Generalized positions at the end of each substep.
            percept: What is perceived.
            push: Level force of what the hands push on the body in the last tick [N], shape (3,).
            carries: Whether legs carry the pelvis where it is sent.
            busy: What either hand is about, `NOTHING` for none.

        Returns:
            What is worth telling: kind and obstacle.
        """
        happened = self._dodge.act(begin, rows, percept, self._aside.state.value if carries else None)
        before = self._aside.state.value.copy()
        self._go_aside(begin)
        numbers = self._numbers.state.values.copy()
        if self._aside.at_rest and self._bend.at_rest:
            self._numbers.jump()
        else:
            self._numbers.follow(self._evasion.leaning.quickness, self._tick)
        goal, bent = _UPRIGHT, 0.0
        if self._dodge.state.at != NOTHING:
            goal, bent = self._dodge.state.goal[None], max(map(abs, self._dodge.state.goal.tolist()))
        self.active = self._lean_into(rows, push, percept.faces) | self._give_way(rows, goal, bent > 0.0)
        if carries and (before.any() or not self._aside.at_rest):
            self._balancing.act(rows, (before, self._aside.state.value), (numbers, self._numbers.state.values))
            self.active = True
        looked = self._look.act(begin, rows, percept, max(1.0 - bent / self._evasion.looking.busy, 0.0), busy)
        self.active |= self._look.active
        return happened if looked == NOTHING else [*happened, ("look", looked)]

    def _lean_into(self, rows: Array, push: Array, faces: Array) -> bool:
        """Lean into a push; whether there was anything to do."""
        force, goal, leaning = hypot(push[0], push[1]), _UPRIGHT, self._evasion.leaning
        if force >= leaning.least and self._evasion.lean > 0.0:
            goal = tilt(-push, faces, min(self._evasion.lean_angle(force, self._weight), self._evasion.lean))[None]
        elif self._lean.at_rest:
            return False
        self._bending.lean(rows, self._lean.follow(goal, leaning.quickness, leaning.fastest, self._tick, len(rows)))
        return True

    def _go_aside(self, begin: float) -> None:
        """Carry the pelvis out of the way of what comes, and back."""
        dodge, dodging = self._dodge.state, self._evasion.dodging
        if np.count_nonzero(dodge.shift):
            self._aside.follow(dodge.shift, max(dodge.arrives - begin, dodging.there), self._tick)
        elif not self._aside.at_rest:
            self._aside.follow(dodge.shift, dodging.back, self._tick)

    def _give_way(self, rows: Array, goal: Array, bends: bool) -> bool:
        """Bend out of the way of what comes; whether there was anything to do."""
        if self._bend.at_rest and not bends:
            return False
        self._bending.divide(float(self._numbers.state.values[-1]))
        quickness = self._evasion.dodging.quickness if bends else self._evasion.dodging.returns
        self._bending.bend(
            rows, self._bend.follow(goal, quickness, self._evasion.leaning.fastest, self._tick, len(rows))
        )
        return True
