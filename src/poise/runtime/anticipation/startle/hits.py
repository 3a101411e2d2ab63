"""What is about to hit a character hard, or just did, where no hand is ready for it."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.runtime.actor import Actor
from poise.runtime.anticipation.startle import _kernels
from poise.runtime.session import Session
from poise.signals import Surroundings

__all__ = ["Hit", "Hits"]

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

_HEAD, _ELSEWHERE = 0.3, 1.0
"""Momentum of the obstacle that a head, and any other part, does not give way to [kg m/s]."""
_TICKS = 2.0
"""A hit is told this many ticks before it happens: the part has to be physical by then."""
_SLOW = 0.5
"""What closes in more slowly does not hit [m/s]."""
_FLIES = 2.0
"""What moves faster than this has got past the hand that was to meet it [m/s]."""
_RULES = (_SLOW, _FLIES)
_SIDES = ("left", "right")


class Hit(NamedTuple):
    """Something that hits a body.

    Args:
        body: Which.
        by: The world's geom that hits it.
        momentum: With which momentum [kg m/s].
    """

    body: int
    by: int
    momentum: float


class Hits:
    """Watches the upper body; one compiled pass per tick over what is near.

    Args:
        session: The session.
        actor: Whose body it is.
        obstacles: What may hit it. What is fixed cannot: it never meets a body that follows its clip.
        bodies: Which bodies are watched.
    """

    def __init__(self, session: Session, actor: Actor, obstacles: Surroundings, bodies: Collection[int]) -> None:
        plan, layout, model, data = actor.character.plan, actor.layout, session.world.model, session.world.data
        self._session, self._names = session, obstacles.names
        number = {int(layout.bodies[body]): body for body in bodies}
        geoms = [geom for geom in range(model.ngeom) if int(model.geom_bodyid[geom]) in number]
        self._bodies = np.array([number[int(model.geom_bodyid[geom])] for geom in geoms], dtype=np.int64)
        cores = np.array([_core(model.geom_type[g], model.geom_size[g], model.geom_rbound[g]) for g in geoms])
        roles = [plan.body_roles[body] or "" for body in self._bodies]
        self._arms = np.array([_arm_of(role) for role in roles], dtype=np.int64)
        self._limits = np.array([_HEAD if role in ("neck", "head") else _ELSEWHERE for role in roles])
        middle = max((body for body in bodies if plan.body_roles[body] == "spine"), default=0)
        self._own = (
            np.array(geoms, dtype=np.int64),
            layout.bodies[self._bodies],
            self._arms,
            cores.reshape(-1, 4),
            self._limits,
            int(layout.bodies[middle]),
        )
        self._slots = np.full(model.ngeom, -1, dtype=np.int64)
        self._slots[geoms] = np.arange(len(geoms))
        self._others = _others(session, actor, obstacles)
        self._things = _things(session, self._others)
        self._world = (
            np.array(model.geom_type, dtype=np.int64),
            np.array(model.geom_size),
            np.array(model.geom_rbound),
            (data.geom_xpos, data.geom_xmat),
            (data.cvel, data.subtree_com, np.array(model.body_rootid, dtype=np.int64)),
            data.xpos,
        )
        self._reach = 0.65 * plan.stature
        self._ahead = _TICKS * session.clock.tick
        self._what, self._momenta = np.full(len(geoms), -1, dtype=np.int64), np.zeros(len(geoms))

    def find(self, busy: tuple[int, int]) -> list[Hit]:
        """What is about to hit the body, or hit it in the last tick.

        Args:
            busy: The obstacle each hand deals with, `NOTHING` for none. What it does is no surprise, unless it flies past the
                hand; and the arm of a hand that has something to do is ready for anything.
        """
        contacts, what, momenta = self._session.contacts, self._what, self._momenta
        count = _kernels.approaching(
            self._own, self._things, self._world, busy, self._reach, self._ahead, _RULES, what, momenta
        )
        if len(contacts.pairs):
            count += _kernels.felt(
                contacts.pairs,
                contacts.impulse,
                self._slots,
                self._others,
                self._arms,
                self._limits,
                busy,
                what,
                momenta,
            )
        if not count:
            return []
        return [Hit(int(self._bodies[i]), int(what[i]), float(momenta[i])) for i in np.flatnonzero(what >= 0)]

    def source(self, hit: Hit) -> tuple[int, str]:
        """Which obstacle hits, -1 where it is another character, and its name."""
        obstacle = int(self._others[hit.by])
        return obstacle, self._names[obstacle] if obstacle >= 0 else self._session.world.geom_names[hit.by]


def _core(kind: int, size: Array, bound: float) -> tuple[float, float, float, float]:
    """A shape as a segment with a radius: radius, half length, axis, bounding radius."""
    if kind != _kernels.BOX:
        return float(size[0]), float(size[1]) if kind == _kernels.CAPSULE else 0.0, 2.0, bound
    axis = int(np.argmax(size))
    radius = float(np.delete(size, axis).max())
    return radius, float(size[axis]) - radius, float(axis), bound


def _arm_of(role: str) -> int:
    """Which arm a body belongs to, -1 for none; the clavicle belongs to the trunk."""
    side, _, part = role.partition("_")
    return _SIDES.index(side) if part in ("upper_arm", "forearm", "hand") else -1


def _others(session: Session, actor: Actor, obstacles: Surroundings) -> Indices:
    """Obstacle of each of the world's geoms, -1 for another character's, -2 for what does not count."""
    index = {name: number for number, name in enumerate(obstacles.names)}
    rivals = {
        int(body) for name, other in session.world.layouts.items() if name != actor.layout.name for body in other.bodies
    }
    result = np.full(len(session.world.geom_names), -2, dtype=np.int64)
    for geom, name in enumerate(session.world.geom_names):
        body = int(session.world.model.geom_bodyid[geom])
        if body in rivals:
            result[geom] = -1
        elif session.world.model.body_invweight0[body, 0] > 0.0:
            result[geom] = index.get(name, index.get(name.split("/")[0], -2))
    return result


def _things(session: Session, others: Indices) -> tuple[Indices, Indices, Indices, Array]:
    """Geoms of obstacles that can move, with their bodies, obstacles and the mass one feels in hitting them."""
    model = session.world.model
    weights = np.array(model.body_invweight0)[model.geom_bodyid, 0]
    geoms = np.flatnonzero(others >= 0)
    return geoms, np.array(model.geom_bodyid[geoms], dtype=np.int64), others[geoms], 1.0 / weights[geoms]
