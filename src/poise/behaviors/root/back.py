"""How a root that yielded is led back onto its motion."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.behavior import Contribution
from poise.behaviors.root import _kernels
from poise.behaviors.root.state import RootState
from poise.control.root import Resting

__all__ = ["led_back", "ready_to_sleep"]

Array = NDArray[np.float64]


def led_back(
    wanted: Contribution, here: Array, velocities: Array, bodies: NDArray[np.int64], h: float
) -> tuple[Array, Array]:
    """How far pelvis and joints are from their motion, and how fast that changes.

    Args:
        wanted: What the character shall do.
        here: Generalized positions, shape (nq,).
        velocities: Generalized velocities, shape (nv,).
        bodies: Whose joints, 0 for the pelvis' orientation, shape (n,).
        h: Length of a substep [s].

    Returns:
        The pelvis' place [m], then rotation vectors of the bodies [rad], and their rates, shape (1 + n, 3) each.
    """
    away, speed = np.zeros((1 + len(bodies), 3)), np.zeros((1 + len(bodies), 3))
    _kernels.apart(here, wanted.starts, wanted.rows[0], velocities, bodies, h, away, speed)
    return away, speed


def ready_to_sleep(
    wanted: Contribution, here: Array, velocities: Array, state: RootState, h: float, resting: Resting
) -> bool:
    """Whether everything that yielded is back on its motion and moves with it."""
    if max(map(abs, state.lean.tolist())) > resting.leans:
        return False
    away, speed = led_back(wanted, here, velocities, state.freed, h)
    within = (resting.near, resting.turned), (resting.slow, resting.spins)
    return bool(_kernels.rests(away, speed, within))
