"""The compliant root as two behaviors around all others of its character.

The front one plans the feet and tells the others where the body really is; the back one takes the pose they made of it and says
what the root aims at, or lets the body fall.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from poise.behaviors.behavior import Behavior, Contribution, Part
from poise.behaviors.falling import Fall, FallState
from poise.behaviors.reference import Reference
from poise.behaviors.root.root import CompliantRoot
from poise.behaviors.root.state import RootState
from poise.body.plan import BodyPlan
from poise.control.root import Root, RootChange
from poise.errors import InputError
from poise.ik.limbs import LimbSolver
from poise.world.command import Soften
from poise.world.view import WorldView

__all__ = ["can_yield", "surrounded"]


def can_yield(plan: BodyPlan) -> bool:
    """Whether a body has what a compliant root needs: two legs with feet, and arms."""
    try:
        solver = LimbSolver(plan)
    except InputError:
        return False
    feet = [solver.bodies[solver.names.index(name), 2] for name in ("left_foot", "right_foot")]
    return bool(min(feet) >= 0)


def surrounded(
    root: CompliantRoot, behaviors: Sequence[Behavior[Any]], first: Root, changes: Sequence[RootChange]
) -> list[Behavior[Any]]:
    """The behaviors of a character with its compliant root around those that are not its own motion.

    Args:
        root: The root.
        behaviors: Those the character has.
        first: What the root is at first.
        changes: What it becomes.
    """
    own, others = ([each for each in behaviors if each.is_motion is motion] for motion in (True, False))
    back = CompliantBack(root)
    return [*own, CompliantFront(root, back, first, changes), *others, back]


class CompliantFront(Behavior[RootState]):
    claims = frozenset[Part]({"pelvis"})
    only_yields = True

    def __init__(self, root: CompliantRoot, back: CompliantBack, first: Root, changes: Sequence[RootChange]) -> None:
        self._root, self._back, self._first = root, back, first
        self._changes = sorted(changes, key=lambda each: each.time)

    def start(self, view: WorldView, reference: Reference) -> Contribution:
        self._root.start(view, reference)
        self._root.become(self._first)
        for change in self._changes:
            self._root.check(change.root)
        self.state = self._root.state
        wanted = Contribution(reference)
        wanted.commands.append(Soften(reference.name, *self._root.flesh))
        return wanted

    def step(self, view: WorldView, reference: Reference, state: RootState) -> Contribution:
        if self._back.fall.falls:
            return Contribution(reference)
        due = [each for each in self._changes[state.changes :] if each.time <= reference.time + 1e-9]
        for change in due:
            self._root.become(change.root)
        state.changes += len(due)
        wanted = self._root.look(view, reference)
        self._back.fall.brace(view, wanted, float(np.hypot(*self._root.beside)) if self._root.may_fall else 0.0)
        return wanted


class CompliantBack(Behavior[FallState]):
    only_yields = True

    def __init__(self, root: CompliantRoot) -> None:
        self._root = root

    def start(self, view: WorldView, reference: Reference) -> Contribution:
        self.fall = Fall(view, reference, self._root.falling, self._root.catches)
        self.state = self.fall.state
        return Contribution(reference)

    def _gives_up(self, view: WorldView, reference: Reference) -> bool:
        if self._root.is_physical:
            self.fall.watch(view, reference, self._root.beside)
            return self._root.lost
        return self._root.may_fall and self.fall.begins(view, reference, self._root.beside)

    def step(self, view: WorldView, reference: Reference, state: FallState) -> Contribution:
        fall, root, wanted = self.fall, self._root, Contribution(reference)
        if not fall.falls:
            if not self._gives_up(view, reference):
                return root.lead(view, reference)
            root.let_go(wanted)
            fall.begin(view, reference, wanted)
        fall.act(view, reference, wanted)
        return wanted
