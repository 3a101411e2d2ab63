"""A character as one body that goes over the ground, leans and turns (Bermudez 2018, Sec. 3).

Velocity is served by Eq. 1, F = k (v_d - v) - b dv/dt. Taken with the acceleration of the step before, as a program would,
that is unstable from b = m on; solved for dv/dt it is (m + b) dv/dt = k (v_d - v) + F_ext: b is virtual mass, and what
disturbs the velocity fades with the time constant (m + b) / k. Yaw and pitch are served by Eq. 2, roll is locked. Forces that
fall with velocity, and torques that fall with the rate of turning, are integrated with their slope, so that a step of 1/30 s is
stable in the thickest fluid.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError

__all__ = ["AbstractBody", "BodyServo", "Load", "step_body"]

Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class BodyServo:
    """What moves the abstract body; the paper gives no numbers.

    Args:
        mass: m [kg].
        k: Force per velocity that is missing [kg/s].
        b: Virtual mass [kg].
        force: What the legs push with at most [N].
        inertia: About the vertical and across the way [kg m²].
        k_theta: Torque per angle of yaw and of pitch [N m/rad].
        b_theta: Torque per rate of yaw and of pitch [N m s/rad].
        most: Greatest yaw and pitch, either way [rad].

    Raises:
        InputError: A number is not finite or not positive (b may be zero).
    """

    mass: float
    k: float
    b: float = 0.0
    force: float
    inertia: tuple[float, float]
    k_theta: tuple[float, float]
    b_theta: tuple[float, float]
    most: tuple[float, float] = (0.25, 0.45)

    def __post_init__(self) -> None:
        positive = [self.mass, self.k, self.force, *self.inertia, *self.k_theta, *self.most]
        if not (np.isfinite([*positive, self.b, *self.b_theta]).all() and min(positive) > 0.0):
            raise InputError("mass, k, force, inertia, k_theta and most of a body's servo must be positive numbers")
        if self.b < 0.0 or min(self.b_theta) < 0.0:
            raise InputError("b and b_theta of a body's servo must not be negative")

    @property
    def time_constant(self) -> float:
        """(m + b) / k [s]: by then a disturbance of the velocity has fallen to 1/e."""
        return (self.mass + self.b) / self.k


class AbstractBody(NamedTuple):
    """Where the body is and how it moves.

    Args:
        position: On the ground [m], shape (2,).
        velocity: [m/s], shape (2,).
        angles: Yaw, to the left, and pitch, forward, off the intended ones [rad], shape (2,).
        rates: Of the angles [rad/s], shape (2,).
    """

    position: Array
    velocity: Array
    angles: Array
    rates: Array


class Load(NamedTuple):
    """What acts on the body during a step.

    Args:
        force: Along the ground [N], shape (2,).
        damping: How much the force falls per velocity [kg/s], shape (2, 2).
        torque: About the vertical and, forward, across the way [N m], shape (2,).
        mass: That moves along without being the body's: fluid, a pack [kg].
        turning: How much the torque falls per rate of turning about either axis [N m s].
    """

    force: Array
    damping: Array
    torque: Array
    mass: float = 0.0
    turning: tuple[float, float] = (0.0, 0.0)


def step_body(
    servo: BodyServo, body: AbstractBody, load: Load, velocity: Array, step: float, lean: float = 0.0, hold: float = 1.0
) -> AbstractBody:
    """The body a step later (Eqs. 1 and 2, linearly implicit).

    Args:
        servo: What moves it.
        body: Where it is.
        load: What acts on it.
        velocity: v_d, the velocity intended [m/s], shape (2,).
        step: [s].
        lean: The pitch intended [rad].
        hold: Share of its greatest force that the feet have hold for.
    """
    # Number by number: arrays of two take several times as long.
    (vx, vy), (wx, wy), (fx, fy) = body.velocity.tolist(), velocity.tolist(), load.force.tolist()
    px, py = servo.k * (wx - vx), servo.k * (wy - vy)
    strength, most, stiffness = hypot(px, py), hold * servo.force, servo.k
    if strength > most:
        px, py, stiffness = px * most / strength, py * most / strength, 0.0
    heavy = servo.mass + servo.b + load.mass + step * stiffness
    (a, b), (c, d) = load.damping.tolist()
    a, b, c, d = step * a + heavy, step * b, step * c, step * d + heavy
    gx, gy, whole = step * (px + fx), step * (py + fy), a * d - b * c
    speed = np.array([vx + (d * gx - b * gy) / whole, vy + (a * gy - c * gx) / whole])
    angles, rates, torques = body.angles.tolist(), body.rates.tolist(), load.torque.tolist()
    for axis, intended in enumerate((0.0, lean)):
        inertia, k, b, most = servo.inertia[axis], servo.k_theta[axis], servo.b_theta[axis], servo.most[axis]
        resists = load.turning[axis]
        back = k * (intended - angles[axis]) + torques[axis] + resists * rates[axis]
        rate = (inertia * rates[axis] + step * back) / (inertia + step * (b + resists) + step**2 * k)
        angle = angles[axis] + step * rate
        angles[axis] = min(max(angle, -most), most)
        rates[axis] = rate if angles[axis] == angle else 0.0
    return AbstractBody(body.position + step * speed, speed, np.array(angles), np.array(rates))
