"""Bounded drives: a pose is only aimed at, by forces that have a limit (Hu 2024, Eq. 5, "priority downgrade").

The paper makes the solved pose a goal of the rigid bodies and gives no mechanism. Ours has three parts: muscles with torque
limits (`poise.control.muscles`); their targets, which start from where the body really is and move on at a limited rate; and,
where the hips are free, a wrench on the pelvis with a limit of its own. Whatever is stronger than these, contacts and the ends
of joints' ranges, wins, and nothing jumps.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise import parameters
from poise.control import _kernels

__all__ = ["HipDrive", "HipGains", "Pace", "hip_wrench", "next_targets"]

Array = NDArray[np.float64]

_WEIGHT = 9.81


class HipGains(NamedTuple):
    """Of a hip drive on one body; row 0 is about its place, row 1 about its orientation.

    Args:
        gains: Stiffness [N/m, N m/rad] and damping [N s/m, N m s/rad], shape (2, 2).
        limits: Largest force [N] and torque [N m], shape (2,).
        leads: How far the spring reaches at most [m, rad], shape (2,).
    """

    gains: Array
    limits: Array
    leads: Array


@dataclass(frozen=True, kw_only=True)
class HipDrive:
    """What holds a free pelvis where the motion wants it: spring and damper on the whole body's mass, with limits."""

    frequency: float = parameters.number(4.0, 0.01, 20.0, "Hz", says="of the spring with the whole body on it")
    damping_ratio: float = parameters.number(1.0, 0.0, 10.0, says="of the spring: 1 returns fastest without overshoot")
    force: float = parameters.number(2.0, 0.0, 100.0, "body weights", says="largest force")
    torque: float = parameters.number(0.5, 0.0, 100.0, "body weights at 1 m", says="largest torque")
    lead: float = parameters.number(
        0.1, 1e-3, 10.0, "m", says="the spring does not feel more than this, nor five times as much in radians"
    )
    """After a long way off the pelvis comes back at a walking pace rather than as fast as the force allows."""

    def __post_init__(self) -> None:
        parameters.check(self, "hip_drive")

    def on(self, mass: float, inertia: float) -> HipGains:
        """The drive of a body with this mass [kg] and this moment of inertia about its pelvis [kg m²]."""
        omega = 2.0 * np.pi * self.frequency
        gains = np.outer([mass, inertia], [omega * omega, 2.0 * self.damping_ratio * omega])
        limits = mass * _WEIGHT * np.array([self.force, self.torque])
        return HipGains(gains, limits, self.lead * np.array([1.0, 5.0]))


@dataclass(frozen=True, kw_only=True)
class Pace:
    """How fast the targets of muscles move."""

    rate: float = parameters.number(25.0, 1e-3, 1e3, "rad/s", says="of a joint's target beside the motion's own")
    lead: float = parameters.number(
        1.0, 1e-3, math.pi, "rad", says="how far a joint's target is from the joint at most, before it moves on"
    )
    hips: float = parameters.number(
        2.0, 1e-3, 1e3, "m/s", says="speed of the pelvis' target towards a goal; it turns twice as many radians"
    )

    def __post_init__(self) -> None:
        parameters.check(self, "pace")


def hip_wrench(
    drive: HipGains,
    now: tuple[Array, Array],
    intended: tuple[Array, Array],
    load: Array,
    h: float,
    applied: Array,
    damping: Array,
) -> float:
    """What pulls a free pelvis to its target over one substep, within the drive's limits.

    Load, spring and damper together stay within the limit at the substep's beginning; where they would not, spring and damper
    are lowered by one factor, as in `limit_muscles`. The damper is given as a coefficient, so that the world takes it
    implicitly: stable on light bodies too.

    Args:
        drive: From `HipDrive.on`.
        now: Place: position and orientation, shape (7,); and speed: linear velocity in the world and angular in the pelvis' own
            frame, shape (6,).
        intended: Position and orientation to have at the substep's end, shape (7,), and velocity to have, shape (6,).
        load: Wrench that carries the expected load, shape (6,).
        h: Length of the substep [s].
        applied: Generalized force beside the damper, shape (6,); written.
        damping: Coefficients of the damper, shape (6,); written.

    Returns:
        The share of spring and damper that was left, 0…1.
    """
    return float(_kernels.hip_wrench(tuple(drive), now, intended, load, h, applied, damping))


def next_targets(before: Array, real: Array, wanted: Array, pace: Pace, tick: float) -> Array:
    """Targets of joints for a tick's end: from the last ones, pulled to where the joints really are, towards what is wanted.

    Args:
        before: Joint coordinates the muscles aimed at, wxyz, shape (B-1, 4).
        real: Where the joints are, shape (B-1, 4).
        wanted: Where they shall go, shape (B-1, 4).
        pace: How fast.
        tick: Length of the tick [s].

    Returns:
        Shape (B-1, 4).
    """
    result = np.empty_like(wanted)
    _kernels.next_targets(before, real, wanted, pace.lead, pace.rate * tick, result)
    return result
