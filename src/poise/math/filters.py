"""Low-pass filters for sampled motion, without phase lag.

SciPy's give the same (`tests/test_math_filters.py`), but to import them takes longer than everything they do for a run.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import InputError
from poise.math import quat

__all__ = ["Coefficients", "butterworth", "lowpass", "lowpass_rotations", "published_butterworth"]

Array = NDArray[np.float64]

_PASS_CORRECTION = (np.sqrt(2.0) - 1.0) ** 0.25
"""Two passes of a second-order filter lower its cut-off by this factor, 0.802 (van Welbergen 2009, C for n = 2)."""


class Coefficients(NamedTuple):
    """Transfer function of one pass: numerator `b` and denominator `a`, shape (3,) each, a[0] = 1."""

    b: Array
    a: Array


def _checked(cutoff: float, rate: float) -> None:
    if not 0.0 < cutoff < rate / 2.0:
        raise InputError(
            f"the cut-off must lie between 0 and {rate / 2.0:g} Hz at {rate:g} frames per second; got {cutoff:g}"
        )


def _warped(cutoff: float, rate: float) -> float:
    """Analogue cut-off of one pass, in the bilinear transform's own unit."""
    return float(np.tan(np.pi * cutoff / rate) / _PASS_CORRECTION)


def butterworth(cutoff: float, rate: float) -> Coefficients:
    """Second-order Butterworth whose gain over a forward and a backward pass is 0.7071 at `cutoff` [Hz].

    Raises:
        InputError: The cut-off does not lie between 0 and half the `rate` [Hz].
    """
    _checked(cutoff, rate)
    omega = _warped(cutoff, rate)
    # The analogue filter has its poles at 45 degrees; the bilinear transform takes s to (1 + s) / (1 - s).
    pole = omega * np.exp(0.75j * np.pi)
    z = (1.0 + pole) / (1.0 - pole)
    gain = omega**2 / abs(1.0 - pole) ** 2
    return Coefficients(gain * np.array([1.0, 2.0, 1.0]), np.array([1.0, -2.0 * z.real, abs(z) ** 2]))


def published_butterworth(cutoff: float, rate: float) -> Coefficients:
    """The coefficients as van Welbergen 2009 prints them, for comparison only.

    K1 is sqrt(2 omega_c) there where Winter's filter has sqrt(2) omega_c. The gain at rest stays 1 but the cut-off
    collapses: at 333 Hz, 20 Hz asked for give 6.4 Hz.

    Raises:
        InputError: As `butterworth`.
    """
    _checked(cutoff, rate)
    omega = _warped(cutoff, rate)
    k1, k2 = np.sqrt(2.0 * omega), omega**2
    a0 = k2 / (1.0 + k1 + k2)
    k3 = 2.0 * a0 / k2
    b1, b2 = -2.0 * a0 + k3, 1.0 - 2.0 * a0 - k3
    return Coefficients(a0 * np.array([1.0, 2.0, 1.0]), np.array([1.0, -b1, -b2]))


def lowpass(values: ArrayLike, coefficients: Coefficients) -> Array:
    """`values`, shape (T, ...), filtered forward and backward along time: no phase lag, odd extension at the ends.

    Signals too short to extend (T < 10) are returned as they are.
    """
    signal = np.asarray(values, dtype=np.float64)
    if len(signal) < 10:
        return signal.copy()
    pad = min(len(signal) - 1, 3 * _settling(coefficients))
    before, after = 2.0 * signal[0] - signal[pad:0:-1], 2.0 * signal[-1] - signal[-2 : -pad - 2 : -1]
    extended = np.concatenate([before, signal, after])
    there = _one_pass(extended, coefficients)
    return np.ascontiguousarray(_one_pass(there[::-1], coefficients)[::-1][pad : pad + len(signal)])


def _one_pass(signal: Array, coefficients: Coefficients) -> Array:
    """Filtered forward along time, as if the signal had been what it is at first for ever."""
    (b0, b1, b2), (_, a1, a2) = coefficients
    rest = (b1 - a1 * b0 + b2 - a2 * b0) / (1.0 + a1 + a2)
    first, second = rest * signal[0], ((1.0 + a1) * rest - (b1 - a1 * b0)) * signal[0]
    result = np.empty_like(signal)
    for k, now in enumerate(signal):
        value = first + b0 * now
        first = second + b1 * now - a1 * value
        second = b2 * now - a2 * value
        result[k] = value
    return result


def _settling(coefficients: Coefficients) -> int:
    """Samples after which the slowest pole has decayed to a tenth."""
    slowest = float(np.max(np.abs(np.roots(coefficients.a))))
    return max(9, int(np.ceil(np.log(0.1) / np.log(slowest))))


def lowpass_rotations(rotations: ArrayLike, coefficients: Coefficients) -> Array:
    """Unit quaternions, shape (T, ..., 4), filtered as sign-continuous components and made unit again.

    Filtering components is what van Welbergen 2009 does after its Eqs. 8 and 9.
    """
    return quat.normalize(lowpass(quat.continuous(rotations), coefficients))
