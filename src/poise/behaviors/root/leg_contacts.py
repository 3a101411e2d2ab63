"""What legs meet: what touches them, what comes near them, and other people's legs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.reference import Reference
from poise.behaviors.root import _kernels
from poise.behaviors.root.legs import Legs
from poise.control.root import Yielding
from poise.world.view import WorldView

__all__ = ["LegContacts"]

Array = NDArray[np.float64]


class LegContacts:
    """Looks out for the legs of one character.

    Args:
        view: The world.
        reference: Who it is.
        legs: Its legs.
        yielding: What is near.
    """

    def __init__(self, view: WorldView, reference: Reference, legs: Legs, yielding: Yielding) -> None:
        self._view, self._obstacles = view, view.obstacles()
        flies = np.array(self._obstacles.kinds) == "ball"
        self._heavy = flies | (self._obstacles.masses >= yielding.heavy)
        self._fixed = np.isinf(self._obstacles.masses)
        self._some, self._none = bool(self._heavy.any()), np.zeros(2, dtype=bool)
        plan, numbers = reference.plan, view.body_numbers(reference.name)
        self._own = np.isin(view.geoms.bodies, numbers)
        limbs = [list(plan.subtree(int(hip))) for hip in legs.hips]
        self.geoms = np.stack([np.isin(view.geoms.bodies, numbers[limb]) for limb in limbs])
        """Which geoms are of each leg, shape (2, geoms)."""
        self._feet = numbers[legs.feet]
        below = [numbers[limb[1:]] for limb in limbs]
        self._spots, self._first = np.concatenate(below), len(below[0])
        others = [view.body_numbers(name) for name in view.characters if name != reference.name]
        self._others = np.concatenate(others) if others else np.zeros(0, dtype=np.int64)
        self._reach, self._lead = yielding.near * plan.size, yielding.lead
        self._looks = self._some or bool(len(self._others))
        self._farther = (yielding.people - yielding.near) * plan.size
        count, bodies = len(self._spots), view.bodies
        self._leads, self._places, self._reaches = np.full(count, yielding.lead), np.zeros((count, 3)), np.zeros(count)
        self._moving = (bodies.roots, bodies.positions, bodies.twists, bodies.centers)

    def matter(self) -> bool:
        """Whether there is anything to meet."""
        return bool(len(self._others) or len(self._obstacles.names))

    def pressed(self, tick: float) -> Array:
        """How hard each leg was pressed in the last tick by what is not its own body [N], shape (2,)."""
        contacts, found = self._view.contacts, np.zeros(2)
        if len(contacts.pairs):
            foreign = ~self._own[contacts.pairs[:, ::-1]]
            for leg in range(2):
                mine = self.geoms[leg][contacts.pairs] & foreign
                signs = mine[:, 1].astype(np.float64) - mine[:, 0]
                found[leg] = np.linalg.norm((signs * contacts.impulse) @ contacts.normal) / tick
        return found

    def foot(self, foot: int) -> tuple[Array, Array]:
        """Where a foot is [m] and how fast it goes [m/s], shape (3,) each."""
        self._obstacles.refresh()
        bodies, body = self._view.bodies, self._feet[foot]
        twist, arm = bodies.twists[body], bodies.positions[body] - bodies.centers[bodies.roots[body]]
        return bodies.positions[body], twist[3:] + np.cross(twist[:3], arm)

    def near(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Whether anything heavy or flying is near each leg below its hip, and what no led leg meets, shape (2,) both.

        The latter is what is fixed, and anybody else, whose legs are led, too.
        """
        if not self._looks:
            return self._none, self._none
        self._obstacles.refresh()
        bodies, spots, reaches = self._view.bodies, self._spots, self._reaches
        _kernels.leg_reaches(spots, self._moving, (self._reach, self._lead), self._places, reaches)
        things, firm = np.zeros(len(spots), dtype=bool), np.zeros(len(spots), dtype=bool)
        if self._some:
            found = self._obstacles.nearest(self._places, reaches, self._leads)
            closing = np.einsum("spk,spk->sp", found.velocity, found.normal)
            close = found.distance < reaches[:, None] + self._lead * np.maximum(closing, 0.0)
            things[:], firm[:] = (close & self._heavy).any(axis=1), (close & self._fixed).any(axis=1)
        if len(self._others):
            reaches += self._farther
            _kernels.mark_close(bodies.positions, spots, self._others, reaches, firm)
        return self._each(things), self._each(firm)

    def _each(self, close: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Whether any joint of each leg is, shape (2,)."""
        return np.array([close[: self._first].any(), close[self._first :].any()])
