"""How smooth a motion is, and how its velocities and accelerations differ from another's.

Derivatives are plain differences times the rate, as the benchmarks take them. They estimate the true derivative at any
frame rate, but noise of size e between frames adds about `8 e rate³` to a jerk: compare clips at one rate.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from poise.errors import InputError
from poise.metrics._arrays import Array, checked, checked_rate, largest, mean, percentile

__all__ = ["Jerk", "acceleration_error", "jerk", "jerk_summary", "velocity_error"]


@dataclass(frozen=True)
class Jerk:
    """Jerk over time and joints: `jerk_summary`."""

    mean_m_s3: float
    p95_m_s3: float
    max_m_s3: float


def jerk(positions: ArrayLike, rate: float) -> Array:
    """Length of the third difference of positions over Δt³ [m/s³], shape (T, J, 3) to (max(T - 3, 0), J).

    Source: PHUMA (DAVIAN-Robotics 2025, `preprocess_smplx.py`); IMU capture papers print the same in 10² m/s³.

    Raises:
        InputError: The shape is wrong or the rate is not positive.
    """
    array = checked("positions", positions, None, None, 3)
    return np.asarray(np.linalg.norm(np.diff(array, n=3, axis=0), axis=-1) * checked_rate(rate) ** 3)


def jerk_summary(positions: ArrayLike, rate: float) -> Jerk:
    """Mean, 95th percentile and maximum of `jerk` over all frames and joints [m/s³]; NaN below 4 frames.

    PHUMA rejects clips whose mean root jerk is 50 m/s³ or more at 30 Hz. The joints of captured walks have a mean of
    100 to 350 at 30 Hz, of an unfiltered 120 Hz walk 2400 (measured: Bandai-Namco, PFNN locomotion, CMU).

    Raises:
        InputError: The shape is wrong or the rate is not positive.
    """
    values = jerk(positions, rate)
    return Jerk(mean(values), percentile(values, 95.0), largest(values))


def velocity_error(reference: ArrayLike, actual: ArrayLike, rate: float) -> float:
    """Mean over frames and joints of `‖Δp - Δp̂‖ / Δt` between two motions (T, J, 3) [m/s]; NaN below 2 frames.

    The benchmarks print mm per frame: multiply by `1000 / rate`. PHC at 30 Hz: about 4.9 (train) to 9.1 (test).

    Source: Luo et al. 2023, PHC, E_vel.

    Raises:
        InputError: The shapes differ or the rate is not positive.
    """
    return _difference_error(reference, actual, rate, 1)


def acceleration_error(reference: ArrayLike, actual: ArrayLike, rate: float) -> float:
    """Mean over frames and joints of `‖Δ²p - Δ²p̂‖ / Δt²` between two motions (T, J, 3) [m/s²]; NaN below 3 frames.

    The benchmarks print mm per frame²: multiply by `1000 / rate²`. PHC at 30 Hz: about 3.3 (train) to 6.8 (test).

    Source: Luo et al. 2023, PHC, E_acc.

    Raises:
        InputError: The shapes differ or the rate is not positive.
    """
    return _difference_error(reference, actual, rate, 2)


def _difference_error(reference: ArrayLike, actual: ArrayLike, rate: float, order: int) -> float:
    a = checked("reference positions", reference, None, None, 3)
    b = checked("actual positions", actual, None, None, 3)
    if a.shape != b.shape:
        raise InputError(f"both motions need the same frames and joints; got {a.shape} and {b.shape}")
    return mean(np.linalg.norm(np.diff(b - a, n=order, axis=0), axis=-1)) * checked_rate(rate) ** order
