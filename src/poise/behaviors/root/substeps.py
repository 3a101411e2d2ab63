"""What carries a root that yields over the substeps of a tick: the wrench on its pelvis, and legs led to carry it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.root import _kernels
from poise.behaviors.root.legs import Legs
from poise.behaviors.root.pressed import Pressed
from poise.body.layout import spin_columns
from poise.control.root import RootGains, root_wrench
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
        self._gains, self._held = gains, gains
        self._legs, self._pressed, self._clip, self._h = legs, pressed, clip, substep
        count = len(clip)
        self.aims = (np.zeros((count, 7)), np.zeros((count, 7)), np.zeros((count, 6)), np.zeros((count, 6)))
        self._feeds, self._lean, self._count = np.zeros((count, 6)), np.zeros(2), 0
        self._wrench, self._spin = np.zeros(6), np.zeros(3)
        self._columns = spin_columns(legs.bodies)

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
            shares = np.array([level, level, 1.0, tilt, tilt, 1.0])
            self._held = self._gains._replace(
                stiffness=shares * self._gains.stiffness, damping=shares * self._gains.damping
            )

    def act(self, own: OwnState, target: Array) -> None:
        """Before a substep."""
        row, self._count = self._count, self._count + 1
        legs, place, speed = self._legs, own.positions, own.velocities
        _, targets, speeds, rates = self.aims
        now, intended = (place[:7], speed[:6]), (targets[row], speeds[row])
        root_wrench(self._held, now, intended, self._feeds[row], self._lean, self._wrench, self._spin)
        own.applied[:6] += self._wrench
        own.damping[3:6] = self._spin
        self._pressed.ground(own)
        legs.row[0] = self._clip[row]
        legs.row[0, legs.carriers] = place[legs.carriers]
        goals = (legs.goals[row], legs.turns[row], legs.poles, legs.weights)
        ik = (legs.compiled, legs.settings, goals, legs.memory, legs.errors)
        led = legs.bodies, legs.beside[row]
        _kernels.lead_legs((place, speed), rates[row], self._h, ARMATURE, legs.row, led, ik, legs.forces)
        own.applied[self._columns] = legs.forces.ravel()
