"""How a root that yielded is led back onto its motion."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from poise.runtime.root import _kernels
from poise.runtime.root.state import RootState

if TYPE_CHECKING:
    from poise.runtime.actor import Actor

__all__ = ["led_back", "ready_to_sleep"]

Array = NDArray[np.float64]

_NEAR, _TURNED = 0.006, 0.03
"""What is this near to its motion may follow it again [m, rad]."""
_SLOW, _SPINS = 0.05, 0.3
"""And moves no faster beside it than this [m/s, rad/s]."""
_LEANS = 3.0
"""Nor leans against anything by more than this [N]."""


def led_back(actor: Actor, data: Any, bodies: NDArray[np.int64], h: float) -> tuple[Array, Array]:
    """How far pelvis and joints are from their motion, and how fast that changes.

    Args:
        actor: Whose they are.
        data: MuJoCo's.
        bodies: Whose joints, 0 for the pelvis' orientation, shape (n,).
        h: Length of a substep [s].

    Returns:
        The pelvis' place [m], then rotation vectors of the bodies [rad], and their rates, shape (1 + n, 3) each.
    """
    away, speed = np.zeros((1 + len(bodies), 3)), np.zeros((1 + len(bodies), 3))
    layout = actor.layout
    here, velocities = data.qpos[layout.positions], data.qvel[layout.velocities]
    _kernels.apart(here, actor.before, actor.rows[0], velocities, bodies, h, away, speed)
    return away, speed


def ready_to_sleep(actor: Actor, data: Any, state: RootState, h: float) -> bool:
    """Whether everything that yielded is back on its motion and moves with it."""
    if np.abs(state.lean).max() > _LEANS:
        return False
    away, speed = led_back(actor, data, state.freed, h)
    near = np.abs(away[0]).max() < _NEAR and np.abs(away[1:]).max() < _TURNED
    return bool(near and np.abs(speed[0]).max() < _SLOW and np.abs(speed[1:]).max() < _SPINS)
