"""What carries a root that yields over the substeps of a tick: the wrench on its pelvis, and legs led to carry it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.root import _kernels
from poise.behaviors.root.legs import Legs
from poise.behaviors.root.pressed import Pressed
from poise.control.root import RootGains
from poise.world.command import OwnState
from poise.world.cut import ARMATURE

__all__ = ["Substeps"]

Array = NDArray[np.float64]


class Substeps:
    """Called before each substep.

    Args:
        gains: Of the pelvis' drive.
        legs: What they are led by.
        pressed: What presses them.
        clip: The clip's poses at the ends of the substeps, shape (n, nq); followed.
        substep: Length of a substep [s].

    Attributes:
        aims: Intended root at each substep's end (n, 7); at its beginning (n, 7); velocity before it (n, 6); acceleration (n,
            6).
    """

    def __init__(self, gains: RootGains, legs: Legs, pressed: Pressed, clip: Array, substep: float) -> None:
        self._legs, self._pressed, self._clip, self._settings = legs, pressed, clip, (substep, ARMATURE)
        count = len(clip)
        self.aims = (np.zeros((count, 7)), np.zeros((count, 7)), np.zeros((count, 6)), np.zeros((count, 6)))
        self._feeds, self._lean, self._count = np.zeros((count, 6)), np.zeros(2), 0
        self._gains = self._held = (gains.stiffness, gains.damping, gains.limits, gains.neutral)
        self._wrench, self._spin = np.zeros(6), np.zeros(3)

    def begin(self, feeds: Array, lean: Array, hold: tuple[float, float] = (1.0, 1.0)) -> None:
        """Begin a tick.

        Args:
            feeds: Wrench that the motion needs at each substep [N, N m], shape (n, 6).
            lean: Level force against what lasts [N], shape (2,).
            hold: Shares of its hold that the servo has, level and against tilt.
        """
        self._feeds, self._lean, self._count = feeds, lean, 0
        self._held = self._gains
        if hold != (1.0, 1.0):
            level, tilt = hold
            shares, (stiffness, damping, limits, neutral) = np.array([level, level, 1.0, tilt, tilt, 1.0]), self._gains
            self._held = (shares * stiffness, shares * damping, limits, neutral)

    def act(self, own: OwnState, target: Array) -> None:
        """Before a substep."""
        number, self._count = self._count, self._count + 1
        legs, state = self._legs, (own.positions, own.velocities, own.applied, own.damping)
        pelvis = (self._feeds, self._lean, self._held, self._wrench, self._spin)
        _kernels.bear(number, state, self.aims[1:], pelvis, self._clip, legs.led, self._settings)
        self._pressed.ground(own)
