"""Which part of a body gives way to a hit that no hand was ready for."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import NOTHING
from poise.body.plan import BodyPlan
from poise.runtime.actor import Actor
from poise.runtime.anticipation.startle import _kernels
from poise.runtime.anticipation.startle.contact_compliance import ContactCompliance
from poise.runtime.anticipation.startle.hits import Hit, Hits
from poise.runtime.frame import Event
from poise.runtime.session import Session
from poise.signals import Surroundings

__all__ = ["Startle"]

_ARM = ("upper_arm", "forearm")
_SOFTEST = {"spine": 1.0, "neck": 1.5, "clavicle": 1.0, "upper_arm": 1.0, "forearm": 1.0}
"""The parts that are admissible, and their tension when they are hit unawares [Hz]."""
_STRONG = 3.0
"""A hit with more momentum than this is too much for an arm, a shoulder or the head alone [kg m/s]."""
_BRACED = 0.5
"""How much of its tension a part loses that is hit by what was seen to come; unawares, all there is to lose."""


class Startle:
    """Temporary anchors: an unexpected hit on the upper body makes the nearest admissible part at or above it physical.

    Spine, neck, clavicles, upper arms and forearms are admissible; the spine gives way from its lowest joint and takes neck
    and head along, but no clavicle: arms push off from there. For the same reason a clavicle is admissible only while its
    hand has nothing to do. The part takes pose and velocity as they are, goes soft, carries the contact's torque more and
    more, and is led back onto its motion; a strong hit takes the spine along. Arms that are physical anyway go soft and carry.

    Args:
        session: The session.
        actor: Who is hit.
        obstacles: What may hit.
    """

    def __init__(self, session: Session, actor: Actor, obstacles: Surroundings) -> None:
        plan = actor.character.plan
        self._session, self._actor, self._names = session, actor, obstacles.names
        self._anchors = {body: anchor for body in range(1, len(plan)) if (anchor := _anchor(plan, body)) > 0}
        self._parts = {
            anchor: ContactCompliance(
                session, actor, _reach(plan, anchor), _SOFTEST[_part(plan, anchor)], arm=_part(plan, anchor) in _ARM
            )
            for anchor in sorted(set(self._anchors.values()))
        }
        self._clavicles = [next(iter(plan.with_role(f"{side}_clavicle")), -1) for side in ("left", "right")]
        self._hits = Hits(session, actor, obstacles, self._anchors)
        self._active: list[int] = []
        model = session.world.model
        self._owners = np.full(model.ngeom, -1, dtype=np.int64)
        for body, number in enumerate(actor.layout.bodies):
            self._owners[model.geom_bodyid == number] = body
        self._torques = np.zeros((len(plan), 3))

    def act(
        self, begin: float, minded: NDArray[np.bool_], busy: tuple[int, int] = (NOTHING, NOTHING)
    ) -> tuple[Event, ...]:
        """Let parts give way when something is about to hit them; take them back when it is over.

        Args:
            begin: Time at the beginning of the tick [s].
            minded: Whether each obstacle is seen or remembered; a part that sees it come is braced. Shape (P,).
            busy: The obstacle that either hand, left and right, deals with on purpose; `NOTHING` for none.

        Returns:
            "startled" where a part begins to give way, "recovered" when it is back.
        """
        hits = self._hits.find(busy)
        if not hits and not self._active:
            return ()
        at_work = [anchor for anchor, obstacle in zip(self._clavicles, busy, strict=True) if obstacle != NOTHING]
        events: tuple[Event, ...] = ()
        for hit in hits:
            events += self._give_way(hit, begin, minded, at_work)
        self._feel()
        for anchor in list(self._active):
            part = self._parts[anchor]
            if anchor in at_work:
                part.hurry()
            if part.act(begin, self._torques):
                events += (Event(begin, "recovered", self._subject(part.state.body)),)
                self._active.remove(anchor)
                part.rest()
        return events

    def _give_way(
        self, hit: Hit, begin: float, minded: NDArray[np.bool_], at_work: Collection[int]
    ) -> tuple[Event, ...]:
        """The part that is hit, and what carries it where the hit is too strong for it."""
        obstacle, name = self._hits.source(hit)
        slackest = _BRACED if obstacle >= 0 and minded[obstacle] else 1.0
        anchor = self._anchors[hit.body]
        above = self._carrier(anchor)
        if anchor in at_work:
            anchor = above
        held = (each for each in self._active if each not in at_work and hit.body in self._parts[each].held)
        anchor = next(held, anchor)
        events: tuple[Event, ...] = ()
        for part in (anchor, above) if hit.momentum > _STRONG else (anchor,):
            if self._begin(part, begin, hit.body, slackest):
                events += (Event(begin, "startled", f"{self._subject(self._parts[part].state.body)} {name}"),)
        return events

    def _begin(self, anchor: int, begin: float, body: int, slackest: float) -> bool:
        """Whether a part begins to give way that did not before."""
        taken = np.zeros(len(self._actor.modes), dtype=np.bool_)
        for each in self._active:
            taken[self._parts[each].held] |= each != anchor
        if not self._parts[anchor].hit(begin, body, taken, slackest):
            return False
        if anchor not in self._active:
            self._active = sorted([*self._active, anchor])
        return True

    def _carrier(self, anchor: int) -> int:
        """The part of the trunk that carries one, or itself where there is none."""
        plan, body = self._actor.character.plan, anchor
        while body > 0 and _part(plan, body) != "spine":
            body = int(plan.parents[body])
        return self._anchors.get(body, anchor)

    def _subject(self, body: int) -> str:
        plan = self._actor.character.plan
        return f"{self._actor.layout.name}/{plan.body_roles[body] or plan.names[body]}"

    def _feel(self) -> None:
        """The torque of the last tick's contacts about every joint."""
        contacts, layout, data = self._session.contacts, self._actor.layout, self._session.world.data
        _kernels.contact_torques(
            contacts.pairs,
            contacts.impulse,
            contacts.point,
            contacts.normal,
            1.0 / self._session.clock.tick,
            self._owners,
            self._actor.character.plan.parents,
            layout.bodies,
            data.xpos,
            data.xmat,
            self._torques,
        )

    def save(self) -> Any:
        """See `Stage.save`."""
        return {anchor: self._parts[anchor].state.copy() for anchor in self._active}

    def restore(self, saved: Any) -> None:
        """See `Stage.restore`."""
        for part in self._parts.values():
            part.rest()
        self._active = sorted(saved)
        for anchor, state in saved.items():
            self._parts[anchor].state = state.copy()


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
    while body > 0 and _part(plan, body) not in _SOFTEST:
        body = int(plan.parents[body])
    while body > 0 and _part(plan, int(plan.parents[body])) == _part(plan, body):
        body = int(plan.parents[body])
    return body
