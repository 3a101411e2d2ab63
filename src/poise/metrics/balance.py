"""Where the centre of mass stands over the feet.

Horizontal positions are (x, y); Z is up. The centre of mass at rest is balanced while its projection lies in the
support polygon, the convex hull of the ground contacts; in motion the extrapolated centre of mass takes its place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from poise.errors import InputError
from poise.lazy import LazyModule
from poise.metrics._arrays import Array, checked, checked_mask, mean, numbers

if TYPE_CHECKING:
    from poise.metrics import _kernels
else:
    _kernels = LazyModule("poise.metrics._kernels")

__all__ = [
    "GRAVITY",
    "SupportMargin",
    "centre_of_mass",
    "extrapolated_centre_of_mass",
    "margin_summary",
    "support_margin",
    "support_polygon",
]

GRAVITY = 9.81
"""Standard acceleration of gravity, as MuJoCo rounds it [m/s²]."""


@dataclass(frozen=True)
class SupportMargin:
    """Margins over the frames with contact: `margin_summary`."""

    mean_m: float
    min_m: float
    outside_percent: float
    supported_percent: float


def centre_of_mass(positions: ArrayLike, masses: ArrayLike) -> Array:
    """Mean of body values weighted with mass, (T, B, 3) to (T, 3): of positions [m] or, as well, velocities [m/s].

    Raises:
        InputError: Shapes disagree or there is no mass.
    """
    array = checked("body positions", positions, None, None, 3)
    mass = checked("masses", masses, array.shape[1])
    if not mass.sum() > 0.0:
        raise InputError("the masses must have a positive sum")
    return np.asarray(np.einsum("tbk,b->tk", array, mass) / mass.sum())


def extrapolated_centre_of_mass(
    com: ArrayLike, velocity: ArrayLike, floor: ArrayLike = 0.0, *, gravity: float = GRAVITY
) -> Array:
    """Horizontal point `com + v / ω₀` with `ω₀ = √(g / h)`, h the height over the floor, (T, 3) to (T, 2) [m].

    NaN in frames whose centre of mass is not above the floor (a number or one per frame, shape (T,)).
    Steady walking keeps it just outside the standing foot, towards where the next one will be.

    Source: Hof et al. 2005, The condition for dynamic stability, with the pendulum's length from
    the leg; here it is the height itself.

    Raises:
        InputError: Shapes disagree.
    """
    position = checked("the centre of mass", com, None, 3)
    speed = checked("its velocity", velocity, *position.shape)
    height = position[:, 2] - numbers("the floor", floor)
    time = np.sqrt(np.where(height > 0.0, height, np.nan) / gravity)
    return np.asarray(position[:, :2] + time[:, None] * speed[:, :2])


def support_polygon(points: ArrayLike) -> Array:
    """Corners of the convex hull of contact points (N, 2), anticlockwise, shape (M, 2) [m].

    Points in a line give their two ends, equal points one corner, no points none.

    Raises:
        InputError: The shape is wrong.
    """
    array = checked("contact points", points, None, 2).copy()
    hull = np.empty((len(array) + 1, 2))
    return hull[: _kernels.convex_hull(array, hull)].copy()


def support_margin(query: ArrayLike, points: ArrayLike, contact: ArrayLike) -> Array:
    """Signed distance of a horizontal point to the edge of the support polygon [m], positive inside, shape (T,).

    With one or two corners there is no inside, and the margin is minus the distance to the point or line. NaN in frames
    without contact and where the point is NaN. PHUMA accepts a pelvis up to 0.06 m outside the base of support.

    Args:
        query: Point to judge [m], shape (T, 2), such as the projected centre of mass.
        points: Points that may touch the ground [m], shape (T, F, 3) or (T, F, 2).
        contact: Which of them do, booleans of shape (T, F).

    Raises:
        InputError: Shapes disagree.
    """
    array = numbers("contact points", points)
    array = checked("contact points", array[..., :2], None, None, 2)
    touching = checked_mask("contact", contact, *array.shape[:2])
    place = checked("the query", query, len(array), 2)
    out = np.empty(len(array))
    _kernels.support_margins(np.ascontiguousarray(place), np.ascontiguousarray(array), touching, out)
    return out


def margin_summary(margins: ArrayLike) -> SupportMargin:
    """Mean and smallest margin [m] over frames that have one, and the share of those outside the polygon.

    `supported_percent` is the share of frames with contact; PHUMA wants at least 60 %.

    Raises:
        InputError: The shape is wrong.
    """
    array = checked("margins", margins, None)
    known = array[~np.isnan(array)]
    least = float(known.min()) if known.size else float("nan")
    return SupportMargin(mean(known), least, 100.0 * mean(known < 0.0), 100.0 * len(known) / max(len(array), 1))
