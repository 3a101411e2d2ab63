"""Where a motion's weight is borne, and how a body has to be moved for that to lie under its feet.

The zero-moment point p of a motion is where the ground's force would have to act. Moved along the ground by d, the body's
weight is borne at about p + d - d'' / w², w² = g / height (the inverted pendulum of `poise.groups.preview`). What p has to be
moved by is known over the whole clip, so d is the one course that never runs away, looked at from both sides.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from poise.body.trajectory import Trajectory
from poise.math import quat
from poise.math.smoothing import smoothed
from poise.world.system import System

__all__ = ["calmed", "course_to", "nearest_within", "zero_moment"]

Array = NDArray[np.float64]

_LEAST = 0.2
"""A motion that pushes less than this share of its weight has no zero-moment point."""


def zero_moment(twin: System, owner: str, trajectory: Trajectory, times: Array) -> tuple[Array, Array, Array]:
    """Zero-moment points on the ground, at z = 0 [m] (n, 2), centers of mass [m] (n, 3), and w [1/s] (n,)."""
    points, centers = np.zeros((len(times), 2)), np.zeros((len(times), 3))
    weight, inside = twin.gravity * twin.mass_of(owner), twin.roots([owner])
    jacobian, rate, drift = np.zeros((3, twin.size)), np.zeros(3), np.zeros(3)
    for number, time in enumerate(times):
        moment = trajectory.moment(float(time))
        twin.put(owner, moment.positions, moment.velocities)
        twin.refresh()
        twin.centroid(inside, jacobian, centers[number], rate, drift)
        needed = twin.inverse(twin.ordered(owner, moment.accelerations))[:6]
        place, about = moment.positions[:3], quat.rotate(moment.positions[3:7], needed[3:])
        push = max(needed[2], _LEAST * weight)
        points[number] = (
            place[0] - (place[2] * needed[0] + about[1]) / push,
            place[1] - (place[2] * needed[1] - about[0]) / push,
        )
    return points, centers, np.sqrt(twin.gravity / np.maximum(centers[:, 2], 0.1))


def course_to(asked: Array, rates: Array, frames: float) -> Array:
    """Courses d (T, 2) with d - d'' / w² as asked (T, 2) [m]; before and after them nothing is moved.

    Args:
        asked: What the zero-moment point has to be moved by [m].
        rates: w [1/s], shape (T,).
        frames: Per second [Hz].
    """
    from scipy.linalg import solve_banded  # Slow to import (docs/architecture.md, decision 12).

    if len(asked) == 1:
        return asked.copy()
    stiff = (frames / rates) ** 2
    bands = np.zeros((3, len(asked)))
    bands[1] = 1.0 + 2.0 * stiff
    bands[0, 1:], bands[2, :-1] = -stiff[:-1], -stiff[1:]
    for end in (0, -1):
        bands[1, end] -= stiff[end] * np.exp(-1.0 / np.sqrt(stiff[end]))
    return np.asarray(solve_banded((1, 1), bands, asked))


def calmed(values: Array, deviation: float) -> Array:
    """Values (T, N) under a Gaussian of this deviation [frames]; at the ends they go on as they came."""
    pad = min(int(4.0 * deviation + 1.0), len(values) - 1)
    if deviation <= 0.0 or pad < 1:
        return values
    before, after = 2.0 * values[0] - values[pad:0:-1], 2.0 * values[-1] - values[-2 : -2 - pad : -1]
    return smoothed(np.concatenate([before, values, after]), deviation)[pad:-pad]


def nearest_within(points: Array, place: Array) -> Array:
    """The place in the convex hull of points (k, 2), k at least 1, that is nearest to another (2,) [m]."""
    hull = _hull(points)
    ways, away = np.roll(hull, -1, axis=0) - hull, place - hull
    if len(hull) > 2 and (ways[:, 0] * away[:, 1] >= ways[:, 1] * away[:, 0]).all():
        return place
    share = np.clip((away * ways).sum(axis=1) / np.maximum((ways**2).sum(axis=1), 1e-12), 0.0, 1.0)
    found = hull + share[:, None] * ways
    return np.asarray(found[np.argmin(((found - place) ** 2).sum(axis=1))])


def _hull(points: Array) -> Array:
    """Corners of the convex hull, anticlockwise (Andrew's monotone chain)."""
    ordered = np.unique(points, axis=0)
    if len(ordered) < 3:
        return ordered
    corners: list[Array] = []
    for way in (ordered, ordered[::-1]):
        chain: list[Array] = []
        for point in way:
            while len(chain) > 1 and _left_of(chain[-2], chain[-1], point) <= 0.0:
                chain.pop()
            chain.append(point)
        corners += chain[:-1]
    return np.array(corners)


def _left_of(start: Sequence[float] | Array, end: Sequence[float] | Array, point: Sequence[float] | Array) -> float:
    return float((end[0] - start[0]) * (point[1] - start[1]) - (end[1] - start[1]) * (point[0] - start[0]))
