"""A motion as phases: each wants something, makes and breaks contacts, and ends when its condition is met.

This is the state machine of Vaillant 2017, section 3.6. A phase leaves nothing behind but the contacts it was to make or break:
what it wanted is taken away again, and what that stood in for comes back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from poise.errors import InputError
from poise.qp.contacts import Contact
from poise.qp.controller import Controller
from poise.qp.force_task import ForceTask
from poise.qp.momentum import MomentumTask
from poise.qp.tasks import FrameTask, Task

__all__ = ["AT_HAND", "Condition", "Machine", "Phase", "all_of", "lasting", "reached"]

AT_HAND = 0.05
"""What is farther than this from where a task wanted it is not in the hand that would close round it [m]: a palm's width."""

Condition = Callable[[Controller, float], bool]
"""Whether a phase is over, from the controller and the time since the phase began [s]."""


def lasting(seconds: float) -> Condition:
    """Over after a while [s]."""
    return lambda controller, time: time >= seconds - 1e-9


def reached(task: str, within: float, speed: float = 0.05, patience: float = 8.0) -> Condition:
    """Over when a task's feature is at its target and slow.

    Args:
        task: Its name.
        within: Distance from the target [m or rad].
        speed: Of the feature [m/s or rad/s].
        patience: Over in any case after so long [s]: what cannot be reached does not hold up everything, but a phase that
            would hold it then is refused.

    Raises:
        InputError: When it is asked, where the task is a force's or momentum's.
    """

    def over(controller: Controller, time: float) -> bool:
        wanted = controller.tasks[task]
        if isinstance(wanted, ForceTask | MomentumTask):
            raise InputError(
                f"task {task!r} is about a force or momentum, which is not reached by a way; end its phase otherwise"
            )
        feature = wanted.feature(controller.system)
        arrived = np.linalg.norm(feature.error) < within and np.linalg.norm(feature.rate) < speed
        return bool(arrived) or time >= patience

    return over


def all_of(*conditions: Condition) -> Condition:
    """Over when all of several are."""
    return lambda controller, time: all(condition(controller, time) for condition in conditions)


@dataclass(kw_only=True, eq=False)
class Phase:
    """One phase of a motion.

    Args:
        name: What to call it.
        tasks: What is wanted while it lasts, by name; given as functions they are asked when it begins.
        touch: Contacts made when it begins; given as functions they are asked then.
        release: Contacts that are let go when it begins.
        until: Whether it is over.
        each: Called before every step with the time since it began [s]: targets that move.
        next: The phase after it; None for the one that follows in the list.
    """

    name: str
    tasks: Mapping[str, Task | Callable[[Controller], Task]] = field(default_factory=dict)
    touch: Sequence[Contact | Callable[[Controller], Contact]] = ()
    release: Sequence[str] = ()
    until: Condition = field(default_factory=lambda: lasting(1.0))
    each: Callable[[Controller, float], None] | None = None
    next: str | None = None


class Machine:
    """Goes from phase to phase; after the last one stays in it.

    Args:
        phases: In order.
        controller: Whom they command.

    Raises:
        InputError: There are no phases, two have the same name, or one leads to a phase that does not exist.
    """

    def __init__(self, phases: Sequence[Phase], controller: Controller) -> None:
        names = [phase.name for phase in phases]
        if not phases or len(set(names)) != len(names):
            raise InputError(f"a motion needs phases with names of their own; got {', '.join(names) or 'none'}")
        for phase in phases:
            if phase.next is not None and phase.next not in names:
                raise InputError(f"phase {phase.name!r} leads to {phase.next!r}; there are {', '.join(names)}")
        self.phases, self.controller = tuple(phases), controller
        self._names = names
        self._at = -1
        self._since = 0.0
        self._before: dict[str, Task | None] = {}

    @property
    def phase(self) -> str:
        """Name of the phase it is in; "" before the first."""
        return self._names[self._at] if self._at >= 0 else ""

    def update(self) -> str | None:
        """Before a step: go on where the phase is over, and let it do its part; the name of a phase that begins now."""
        begun = None
        if self._at < 0:
            begun = self._enter(0)
        elif self.phases[self._at].until(self.controller, self.controller.time - self._since):
            following = self._following()
            if following is not None:
                begun = self._enter(following)
        phase = self.phases[self._at]
        if phase.each is not None:
            phase.each(self.controller, self.controller.time - self._since)
        return begun

    def follow(self, begun: str | None) -> None:
        """As `update`, but going on where another machine of the same phases did: what began there, or nothing."""
        if begun is not None:
            self.go(begun)
        each = self.phases[self._at].each
        if each is not None:
            each(self.controller, self.controller.time - self._since)

    def go(self, name: str) -> None:
        """Begin a phase now, whatever the one before was at."""
        if name not in self._names:
            raise InputError(f"there is no phase {name!r}; there are {', '.join(self._names)}")
        self._enter(self._names.index(name))

    def _following(self) -> int | None:
        phase = self.phases[self._at]
        if phase.next is not None:
            return self._names.index(phase.next)
        return self._at + 1 if self._at + 1 < len(self.phases) else None

    def _enter(self, number: int) -> str:
        phase, controller = self.phases[number], self.controller
        contacts = [each if isinstance(each, Contact) else each(controller) for each in phase.touch]
        for contact in contacts:
            self._check_at_hand(phase.name, contact)
        self._leave()
        self._at, self._since = number, controller.time
        for name in phase.release:
            controller.release(name)
        for contact in contacts:
            controller.touch(contact)
        for name, wanted in phase.tasks.items():
            self._before[name] = controller.tasks.get(name)
            controller.want(name, wanted if isinstance(wanted, Task) else wanted(controller))
        return phase.name

    def _check_at_hand(self, phase: str, contact: Contact) -> None:
        """Refuse to hold a thing that a task did not bring to the hand: patience ran out, and it would hold air.

        Raises:
            InputError: It is farther than 5 cm from where the task wants it.
        """
        for task in self.controller.tasks.values():
            between = isinstance(task, FrameTask) and {task.body, task.against} == {contact.first, contact.second}
            if not between or contact.first == "world":
                continue
            away = float(np.linalg.norm(task.feature(self.controller.system).error[:3]))
            if away > AT_HAND:
                raise InputError(
                    f"{contact.second} would hold {contact.first} from {100.0 * away:.0f} cm away: it is out of reach there, "
                    "and needs steps, another place, or more patience",
                    source=f"phase {phase!r}",
                )

    def _leave(self) -> None:
        tasks = self.controller.tasks
        for name, before in self._before.items():
            if before is None:
                tasks.pop(name, None)
            else:
                tasks[name] = before
        self._before = {}

    def save(self) -> Any:
        """What is remembered; a copy."""
        return self._at, self._since, dict(self._before)

    def restore(self, saved: Any) -> None:
        """Go back to what `save` gave."""
        self._at, self._since, before = saved
        self._before = dict(before)
