"""Which part of a body gives way to a hit that no hand was ready for."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import NOTHING
from poise.anticipation.startling import Startling
from poise.behaviors.behavior import Contribution
from poise.behaviors.contact_compliance import _kernels
from poise.behaviors.contact_compliance.contact_compliance import ComplianceState, ContactCompliance
from poise.behaviors.contact_compliance.hits import Hit, Hits
from poise.behaviors.reference import Reference
from poise.body.plan import BodyPlan
from poise.signals import Surroundings
from poise.world.view import WorldView

__all__ = ["Startle", "StartleState"]

_ARM = ("upper_arm", "forearm")
_PARTS = ("spine", "neck", "clavicle", *_ARM)
"""Those that are admissible."""


@dataclass
class StartleState:
    """Anchors of the parts that give way or come back now, and what each part remembers, in the order of their anchors."""

    active: list[int]
    parts: list[ComplianceState]


class Startle:
    """Temporary anchors: an unexpected hit on the upper body makes the nearest admissible part at or above it physical.

    Spine, neck, clavicles, upper arms and forearms are admissible; the spine gives way from its lowest joint and takes neck
    and head along, but no clavicle: arms push off from there. For the same reason a clavicle is admissible only while its
    hand has nothing to do. The part takes pose and velocity as they are, goes soft, carries the contact's torque more and
    more, and is led back onto its motion; a strong hit takes the spine along. Arms that are physical anyway go soft and carry.

    Args:
        view: The world.
        reference: Who is hit.
        obstacles: What may hit.
        startling: What counts as a hit, and how parts give way.

    Attributes:
        struck: Momentum of what suddenly hit in the last tick, less where it was seen to come [kg m/s]; 0 for nothing.
    """

    def __init__(
        self, view: WorldView, reference: Reference, obstacles: Surroundings, startling: Startling | None = None
    ) -> None:
        own = self._startling = startling or Startling()
        plan = self._plan = reference.plan
        self._name = reference.name
        self._anchors = {body: anchor for body in range(1, len(plan)) if (anchor := _anchor(plan, body)) > 0}
        self._parts = {
            anchor: ContactCompliance(
                plan, _reach(plan, anchor), own.softest_neck if _part(plan, anchor) == "neck" else own.softest, own
            )
            for anchor in sorted(set(self._anchors.values()))
        }
        self._clavicles = [next(iter(plan.with_role(f"{side}_clavicle")), -1) for side in ("left", "right")]
        self._hits = Hits(view, reference, obstacles, self._anchors, own)
        self.state = StartleState([], [part.state for part in self._parts.values()])
        self._owners = np.full(len(view.geoms.bodies), -1, dtype=np.int64)
        for body, number in enumerate(view.body_numbers(reference.name)):
            self._owners[view.geoms.bodies == number] = body
        self._torques = np.zeros((len(plan), 3))
        self.struck = 0.0

    def act(
        self,
        view: WorldView,
        wanted: Contribution,
        minded: NDArray[np.bool_],
        busy: tuple[int, int] = (NOTHING, NOTHING),
    ) -> None:
        """Let parts give way when something is about to hit them; take them back when it is over.

        Tells "startled" where a part begins to give way, "recovered" when it is back.

        Args:
            view: The world.
            wanted: What this tick shall be; written.
            minded: Whether each obstacle is seen or remembered; a part that sees it come is braced. Shape (P,).
            busy: The obstacle that either hand, left and right, deals with on purpose; `NOTHING` for none.
        """
        self.struck = 0.0
        hits, active = self._hits.find(busy, view), self.state.active
        if not hits and not active:
            return
        at_work = [anchor for anchor, obstacle in zip(self._clavicles, busy, strict=True) if obstacle != NOTHING]
        for hit in hits:
            self._give_way(hit, view, wanted, minded, at_work)
        self._feel(view, wanted)
        for anchor in list(active):
            part = self._parts[anchor]
            if anchor in at_work:
                part.hurry()
            if part.act(self._torques, view, wanted):
                wanted.tell(wanted.reference.time, "recovered", self._subject(part.state.body))
                active.remove(anchor)
                part.rest()

    def _give_way(
        self,
        hit: Hit,
        view: WorldView,
        wanted: Contribution,
        minded: NDArray[np.bool_],
        at_work: Collection[int],
    ) -> None:
        """The part that is hit, and what carries it where the hit is too strong for it."""
        obstacle, name = self._hits.source(hit)
        slackest = self._startling.braced if obstacle >= 0 and minded[obstacle] else 1.0
        anchor = self._anchors[hit.body]
        above = self._carrier(anchor)
        if anchor in at_work:
            anchor = above
        held = (each for each in self.state.active if each not in at_work and hit.body in self._parts[each].held)
        anchor = next(held, anchor)
        for part in (anchor, above) if hit.momentum > self._startling.strong else (anchor,):
            if self._begin(part, hit.body, slackest, wanted):
                subject = f"{self._subject(self._parts[part].state.body)} {name}"
                wanted.tell(wanted.reference.time, "startled", subject)
                if self._hits.speed(hit, view) > self._startling.flinching.sudden:
                    self.struck = max(self.struck, slackest * hit.momentum)

    def _begin(self, anchor: int, body: int, slackest: float, wanted: Contribution) -> bool:
        """Whether a part begins to give way that did not before."""
        active, taken = self.state.active, np.zeros(len(self._plan), dtype=np.bool_)
        for each in active:
            taken[self._parts[each].held] |= each != anchor
        if not self._parts[anchor].hit(body, taken, slackest, wanted):
            return False
        if anchor not in active:
            active.append(anchor)
            active.sort()
        return True

    def _carrier(self, anchor: int) -> int:
        """The part of the trunk that carries one, or itself where there is none."""
        plan, body = self._plan, anchor
        while body > 0 and _part(plan, body) != "spine":
            body = int(plan.parents[body])
        return self._anchors.get(body, anchor)

    def _subject(self, body: int) -> str:
        return f"{self._name}/{self._plan.body_roles[body] or self._plan.names[body]}"

    def _feel(self, view: WorldView, wanted: Contribution) -> None:
        """The torque of the last tick's contacts about every joint."""
        contacts = view.contacts
        _kernels.contact_torques(
            (contacts.pairs, contacts.impulse, contacts.point, contacts.normal),
            1.0 / wanted.reference.tick,
            self._owners,
            self._plan.parents,
            view.body_numbers(self._name),
            (view.bodies.positions, view.bodies.rotations),
            self._torques,
        )


def _part(plan: BodyPlan, body: int) -> str:
    """Role of a body without its side."""
    role = plan.body_roles[body] or ""
    return role.removeprefix("left_").removeprefix("right_")


def _reach(plan: BodyPlan, anchor: int) -> list[int]:
    """Bodies that give way together: all below the anchor, but from the spine no shoulders."""
    if _part(plan, anchor) != "spine":
        return list(plan.subtree(anchor))
    shoulders = {b for c in plan.subtree(anchor) if _part(plan, c) in ("clavicle", *_ARM) for b in plan.subtree(c)}
    return [body for body in plan.subtree(anchor) if body not in shoulders]


def _anchor(plan: BodyPlan, body: int) -> int:
    """The nearest admissible body at or above one, and on up while the part is the same; 0 where there is none."""
    while body > 0 and _part(plan, body) not in _PARTS:
        body = int(plan.parents[body])
    while body > 0 and _part(plan, int(plan.parents[body])) == _part(plan, body):
        body = int(plan.parents[body])
    return body
