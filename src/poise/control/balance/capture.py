"""Balance through the ground: centre of mass and capture point regulated by where the feet push.

The body is taken as a pendulum of its centre of mass on the centre of pressure p: c'' = w² (c - p) with w² = g / height. Its
capture point x = c + c' / w runs away from p as x' = w (x - p) (Pratt et al. 2006; Englsberger et al. 2015), so p is put beyond
x, as far as the soles reach. The ground force that goes with p is shared by the feet and handed to the legs by their
Jacobians. Where the soles do not reach far enough, the force is kept and the rest is made up by turning the trunk, as far as
`lean` allows (the hip strategy).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise import parameters
from poise.control.balance import _kernels
from poise.control.balance.body import Aim, Carriage, CarriedBody, Reading, Springs, capture_point, level_of, outside
from poise.math import quat

__all__ = ["CaptureBalance", "CaptureOptions"]

Array = NDArray[np.float64]

_REFERENCE_MASS = 62.0
"""Of the body whose springs are stated [kg]."""


@dataclass(frozen=True, kw_only=True)
class CaptureOptions:
    """How the capture point is regulated.

    Raises:
        InputError: A number is out of range.
    """

    rate: float = parameters.number(3.0, 0.1, 20.0, "1/s", says="how fast an error of the capture point dies away")
    height_frequency: float = parameters.number(
        1.2, 0.01, 20.0, "Hz", says="of the centre of mass up and down, critically damped"
    )
    upright_frequency: float = parameters.number(
        1.0, 0.01, 20.0, "Hz", says="of the pelvis about the horizontal axes, critically damped"
    )
    margin: float = parameters.number(0.15, 0.0, 0.9, says="share of a sole's half length and width that is kept free")
    lean: float = parameters.number(
        0.06, 0.0, 0.5, "m", says="how far beyond the soles the force may aim, made up by turning the trunk"
    )
    friction: float = parameters.number(0.6, 0.05, 2.0, says="largest ratio of horizontal to vertical force")

    def __post_init__(self) -> None:
        parameters.check(self, "capture")


class CaptureBalance:
    """Regulates centre of mass and capture point through the soles.

    Args:
        body: Whom it carries.
        options: How.
    """

    def __init__(self, body: CarriedBody, options: CaptureOptions | None = None) -> None:
        self.body, self.options = body, options or CaptureOptions()
        size = body.mass / _REFERENCE_MASS
        self.springs = Springs((300.0 * size, 30.0 * size), (300.0 * size, 20.0 * size), (30.0 * size, 3.0 * size))
        self._points, self._shares = np.zeros((2, 2)), np.zeros(2)

    def torques(self, carriage: Carriage, carrying: NDArray[np.bool_], aim: Aim, out: Array) -> Reading:
        """See `BalanceLaw.torques`."""
        body, options = self.body, self.options
        soles = body.soles(carriage)
        height = max(float(carriage.centre[2]) - level_of(soles, carrying), 0.2)
        w = np.sqrt(body.gravity / height)
        capture = capture_point(body, carriage, soles, carrying)
        goal = aim.centre[:2] + aim.velocity[:2] / w
        meant = goal - aim.velocity[:2] / w + aim.pressure + (1.0 + options.rate / w) * (capture - goal)
        weight = body.mass * self._vertical(carriage, aim)
        turning = np.array([-aim.momentum_rate[1], aim.momentum_rate[0]]) / weight + self._upright(carriage, weight)
        pressed = meant + turning
        halves = (1.0 - options.margin) * soles.halves
        wanted = pressed.copy()
        _kernels.spread(wanted, soles.middles[:, :2].copy(), soles.axes, halves, carrying, self._points, self._shares)
        beyond = pressed - wanted
        reach = float(np.linalg.norm(beyond))
        kept = beyond * min(1.0, options.lean / reach) if reach > 0.0 else beyond
        force = np.empty(3)
        force[:2] = weight * (carriage.centre[:2] - (wanted + kept - turning)) / height
        force[2] = weight
        side = float(np.linalg.norm(force[:2]))
        force[:2] *= min(1.0, options.friction * weight / max(side, 1e-9))
        out[:] = 0.0
        for number, foot in enumerate(body.legs[:, 2]):
            if carrying[number]:
                point = np.array([*self._points[number], soles.middles[number, 2]])
                share = self._shares[number] * force
                _kernels.leg_torques(
                    body.table, foot, share, np.zeros(3), point, carriage.rotations, carriage.positions, out
                )
        return Reading(capture, wanted, outside(capture, soles, carrying))

    def _vertical(self, carriage: Carriage, aim: Aim) -> float:
        """Force per mass that holds the height [m/s²]."""
        w = 2.0 * np.pi * self.options.height_frequency
        rise = w * w * (aim.centre[2] - carriage.centre[2]) + 2.0 * w * (aim.velocity[2] - carriage.velocity[2])
        return float(self.body.gravity + np.clip(rise, -0.5 * self.body.gravity, 0.8 * self.body.gravity))

    def _upright(self, carriage: Carriage, weight: float) -> Array:
        """How far the force passes by the centre of mass so that the pelvis rights itself [m], shape (2,)."""
        w = 2.0 * np.pi * self.options.upright_frequency
        turn = quat.mul(carriage.rotations[0], quat.conj(self.body.plan.neutral[0]))
        up = quat.rotate(turn, np.array([0.0, 0.0, 1.0]))
        tilt, spin = np.array([-up[1], up[0]]), carriage.angular_velocities[0, :2]
        inertia = self.body.mass * 0.25**2
        moment = -inertia * (w * w * tilt + 2.0 * w * spin)
        return np.array([-moment[1], moment[0]]) / weight
