"""How a hand hops from one hold to the next (Alvarado 2022, section 5.3)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.math.easing import minimum_jerk

__all__ = ["hermite_hop"]

Array = NDArray[np.float64]


def hermite_hop(share: float, height: float, first: Array, second: Array) -> Array:
    """How far a hand is off a surface while it hops from one place on it to another, shape (3,) [m].

    The paper's cubic Hermite leaves and arrives with the tangents `height` times the normals, from a standing hand, so that its
    velocity jumps at both ends; these are its two tangent terms, eased in and out.

    Args:
        share: Of the hop's time, 0…1.
        height: The paper's alpha [m].
        first: Normal where it leaves, shape (3,).
        second: Normal where it lands, shape (3,).
    """
    s = float(minimum_jerk(share))
    return np.asarray(height * (s * (1.0 - s) ** 2 * first + s**2 * (1.0 - s) * second))
