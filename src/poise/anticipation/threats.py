"""Which obstacles are about to enter which safety region, and when."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.signals import Nearest

__all__ = ["Threats", "find_threats"]

Array = NDArray[np.float64]

_CLOSING = 0.05
"""Something that comes no faster than this does not come [m/s]."""


class Threats(NamedTuple):
    """The most urgent spot of a character for each of P obstacles.

    Args:
        urgency: Time until it gets to the body, shortened by the region's priority [s]; infinite when nothing needs to be
            done about it, shape (P,).
        spot: The spot it threatens, shape (P,).
        closing: How fast it comes nearer to it [m/s], shape (P,).
    """

    urgency: Array
    spot: NDArray[np.int64]
    closing: Array


def find_threats(
    nearest: Nearest, spots: Array, velocities: Array, radii: Array, priorities: Array, leads: Array, faces: Array
) -> Threats:
    """Alvarado 2022, section 5.1, with entry predicted: inside a region, or going to be within the lead.

    Args:
        nearest: Closest points of the obstacles to the spots, with velocities as the character expects them.
        spots: Centres of the regions' spheres [m], shape (S, 3).
        velocities: Of the spots [m/s], shape (S, 3).
        radii: [m], shape (S,).
        priorities: Shape (S,).
        leads: How long before entry something is done, per spot and obstacle [s], shape (S, P).
        faces: Where the chest faces, level, shape (3,); what is behind the body and goes away is let go.
    """
    away = nearest.point - spots[:, None]
    ways = np.linalg.norm(away, axis=-1)
    relative = velocities[:, None] - nearest.velocity
    side = np.where(nearest.distance >= 0.0, 1.0, -1.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        closing = side * np.einsum("spi,spi->sp", away, relative) / np.maximum(ways, 1e-9)
        gap = np.maximum(nearest.distance - radii[:, None], 0.0)
        entry = np.where(gap > 0.0, gap / np.maximum(closing, 1e-9), 0.0)
        near = np.isfinite(nearest.distance)
        behind = away @ faces < -0.3 * ways
        coming = near & (closing > _CLOSING) & (entry <= leads)
        inside = near & (gap == 0.0) & ~behind
        body = np.maximum(nearest.distance, 0.0) / np.maximum(closing, 0.2)
    urgency = np.where(coming | inside, body / priorities[:, None], np.inf)
    spot = urgency.argmin(axis=0)
    each = np.arange(urgency.shape[1])
    return Threats(urgency[spot, each], spot, closing[spot, each])
