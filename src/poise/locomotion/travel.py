"""The way a character goes: the pelvis without the sway of its steps, and how fast it goes along it."""

from __future__ import annotations

from math import hypot

import numpy as np
from numpy.typing import NDArray

from poise.locomotion.curve import Curve
from poise.math.cubic import not_a_knot

__all__ = ["Travel"]

Array = NDArray[np.float64]

_SPREAD = 0.4
"""Width of the Gaussian that takes the sway out, in strides."""
_STILL = 0.15
"""Below about this speed a way has no direction that could turn [m/s]."""


class Travel:
    """A smooth way over the ground.

    Args:
        places: Of the pelvis at every frame [m], shape (T, 2).
        rate: Frames per second [Hz].
        stride: How long two steps take [s].
    """

    def __init__(self, places: Array, rate: float, stride: float) -> None:
        from scipy.ndimage import gaussian_filter1d  # Slow to import (docs/architecture.md, decision 12).

        count = len(places)
        pad = min(count - 1, round(4.0 * _SPREAD * stride * rate) + 1)
        before, after = 2.0 * places[0] - places[pad:0:-1], 2.0 * places[-1] - places[-2 : -pad - 2 : -1]
        whole = gaussian_filter1d(np.concatenate([before, places, after]), _SPREAD * stride * rate, axis=0)
        self.places: Array = whole[pad : pad + count]
        """At every frame [m], shape (T, 2)."""
        self.duration = (count - 1) / rate
        if count < 2:
            self._curve: Curve | None = None
            return
        spline = not_a_knot(np.arange(count) / rate, self.places)
        slope = spline.derivative()
        self._curve, self._slope, self._bend = Curve(spline), Curve(slope), Curve(slope.derivative())

    def place(self, time: float) -> Array:
        """Where it is at a time of the clip [m], shape (2,)."""
        return self.places[0] if self._curve is None else self._curve(min(max(time, 0.0), self.duration))

    def velocity(self, time: float) -> Array:
        """How fast it goes then [m/s], shape (2,)."""
        return np.zeros(2) if self._curve is None else self._slope(min(max(time, 0.0), self.duration))

    def bend(self, time: float) -> tuple[float, float]:
        """How fast its direction turns then, to the left [rad/s], 0 where it stands still, and how fast it goes [m/s]."""
        if self._curve is None:
            return 0.0, 0.0
        at = min(max(time, 0.0), self.duration)
        (vx, vy), (ax, ay) = self._slope(at).tolist(), self._bend(at).tolist()
        return float((vx * ay - vy * ax) / (vx * vx + vy * vy + _STILL**2)), hypot(vx, vy)
