"""The wrench on the pelvis of a body that yields: what the motion itself needs, a servo, and leaning against what lasts.

The pelvis of a person is carried by legs whose strength ends. Feed-forward alone would let an undisturbed body follow its
motion; the servo brings it back from a disturbance, softly in the plane (a body is caught by stepping, not held by a rail)
and firmly in height and tilt; what pushes for long is leant against, as a person does who was surprised first. Each part has
a limit of its own, in body weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise import parameters
from poise.body.plan import BodyPlan
from poise.control.falling import Falling
from poise.control.root.details import Bearing, Bracing, Noticing, Resting, Standing, Waiting, Yielding
from poise.control.root.recovering import Recovering
from poise.lazy import LazyModule

if TYPE_CHECKING:
    from poise.control.root import _kernels
else:
    _kernels = LazyModule("poise.control.root._kernels")

__all__ = ["RootDrive", "RootGains", "lean_against", "leg_shares", "root_wrench"]

Array = NDArray[np.float64]


class RootGains(NamedTuple):
    """Of a root's drive on one body; axes are world x, y, z, then forward, left and up of the neutral pelvis.

    Args:
        stiffness: [N/m, N m/rad], shape (6,).
        damping: [N s/m, N m s/rad], shape (6,).
        limits: Level and upright force [N] and torque [N m] of the servo at most, shape (3,).
        lean: How fast leaning grows [N/(m s)], and to what it grows [N], shape (2,).
        neutral: Orientation of the pelvis in the neutral pose, wxyz, shape (4,).
        bracing: How leaning begins and stops.
    """

    stiffness: Array
    damping: Array
    limits: Array
    lean: Array
    neutral: Array
    bracing: Bracing


@dataclass(frozen=True, kw_only=True)
class RootDrive:
    """How the pelvis of a compliant character is held; measured ranges are in `docs/compliant.md`."""

    planar: float = parameters.number(
        0.6,
        0.1,
        3.0,
        "Hz",
        says="frequency of the servo in the plane with the whole body on it: lower goes along with a push for longer",
    )
    height: float = parameters.number(3.0, 0.5, 10.0, "Hz", says="frequency of the servo in height")
    tilt: float = parameters.number(2.0, 0.5, 10.0, "Hz", says="frequency of the servo against pitch and roll")
    yaw: float = parameters.number(
        2.4,
        0.5,
        10.0,
        "Hz",
        says="frequency of the servo about the upright axis",
        source="at 1.2 Hz a swinging leg turns a walker by 60 degrees",
    )
    damping_ratio: float = parameters.number(1.0, 0.1, 3.0, says="damping ratio of the servo: below 1 it sways back")
    force: float = parameters.number(
        0.25, 0.0, 5.0, "body weights", says="level force of the servo at most: lower is pushed farther"
    )
    lift: float = parameters.number(1.0, 0.0, 5.0, "body weights", says="upright force of the servo at most")
    torque: float = parameters.number(0.25, 0.0, 5.0, "body weights at 1 m", says="torque of the servo at most")
    brace: float = parameters.number(1.0, 0.0, 10.0, "1/s", says="how fast it leans against a push that lasts")
    braced: float = parameters.number(0.25, 0.0, 2.0, "body weights", says="how much it leans at most")
    trunk: float = parameters.number(
        6.0, 1.0, 20.0, "Hz", says="tension of trunk and clavicles: lower bends more under a blow"
    )
    neck: float = parameters.number(
        3.0,
        1.0,
        20.0,
        "Hz",
        says="tension of the neck: lower lets the head lag behind a trunk that is pushed",
        source="a head on its neck resonates at 2.1 Hz, with its reflexes at 2.9 (Peng, Hain and Peterson 1996)",
    )
    falls: bool = parameters.switch(
        True,
        says="whether a body falls that this does not catch; else it glides upright, or in a deep crouch, until it does",
    )
    bracing: Bracing = parameters.group(Bracing, says="how it begins and stops leaning")
    bearing: Bearing = parameters.group(Bearing, says="what it bears, and what it is spared")
    recovering: Recovering = parameters.group(Recovering, says="what it does when it is pushed unawares")
    waiting: Waiting = parameters.group(Waiting, says="how its clip waits while it is held back")
    resting: Resting = parameters.group(Resting, says="when it follows its motion again")
    standing: Standing = parameters.group(Standing, says="when it becomes physical, and yields again")
    noticing: Noticing = parameters.group(Noticing, says="what is near enough for it to yield")
    yielding: Yielding = parameters.group(Yielding, says="when its legs give way to what they meet")
    falling: Falling = parameters.group(Falling, says="when it falls, and how")

    def __post_init__(self) -> None:
        parameters.check(self, "root_drive")

    def on(self, mass: float, inertias: Array, gravity: float, neutral: Array) -> RootGains:
        """The drive of one body.

        Args:
            mass: Of the whole body [kg].
            inertias: Of the whole body about its pelvis' forward, left and up axes in the pose it starts from [kg m²], shape
                (3,).
            gravity: [m/s²].
            neutral: Orientation of the pelvis in the neutral pose, shape (4,).
        """
        omega = 2.0 * np.pi * np.array([self.planar, self.planar, self.height, self.tilt, self.tilt, self.yaw])
        carried = np.append([mass] * 3, inertias)
        weight = mass * gravity
        return RootGains(
            carried * omega**2,
            2.0 * self.damping_ratio * carried * omega,
            weight * np.array([self.force, self.lift, self.torque]),
            np.array([self.brace * mass * omega[0] ** 2, self.braced * weight]),
            np.array(neutral),
            self.bracing,
        )


def root_wrench(
    gains: RootGains,
    now: tuple[Array, Array],
    intended: tuple[Array, Array],
    feed: Array,
    lean: Array,
    out: Array,
    spin: Array,
) -> None:
    """Force and torque on a pelvis over one substep.

    `feed + lean + K (target - place) + D (velocity - speed)`, the servo's level part, upright part and torque each within its
    limit.

    Args:
        gains: From `RootDrive.on`.
        now: Place: position [m] and orientation, shape (7,); and speed: linear velocity in the world [m/s] and angular in the
            pelvis' own frame [rad/s], shape (6,).
        intended: Target and velocity: where the intended root is now, shape (7,), and how fast it goes, shape (6,).
        feed: Wrench that the motion itself needs [N, N m], shape (6,).
        lean: Level force against what lasts [N], shape (2,).
        out: Force in the world [N] and torque in the pelvis' frame [N m] beside the damper's `-spin * speed[3:]`, shape (6,);
            written.
        spin: That damper's coefficients [N m s/rad], shape (3,); written. The world takes it implicitly: a pelvis whose soft
            spine leaves it alone, with a thirtieth of the body's inertia, would be shaken to and fro from substep to substep.
    """
    stiffness, damping, limits, _, neutral, _ = gains
    _kernels.root_wrench(now, intended, feed, lean, (stiffness, damping, limits, neutral), out, spin)


def lean_against(gains: RootGains, lean: Array, away: Array, speed: Array, tick: float) -> Array:
    """How a body leans against what lasts, a tick on: a slow integral of how far it is kept away, leaking and limited.

    Args:
        gains: From `RootDrive.on`.
        lean: Level force it leans with [N], shape (2,).
        away: From the pelvis to where it is meant to be [m], shape (2,).
        speed: How fast the pelvis moves against it [m/s], shape (2,).
        tick: [s].

    Returns:
        Shape (2,).
    """
    held = max(0.0, 1.0 - float(np.hypot(*speed)) / gains.bracing.held)
    grows = np.zeros(2)
    if away @ lean < 0.0:
        grows = gains.bracing.gives_up * gains.lean[0] * away
    elif np.hypot(*away) > gains.bracing.dead:
        grows = held * gains.lean[0] * away
    lean = lean + tick * (grows - gains.bracing.fades * lean)
    size = float(np.hypot(*lean))
    if size < 1e-3:
        return np.zeros(2)
    return np.asarray(lean * min(1.0, gains.lean[1] / size))


def leg_shares(plan: BodyPlan, bearing: Bearing) -> Array:
    """Factors on the masses of a plan's bodies for legs that are led by inverse kinematics, shape (B,)."""
    legs = [body for root in plan.with_role("left_thigh", "right_thigh") for body in plan.subtree(root)]
    shares = np.ones(len(plan))
    shares[legs] = bearing.legs
    shares[0] = 1.0 + bearing.rides * (1.0 - bearing.legs) * plan.masses[legs].sum() / plan.masses[0]
    return shares
