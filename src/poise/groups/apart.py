"""People of a group who each decide for themselves, by what they saw of one another a moment ago."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise import parameters
from poise.characters.character import Character
from poise.errors import InputError
from poise.groups.group import Group, Input
from poise.groups.person import Person
from poise.groups.tracking.follower import Follower
from poise.qp import Controller, Step
from poise.qp.contacts import Touch
from poise.world.system import System
from poise.world.system.system import State
from poise.world.things import Thing

__all__ = ["Apart", "ApartOptions"]

Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class ApartOptions:
    """How people know of one another who each decide for themselves.

    Raises:
        InputError: A number is out of range.
    """

    delay: float = parameters.number(
        0.15,
        0.0,
        1.0,
        "s",
        says="from what others do to when it is known",
        source="100 to 250 ms are a person's; after a second nobody reacts any more, but plans",
    )
    predicting: bool = parameters.switch(
        True, says="whether others are taken to be where they must be by now, or where they were seen"
    )
    feeling: bool = parameters.switch(True, says="whether those who predict feel the others through what all hold")
    patience: float = parameters.number(
        1.5,
        0.1,
        100.0,
        says="how many delays it takes until somebody who does not do what was expected is believed",
        source="a delay alone swings to and fro",
    )
    gives: float = parameters.number(
        1e-6,
        1e-12,
        1.0,
        says="share by which what is felt of contacts gives",
        source="those of a straight limb ask for the impossible",
    )

    def __post_init__(self) -> None:
        parameters.check(self, "apart")


class Apart:
    """A group in which everybody solves a program of their own.

    Each of them has the whole group in mind: themselves and what they handle as they are, since that is felt; the others as
    they were seen a reaction time ago or, if they are any good at it, where they must be by now. That they tell by their
    own program, whose solution is about the others too; where what was expected differs from what is then seen, they
    slowly come round to it. What both hold both feel: in everybody's mind the others' hands are where it is and move with it,
    and their feet stand. From that solution they take the torques of their own joints. What comes of everybody's
    torques is the contacts' business: forces are those of the equation of motion, not those that anybody counted on.
    Phases begin for all at once, as if somebody called them out.

    Args:
        make: Makes the group, always the same.
        options: How they know of one another.
        leader: Who takes the group's inputs at once; the others hear of them a delay later. None for all at once.

    Raises:
        InputError: Somebody has no torque limits or the leader does not exist.
    """

    def __init__(
        self, make: Callable[[], Group], options: ApartOptions | None = None, *, leader: str | None = None
    ) -> None:
        self.options = options or ApartOptions()
        truth = self._truth = make()
        strong = [name for name, who in truth.people.items() if who.strong]
        if strong:
            raise InputError(f"who decides alone has torque limits; {', '.join(strong)} has none")
        if leader is not None and leader not in truth.people:
            raise InputError(f"there is no {leader!r} to lead; there are {', '.join(truth.people)}")
        delay = self.options.delay
        self._minds = {name: make() for name in truth.people}
        for name, mind in self._minds.items():
            mind.postpone_inputs(0.0 if leader in (None, name) else delay)
        truth.controller.go_limp()
        length = round(delay / truth.controller.step) + 1
        self._seen: deque[State] = deque(maxlen=length)
        # What each expects of the others: as it is now, last, and as it was, as long ago as what is seen.
        self._expected: dict[str, deque[State]] = {name: deque([truth.system.state()], length) for name in self._minds}

    @property
    def people(self) -> Mapping[str, Person | Follower]:
        """Who they are."""
        return self._truth.people

    @property
    def things(self) -> tuple[Thing, ...]:
        """What they handle."""
        return self._truth.things

    @property
    def system(self) -> System:
        """Everything as it really is."""
        return self._truth.system

    @property
    def controller(self) -> Controller:
        """The contacts that hold, and what pushes from outside."""
        return self._truth.controller

    @property
    def taken(self) -> tuple[Input, ...]:
        """See `Group.taken`; the others hear of them later."""
        return self._truth.taken

    def characters(self, seconds: float, rate: float = 50.0) -> dict[str, Character]:
        """See `Group.characters`."""
        return self._truth.characters(seconds, rate)

    def advance(self) -> tuple[Step, tuple[str, ...]]:
        """One step of everybody; what really happened, and what there is to tell."""
        truth, controller = self._truth, self._truth.controller
        begun = truth.update()
        messages = [] if begun is None else [begun]
        now = truth.system.state()
        self._seen.append(now)
        for name, mind in self._minds.items():
            others = [other for other in truth.people if other != name]
            self._suppose(name, begun, now, others)
            step = mind.controller.solve()
            mind.system.advance(step.accelerations, mind.controller.step)
            self._expected[name].append(mind.system.state())
            own = np.isin(mind.controller.former.muscled, truth.system.dofs_of(name))
            controller.drive(mind.controller.former.muscled[own], step.torques[own])
            messages += [
                f"{name} counts on {gave.name} to give way, {gave.kind.value}" for gave in step.relaxations[:1]
            ]
        step = controller.advance()
        messages += [f"{gave.name} gives way, {gave.kind.value} by {gave.miss:.2g}" for gave in step.relaxations[:1]]
        return step, tuple(messages)

    def _suppose(self, name: str, begun: str | None, now: State, others: Sequence[str]) -> None:
        """What somebody has in mind: the state as they think it is, and the phase that all are in."""
        mind, expected, seen = self._minds[name], self._expected[name], self._seen[0]
        options = self.options
        if options.predicting:
            share = min(mind.controller.step / (options.patience * options.delay), 1.0) if options.delay else 1.0
            seen = expected[-1] = mind.system.nudged(expected[-1], share, expected[0], seen)
        mind.system.suppose(now, seen, others)
        if options.predicting and options.feeling and options.delay:
            _feel(mind, others, options.gives)
        mind.controller.time = self._truth.controller.time
        mind.controller.fade()
        mind.take_inputs()
        mind.sway()
        if mind.machine is not None:
            mind.machine.follow(begun)
        for held in mind.controller.touches.values():
            # What was seen of somebody agrees to the millimetre with nothing, and a contact stops what differs at once.
            held.felt = options.delay == 0.0 or not _of(held, others)

    def keepsake(self) -> Any:
        """Everything remembered; a copy (`poise.behaviors.state`)."""
        minds = {name: mind.keepsake() for name, mind in self._minds.items()}
        expected = {name: list(states) for name, states in self._expected.items()}
        return self._truth.keepsake(), minds, list(self._seen), expected

    def take_back(self, saved: Any) -> None:
        """Go back to what `keepsake` gave."""
        truth, minds, seen, expected = saved
        self._truth.take_back(truth)
        for name, mind in minds.items():
            self._minds[name].take_back(mind)
        self._seen = deque(seen, self._seen.maxlen)
        self._expected = {name: deque(states, self._seen.maxlen) for name, states in expected.items()}


def _feel(mind: Group, others: Sequence[str], gives: float) -> None:
    """Bring the others in somebody's mind to where what they hold and stand on is, and to how it moves.

    Both feel what both hold: who holds it firmly moves with it, however late anything else of them is seen. Of all
    corrections that make contacts hold, the one that moves the least mass.
    """
    system = mind.system
    owned = [held for held in mind.controller.touches.values() if _of(held, others) and held.release is None]
    if not owned:
        return
    for held in owned:
        held.refresh(system)
    dofs = np.concatenate([system.dofs_of(other) for other in others])
    jacobian = np.concatenate([held.jacobian[:, dofs] for held in owned])
    missed = np.stack(
        [np.concatenate([held.error for held in owned]), np.concatenate([held.twist for held in owned])], axis=1
    )
    lighter = np.linalg.solve(system.mass_matrix[np.ix_(dofs, dofs)], jacobian.T)
    coupled = jacobian @ lighter
    coupled[np.diag_indices_from(coupled)] += gives * np.trace(coupled) / len(coupled)
    change = np.zeros((system.size, 2))
    change[dofs] = -lighter @ np.linalg.solve(coupled, missed)
    system.shift(np.ascontiguousarray(change[:, 0]), np.ascontiguousarray(change[:, 1]))


def _of(held: Touch, owners: Sequence[str]) -> bool:
    """Whether a contact is one of theirs."""
    return bool({held.contact.first.split("/")[0], held.contact.second.split("/")[0]} & set(owners))
