"""How feet stand: which part of each sole is on the ground, and how far the body may lean on it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import body_frames
from poise.body.plan import BodyPlan
from poise.control.balance import Soles
from poise.control.bearing import StandingFeet
from poise.locomotion.soles import FEET, find_sole
from poise.math import quat
from poise.signals import Ground
from poise.world.view import WorldView

__all__ = ["FeetDown"]

Array = NDArray[np.float64]

_BALL = 18
"""Points of a sole's grid up to the ball: toes bend, and do not carry."""


class FeetDown:
    """Left and right foot of one character.

    Args:
        plan: Its body.
        name: What it is called.
        standing: When they stand.

    Raises:
        InputError: It has no two feet with soles.
    """

    def __init__(self, plan: BodyPlan, name: str, standing: StandingFeet) -> None:
        self._plan, self._name, self._standing = plan, name, standing
        self._soles = [find_sole(plan, role) for role in FEET]
        self.bodies: NDArray[np.int64] = np.array([sole.body for sole in self._soles])
        """Left and right, shape (2,)."""
        self._grids = np.array([sole.grid()[:_BALL] for sole in self._soles])

    def touch(self, view: WorldView) -> NDArray[np.bool_]:
        """Whether each foot stood on something in the last tick, shape (2,)."""
        contacts, own = view.contacts, view.body_numbers(self._name)
        pairs = view.geoms.bodies[contacts.pairs]
        up = contacts.normal[:, 2, None] * np.array([-1.0, 1.0])
        foreign = ~np.isin(pairs, own)[:, ::-1]
        bears = foreign & (up > np.cos(self._standing.upward)) & (contacts.impulse > 0.0)[:, None]
        return np.array([bool((bears & (pairs == own[foot])).any()) for foot in self.bodies])

    def of(self, rows: Array) -> Array:
        """Places of the ankles [m] and how the feet are turned in a pose (nq,) or poses (T, nq), shape (2, 7) or (T, 2, 7)."""
        frames = body_frames(self._plan, rows)
        feet = np.concatenate([frames.positions[:, self.bodies], frames.rotations[:, self.bodies]], axis=2)
        return feet if rows.ndim > 1 else np.asarray(feet[0])

    def stand(self, before: Array, after: Array, tick: float, on: tuple[Ground, float]) -> NDArray[np.bool_]:
        """Whether feet stand that go from there (2, 7) to here in a tick [s], on a ground at a time [s], shape (2,)."""
        points, above = self._over(after, *on)
        way = (points - self._points(before))[..., :2]
        slowest = np.sqrt((way * way).sum(axis=2).min(axis=1))
        return np.asarray((above.min(axis=1) < self._standing.low) & (slowest < self._standing.slow * tick))

    def away(self, real: Array, aimed: Array, on: tuple[Ground, float]) -> Array:
        """How far what feet (2, 7) press on a ground at a time [s] is beside where they were aimed to be [m], shape (2, 3)."""
        here, above = self._over(real, *on)
        there, pressed = self._points(aimed), self._pressed(above)
        return np.array([(here[foot, part] - there[foot, part]).mean(axis=0) for foot, part in enumerate(pressed)])

    def soles(self, feet: Array, on: tuple[Ground, float]) -> Soles:
        """The part of the sole of each foot (2, 7) that would be pressed onto a ground at a time [s]."""
        points, above = self._over(feet, *on)
        ahead = points[:, -2] - points[:, 1]
        ahead[:, 2] = 0.0
        ahead /= np.maximum(np.linalg.norm(ahead, axis=1, keepdims=True), 1e-9)
        middles, halves = np.empty((2, 3)), np.empty((2, 2))
        for foot, pressed in enumerate(self._pressed(above)):
            part = points[foot, pressed]
            axes = np.array([ahead[foot, :2], (-ahead[foot, 1], ahead[foot, 0])])
            along = part[:, :2] @ axes.T
            halves[foot] = 0.5 * np.ptp(along, axis=0)
            middles[foot, :2] = 0.5 * (along.max(axis=0) + along.min(axis=0)) @ axes
            middles[foot, 2] = part[:, 2].mean()
        return Soles(middles, ahead[:, :2].copy(), halves)

    def _points(self, feet: Array) -> Array:
        """Points of both soles (2, k, 3) of feet (2, 7)."""
        return np.asarray(feet[:, None, :3] + quat.rotate(feet[:, None, 3:], self._grids))

    def _over(self, feet: Array, ground: Ground, time: float) -> tuple[Array, Array]:
        """Points of the soles (2, k, 3) of feet (2, 7), and how far they are above the ground, infinite over a hole, (2, k)."""
        points = self._points(feet)
        height = ground.height(points[..., :2], time)
        return points, np.where(np.isnan(height), np.inf, points[..., 2] - height)

    def _pressed(self, above: Array) -> list[NDArray[np.bool_]]:
        """Which points of each sole press on the ground, of their heights over it (2, k)."""
        return [height <= height.min() + self._standing.presses for height in above]
