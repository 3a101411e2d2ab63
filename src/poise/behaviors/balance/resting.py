"""Trunk, arms and head of a walker who was stopped: they go on as they moved, and come to rest hanging at ease."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.behavior import Contribution
from poise.behaviors.reference import Reference
from poise.body.layout import turn_slice
from poise.ik import relaxed_positions
from poise.math import quat
from poise.math.easing import rest_curve

__all__ = ["Resting"]

Array = NDArray[np.float64]

_STEP = 1e-3
"""Between instants of the clip whose differences give velocity and acceleration [s]."""


@dataclass(frozen=True, eq=False)
class Resting:
    """The way of some joints to rest.

    Args:
        bodies: Whose joints, shape (n,).
        begin: When they set out [s].
        duration: How long it takes [s].
        rest: Generalized positions at ease, shape (nq,).
        curves: Rotation vector from there to each joint, as a polynomial of time, shape (n, 6, 3).
    """

    bodies: NDArray[np.int64]
    begin: float
    duration: float
    rest: Array
    curves: Array

    @classmethod
    def of(cls, reference: Reference, bodies: NDArray[np.int64], duration: float) -> Resting:
        """From where and how fast the clip has them at the beginning of a tick."""
        rest = relaxed_positions(reference.plan)
        clip = reference.clip_rows(reference.time + _STEP * np.array([-1.0, 0.0, 1.0]))
        curves = np.zeros((len(bodies), 6, 3))
        for number, body in enumerate(bodies):
            at = turn_slice(body)
            curves[number] = rest_curve(quat.log(quat.mul(quat.conj(rest[at]), clip[:, at])), _STEP, duration)
        return cls(bodies, reference.time, duration, rest, curves)

    def pose(self, wanted: Contribution) -> None:
        """Write them into a tick's poses."""
        rows = wanted.edit_pose()
        powers = np.minimum(wanted.reference.times - self.begin, self.duration)[:, None] ** np.arange(6)
        for body, curve in zip(self.bodies, self.curves, strict=True):
            at = turn_slice(body)
            rows[:, at] = quat.mul(self.rest[at], quat.exp(powers @ curve))
