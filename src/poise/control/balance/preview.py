"""Balance that knows what is coming: preview control of the pendulum (after Kajita et al. 2003).

With the coming motion known, so is the disturbance d of the pendulum c'' = w² (c - p + d): the shift of the ground force that
its angular momentum asks for. The centre of pressure p that costs least in ∫ (c / sway)² + p² is a feedback on the state and a
weighted sum of the d to come, which moves the body before the motion begins.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import expm, solve_continuous_are

__all__ = ["preview_weights", "previewed"]

Array = NDArray[np.float64]


def preview_weights(frequency: float, horizon: float, tick: float, sway: float = 0.3) -> Array:
    """Weights of coming disturbances in the centre of pressure, one per tick of the horizon, shape (n,).

    Args:
        frequency: w, of the pendulum [1/s].
        horizon: How far ahead disturbances are known [s].
        tick: Time between them [s].
        sway: Displacement of the centre of mass that costs as much as one of the centre of pressure by 1.
    """
    dynamics = np.array([[0.0, 1.0], [frequency**2, 0.0]])
    push, disturbance = np.array([[0.0], [-(frequency**2)]]), np.array([0.0, frequency**2])
    cost = np.diag([1.0 / sway**2, 0.0])
    value = solve_continuous_are(dynamics, push, cost, np.eye(1))
    gain = push.T @ value
    closed = (dynamics - push @ gain).T
    step, now = expm(closed * tick), value @ disturbance
    weights = []
    for _ in range(max(1, round(horizon / tick))):
        weights.append(-float(push[:, 0] @ now) * tick)
        now = step @ now
    return np.array(weights)


def previewed(disturbances: Array, weights: Array) -> Array:
    """Shift of the centre of pressure at every tick for disturbances at every tick, shape (T, ...), of the same shape."""
    ahead = len(weights)
    padded = np.concatenate([disturbances, np.zeros((ahead, *disturbances.shape[1:]))])
    return np.asarray(sum(weight * padded[k : k + len(disturbances)] for k, weight in enumerate(weights)))
