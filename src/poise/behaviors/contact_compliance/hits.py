"""What is about to hit a character hard, or just did, where no hand is ready for it."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.anticipation.startling import Startling
from poise.behaviors.contact_compliance import _kernels
from poise.behaviors.reference import Reference
from poise.signals import Surroundings
from poise.world.view import Geoms, WorldView

__all__ = ["Hit", "Hits"]

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

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
        view: The world.
        reference: Whose body it is.
        obstacles: What may hit it. What is fixed cannot: it never meets a body that follows its clip.
        bodies: Which bodies are watched.
        startling: What counts as a hit.
    """

    def __init__(
        self,
        view: WorldView,
        reference: Reference,
        obstacles: Surroundings,
        bodies: Collection[int],
        startling: Startling,
    ) -> None:
        plan, geoms, numbers = reference.plan, view.geoms, view.body_numbers(reference.name)
        self._names, self._geom_names = obstacles.names, geoms.names
        number = {int(numbers[body]): body for body in bodies}
        own = np.array([geom for geom, body in enumerate(geoms.bodies.tolist()) if body in number], dtype=np.int64)
        self._bodies = np.array([number[int(geoms.bodies[geom])] for geom in own], dtype=np.int64)
        cores = np.array([_core(geoms.kinds[g], geoms.sizes[g], geoms.bounds[g]) for g in own])
        roles = [plan.body_roles[body] or "" for body in self._bodies]
        self._arms = np.array([_arm_of(role) for role in roles], dtype=np.int64)
        self._limits = np.array([startling.head if role in ("neck", "head") else startling.elsewhere for role in roles])
        middle = max((body for body in bodies if plan.body_roles[body] == "spine"), default=0)
        self._own = (
            own,
            numbers[self._bodies],
            self._arms,
            cores.reshape(-1, 4),
            self._limits,
            int(numbers[middle]),
        )
        self._slots = np.full(len(geoms.names), -1, dtype=np.int64)
        self._slots[own] = np.arange(len(own))
        self._others = _others(view, reference.name, obstacles)
        self._things = _things(geoms, view.bodies.inverse_masses, self._others)
        self._world = (
            geoms.kinds,
            geoms.sizes,
            geoms.bounds,
            (geoms.positions, geoms.rotations),
            (view.bodies.twists, view.bodies.centers, view.bodies.roots),
            view.bodies.positions,
        )
        self._rules = (
            *(startling.around * plan.stature, startling.ticks * reference.tick, startling.closing, startling.flies),
            *(startling.touches, startling.at_once),
        )
        self._what, self._momenta = np.full(len(own), -1, dtype=np.int64), np.zeros(len(own))

    def find(self, busy: tuple[int, int], view: WorldView) -> list[Hit]:
        """What is about to hit the body, or hit it in the last tick.

        Args:
            busy: The obstacle each hand deals with, `NOTHING` for none. What it does is no surprise, unless it flies past the
                hand; and the arm of a hand that has something to do is ready for anything.
            view: The world.
        """
        contacts, what, momenta = view.contacts, self._what, self._momenta
        count = _kernels.approaching(self._own, self._things, self._world, busy, self._rules, what, momenta)
        if len(contacts.pairs):
            touched, geoms = (contacts.pairs, contacts.impulse), (self._slots, self._others)
            count += _kernels.felt(touched, geoms, self._arms, self._limits, busy, what, momenta)
        if not count:
            return []
        return [Hit(int(self._bodies[i]), int(what[i]), float(momenta[i])) for i in np.flatnonzero(what >= 0)]

    def source(self, hit: Hit) -> tuple[int, str]:
        """Which obstacle hits, -1 where it is another character, and its name."""
        obstacle = int(self._others[hit.by])
        return obstacle, self._names[obstacle] if obstacle >= 0 else self._geom_names[hit.by]

    def speed(self, hit: Hit, view: WorldView) -> float:
        """How fast what hits moves itself [m/s]: what one walks into does not."""
        body, bodies = int(view.geoms.bodies[hit.by]), view.bodies
        spin, drift = bodies.twists[body, :3], bodies.twists[body, 3:]
        return float(
            np.linalg.norm(drift + np.cross(spin, view.geoms.positions[hit.by] - bodies.centers[bodies.roots[body]]))
        )


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


def _others(view: WorldView, character: str, obstacles: Surroundings) -> Indices:
    """Obstacle of each of the world's geoms, -1 for another character's, -2 for what does not count."""
    index = {name: number for number, name in enumerate(obstacles.names)}
    rivals = {int(body) for name in view.characters if name != character for body in view.body_numbers(name)}
    result = np.full(len(view.geoms.names), -2, dtype=np.int64)
    for geom, name in enumerate(view.geoms.names):
        body = int(view.geoms.bodies[geom])
        if body in rivals:
            result[geom] = -1
        elif view.bodies.inverse_masses[body] > 0.0:
            result[geom] = index.get(name, index.get(name.split("/")[0], -2))
    return result


def _things(geoms: Geoms, inverse_masses: Array, others: Indices) -> tuple[Indices, Indices, Indices, Array]:
    """Geoms of obstacles that can move, with their bodies, obstacles and the mass one feels in hitting them."""
    things = np.flatnonzero(others >= 0)
    return things, geoms.bodies[things], others[things], 1.0 / inverse_masses[geoms.bodies[things]]
