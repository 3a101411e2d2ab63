"""Which obstacles are about to enter which safety region, and when."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import _kernels
from poise.anticipation.coming import Coming
from poise.signals import Nearest

__all__ = ["Threats", "Watched", "find_threats"]

Array = NDArray[np.float64]


class Watched(NamedTuple):
    """What is watched around a character, by S spheres of its safety regions.

    Args:
        radii: [m], shape (S,).
        priorities: Shape (S,).
        leads: How long before entry something is done, per spot and obstacle [s], shape (S, P).
        flies: Whether an obstacle can; in flight it threatens only while it comes, and what has hit is let go, shape (P,).
        steady: Whether it cannot be moved; it threatens inside a region wherever anybody goes, shape (P,).
        within: How near to a spot a course has to lead for what can give way to be minded [m], shape (S, P).
        taken: Whether a hand is about it, which it is not for long if what it is about hardly threatens, shape (P,).
        coming: `Coming.numbers`.
    """

    radii: Array
    priorities: Array
    leads: Array
    flies: NDArray[np.bool_]
    steady: NDArray[np.bool_]
    within: Array
    taken: NDArray[np.bool_]
    coming: tuple[float, float, float, float, float, float, float, bool] = Coming().numbers


class Threats(NamedTuple):
    """The most urgent spot of a character for each of P obstacles.

    Args:
        urgency: Time until it gets to the body, shortened by the region's priority [s]; infinite when nothing needs to be
            done about it, shape (P,).
        spot: The spot it threatens, shape (P,).
        closing: How fast it comes nearer to it [m/s], shape (P,).
        early: Whether it can be seen to come, while it is too early to do anything about it, shape (P,).
        counts: Whether it is more than looked at: what only goes by, or stays where it is, is nothing to do about, shape (P,).
    """

    urgency: Array
    spot: NDArray[np.int64]
    closing: Array
    early: NDArray[np.bool_]
    counts: NDArray[np.bool_]

    @classmethod
    def none(cls, obstacles: int) -> Threats:
        """Nothing threatens, to be filled in."""
        zeros = np.zeros(obstacles)
        return cls(np.full(obstacles, np.inf), zeros.astype(np.int64), zeros, zeros.astype(bool), zeros.astype(bool))


def find_threats(
    nearest: Nearest,
    spots: Array,
    velocities: Array,
    regions: Watched,
    latency: float,
    faces: Array,
    threats: Threats,
) -> bool:
    """Alvarado 2022, section 5.1, with entry predicted: inside a region, or going to be within the lead.

    Args:
        nearest: Closest points of the obstacles to the spots, with velocities as the character expects them.
        spots: Centres of the regions' spheres [m], shape (S, 3); more rows are not looked at.
        velocities: Of the spots [m/s], shape (S, 3).
        regions: Their spheres, priorities and leads.
        latency: How much sooner it is looked for, since it takes time to take in [s].
        faces: Where the chest faces, level, shape (3,); what is behind the body and goes away is let go.
        threats: Overwritten.

    Returns:
        Whether there is any.
    """
    near = (nearest.distance, nearest.point, nearest.velocity)
    return bool(_kernels.find_threats(near, spots, velocities, tuple(regions), latency, faces, tuple(threats)))
