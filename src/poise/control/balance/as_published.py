"""The paper's balance: Wooten and Hodgins 2000 as van Welbergen 2009 (Sec. 3.4) uses it.

The centre of mass is damped and steered to a place between the feet by torques at hips and ankles; springs hold hips and knees
at the angles of a two-link leg of the wanted height and the feet flat. One multiplier s scales every gain, damping too. Where
the authors' program differs from that (a foot's tilt without a sign, damping left out of s, s twice on the ankles) it is not
followed, and the springs are `springs` for implicit muscles instead of torques, so that a foot's holds at any tick.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.control.balance import _kernels
from poise.control.balance.body import Aim, Carriage, CarriedBody, Reading, Springs, capture_point, outside

__all__ = ["PublishedBalance", "StandingRows"]

Array = NDArray[np.float64]

_PULL, _PULL_DAMPING = 280.0, 28.0
_HIP_SHARE, _ANKLE_SHARE = 1.0, 3.0
_BEYOND_HELP = 0.3
"""A centre of mass this far from where it shall be is not brought back by ankles and hips: the pull would go on growing with
the way fallen [m]."""


class PublishedBalance:
    """The paper's law.

    Args:
        body: Whom it carries.
        multiplier: s, the one stiffness multiplier (1 in the paper, tuned by hand per character).
    """

    def __init__(self, body: CarriedBody, multiplier: float = 1.0) -> None:
        self.body, self.multiplier = body, multiplier
        s = multiplier
        self.springs = Springs((150.0 * s, 15.0 * s), (150.0 * s, 15.0 * s), (160.0 * s, 1.6 * s))
        self.gains: Array = np.array([_PULL * s, _PULL_DAMPING * s, _HIP_SHARE, _ANKLE_SHARE])
        self.joints: NDArray[np.int64] = body.legs[:, [0, 2]]
        """Thigh and foot of the left and the right leg, whose joints the torques are of, shape (2, 2)."""
        self._torques = np.zeros((2, 2, 3))

    def torques(self, carriage: Carriage, carrying: NDArray[np.bool_], aim: Aim, out: Array) -> Reading:
        """See `BalanceLaw.torques`; only the place of `aim.centre` is used."""
        body, turns = self.body, carriage.rotations[self.joints]
        _kernels.published(body.ahead, self.gains, aim.centre[:2], carriage.whole[:2], turns, self._torques)
        out[:] = 0.0
        out[self.joints - 1] = self._torques
        soles = body.soles(carriage)
        capture = capture_point(body, carriage, soles, carrying)
        return Reading(capture, carriage.centre[:2].copy(), outside(capture, soles, carrying))


class StandingRows:
    """The paper's law for many bodies of one build at once, each held over the middle of its own feet.

    Args:
        law: For one of them.
        count: How many.

    Attributes:
        lost: Who is beyond help, for good: their law has let go, shape (N,).
        torques: Of thighs and feet, `PublishedBalance.joints`, in their own frames [N m], shape (N, 2, 2, 3).
    """

    def __init__(self, law: PublishedBalance, count: int) -> None:
        self.law = law
        self.lost: NDArray[np.bool_] = np.zeros(count, dtype=np.bool_)
        self.torques: Array = np.zeros((count, 2, 2, 3))
        # Half way from the ankle to the middle of the sole, as `Footing.middle` has it.
        self._feet = (law.body.ahead, 0.5 * law.body.sole_middles)

    @property
    def compiled(self) -> tuple[Array, Array, Array, float]:
        """For compiled loops: forward and sole in the frames of the feet (2, 3), gains (4,), and how far is beyond help [m]."""
        return *self._feet, self.law.gains, _BEYOND_HELP

    def act(self, carried: Array, turns: Array) -> Array:
        """`torques` of the present instant.

        Args:
            carried: Places of the left and the right ankle, centre of mass [m] and its velocity [m/s], shape (N, 4, 3).
            turns: Orientations of thighs and feet, wxyz, shape (N, 2, 2, 4).
        """
        _kernels.published_rows(self._feet, self.law.gains, _BEYOND_HELP, carried, turns, self.lost, self.torques)
        return self.torques
