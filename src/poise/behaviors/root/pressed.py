"""What presses legs that are led to their places."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from poise.math import quat
from poise.world.command import OwnState
from poise.world.view import WorldView

__all__ = ["Pressed"]


class Pressed:
    """Lets the ground bear what presses a character's legs.

    Args:
        view: The world.
        name: The character.
        legs: Numbers of the legs' bodies in its plan.
        most: How hard what presses the legs shoves the pelvis at most [N].

    Attributes:
        legs: Which geoms are of legs that are led, shape (geoms,): legs that yield feel what presses them themselves.
    """

    def __init__(self, view: WorldView, name: str, legs: NDArray[np.int64], most: float) -> None:
        self._view, self._most = view, most
        numbers = view.body_numbers(name)
        self._own = np.isin(view.geoms.bodies, numbers)
        self.legs = np.isin(view.geoms.bodies, numbers[legs])

    def ground(self, own: OwnState) -> None:
        """What presses the legs goes into the ground they stand on, but for as much as a body is shoved by.

        A foot that is led to its place cannot give way, and a pelvis that felt all of what presses it would be driven off for
        as long as it is there. Taken from the substep before, which leaves no more than its last one in the end.
        """
        if not self._view.touches:
            return
        pressed = self._view.pressed(self.legs, self._own, own.positions[:3])
        size = math.sqrt(pressed[:3].dot(pressed[:3]))
        if size > self._most:
            share = 1.0 - self._most / size
            own.applied[:3] -= share * pressed[:3]
            own.applied[3:6] -= share * quat.rotate(quat.conj(own.positions[3:7]), pressed[3:])
