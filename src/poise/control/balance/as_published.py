"""The paper's balance: Wooten and Hodgins 2000 as van Welbergen 2009 (Sec. 3.4) uses it.

The centre of mass is damped and steered to a place between the feet by torques at hips and ankles; springs hold hips and knees
at the angles of a two-link leg of the wanted height and the feet flat. One multiplier s scales every gain, damping too. Where
the authors' program differs from that (a foot's tilt without a sign, damping left out of s, s twice on the ankles) it is not
followed, and the springs are `springs` for implicit muscles instead of torques, so that a foot's holds at any tick.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.control.balance.body import Aim, Carriage, CarriedBody, Reading, Springs, capture_point, outside
from poise.math import quat

__all__ = ["PrintedBalance"]

Array = NDArray[np.float64]

_PULL, _PULL_DAMPING = 280.0, 28.0
_ANKLE_SHARE = 3.0


class PrintedBalance:
    """The paper's law.

    Args:
        body: Whom it carries.
        multiplier: s, the one stiffness multiplier (1 in the paper, tuned by hand per character).
    """

    def __init__(self, body: CarriedBody, multiplier: float = 1.0) -> None:
        self.body, self.multiplier = body, multiplier
        s = multiplier
        self.springs = Springs((150.0 * s, 15.0 * s), (150.0 * s, 15.0 * s), (160.0 * s, 1.6 * s))

    def torques(self, carriage: Carriage, carrying: NDArray[np.bool_], aim: Aim, out: Array) -> Reading:
        """See `BalanceLaw.torques`; only the place of `aim.centre` is used."""
        body, s = self.body, self.multiplier
        soles = body.soles(carriage)
        ahead = soles.axes.mean(axis=0)
        ahead /= np.linalg.norm(ahead)
        forward, left = np.array([*ahead, 0.0]), np.array([-ahead[1], ahead[0], 0.0])
        error = aim.centre - carriage.centre
        push = s * (_PULL * error - _PULL_DAMPING * carriage.velocity)
        along, across = (push @ forward) * left, (push @ left) * forward
        out[:] = 0.0
        for thigh, _, foot in body.legs:
            for joint, torque in ((thigh, -along - across), (foot, _ANKLE_SHARE * (across - along))):
                out[joint - 1] = quat.rotate(quat.conj(carriage.rotations[joint]), torque)
        capture = capture_point(body, carriage, soles, carrying)
        return Reading(capture, carriage.centre[:2].copy(), outside(capture, soles, carrying))
