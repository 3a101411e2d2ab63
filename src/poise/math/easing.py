"""Easing from one value to another: with the least jerk (Flash and Hogan 1985), or by a cubic."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["eased", "minimum_jerk", "rest_curve", "smoothstep"]

Array = NDArray[np.float64]
T = TypeVar("T", float, Array)


def minimum_jerk(times: ArrayLike, begin: float = 0.0, end: float = 1.0) -> Array:
    """From 0 to 1 between two times, of the shape of `times`; velocity and acceleration are 0 at both ends."""
    x = np.clip((np.asarray(times, dtype=np.float64) - begin) / (end - begin), 0.0, 1.0)
    # Products: how a power is rounded depends on the processor and on whether it is one of an array.
    return np.asarray(x * x * x * (10.0 + x * (6.0 * x - 15.0)))


def eased(share: float) -> float:
    """`minimum_jerk` of one number from 0 to 1, without what an array costs; less is 0 and more is 1."""
    x = min(max(share, 0.0), 1.0)
    return x * x * x * (10.0 + x * (6.0 * x - 15.0))


def smoothstep(share: T) -> T:
    """From 0 to 1 as a share, or shares of any shape, goes from 0 to 1; velocity is 0 at both ends."""
    return share * share * (3.0 - 2.0 * share)


def rest_curve(samples: Array, step: float, duration: float) -> Array:
    """Coefficients (6, n) of powers of time of the quintic that goes on as a motion does and is at rest at zero in the end.

    Args:
        samples: Where the motion is a step before, now and a step later, shape (3, n).
        step: [s].
        duration: How long it takes to come to rest [s].
    """
    value, slope = samples[1], (samples[2] - samples[0]) / (2.0 * step)
    curvature = (samples[2] - 2.0 * samples[1] + samples[0]) / step**2
    t = duration
    powers = np.array([[t**3, t**4, t**5], [3 * t**2, 4 * t**3, 5 * t**4], [6 * t, 12 * t**2, 20 * t**3]])
    ends = -np.array([value + slope * t + 0.5 * curvature * t * t, slope + curvature * t, curvature])
    return np.vstack([value, slope, 0.5 * curvature, np.linalg.solve(powers, ends)])
