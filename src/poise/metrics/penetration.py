"""How deep bodies sink into one another and into objects, with capsules for shapes.

A capsule is a segment with a radius; a segment of no length makes it a sphere. Objects are capsules like bodies.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from poise.errors import InputError
from poise.lazy import LazyModule
from poise.metrics._arrays import Array, checked, checked_indices, largest, mean, numbers

if TYPE_CHECKING:
    from poise.metrics import _kernels
else:
    _kernels = LazyModule("poise.metrics._kernels")

__all__ = ["Penetration", "capsule_penetration", "pair_penetration", "penetration_summary", "segment_distance"]


@dataclass(frozen=True)
class Penetration:
    """How deep and how often shapes overlapped: `penetration_summary`."""

    max_mm: float
    mean_mm: float
    frames_percent: float


def segment_distance(p0: ArrayLike, p1: ArrayLike, q0: ArrayLike, q1: ArrayLike) -> Array:
    """Shortest distance between the segments p0–p1 and q0–q1 [m], all (..., 3), broadcast, to (...).

    Source: Ericson 2005, Real-Time Collision Detection, 5.1.9, taken over the five places where it can occur.

    Raises:
        InputError: The shapes do not broadcast or do not end in 3.
    """
    ends = [numbers("segment ends", each) for each in (p0, p1, q0, q1)]
    shapes = ", ".join(str(each.shape) for each in ends)
    if any(each.shape[-1:] != (3,) for each in ends):
        raise InputError(f"segment ends must have shape (..., 3); got {shapes}")
    try:
        broadcast = np.broadcast_arrays(*ends)
    except ValueError:
        raise InputError(f"segment ends must broadcast; got {shapes}") from None
    shape = broadcast[0].shape
    flat = [np.ascontiguousarray(each).reshape(-1, 3) for each in broadcast]
    out = np.empty(len(flat[0]))
    _kernels.segment_distances(*flat, out)
    return out.reshape(shape[:-1])


def capsule_penetration(
    p0: ArrayLike, p1: ArrayLike, ra: ArrayLike, q0: ArrayLike, q1: ArrayLike, rb: ArrayLike
) -> Array:
    """Overlap `max(0, ra + rb - d)` of two capsules [m], d the distance of their segments.

    Ends have shape (..., 3), radii (...), all broadcast; the result is (...). Where the segments cross it is ra + rb.
    The target is 0 at the solver's tolerance; a few mm is common in real time.

    Raises:
        InputError: The shapes do not broadcast or the ends do not end in 3.
    """
    reach = numbers("radii", ra) + numbers("radii", rb)
    distance = segment_distance(p0, p1, q0, q1)
    try:
        return np.asarray(np.maximum(0.0, reach - distance))
    except ValueError:
        raise InputError(f"radii must broadcast to {distance.shape}; got {reach.shape}") from None


def pair_penetration(starts: ArrayLike, ends: ArrayLike, radii: ArrayLike, pairs: ArrayLike) -> Array:
    """Overlap of pairs among moving capsules [m], shape (T, P).

    Args:
        starts: One end of each segment [m], shape (T, C, 3).
        ends: The other end [m], shape (T, C, 3).
        radii: Radius of each capsule [m], shape (C,).
        pairs: Indices of the two capsules of each pair, shape (P, 2). Leave out neighbors, which always overlap.

    Raises:
        InputError: Shapes disagree or an index is out of range.
    """
    first = np.ascontiguousarray(checked("starts", starts, None, None, 3))
    last = np.ascontiguousarray(checked("ends", ends, *first.shape))
    radius = checked("radii", radii, first.shape[1])
    index = checked_indices("pairs", pairs, first.shape[1], None, 2)
    out = np.empty((len(first), len(index)))
    _kernels.pair_depths(first, last, radius, index, out)
    return out


def penetration_summary(depths: ArrayLike, *, tolerance: float = 0.0) -> Penetration:
    """Summary of overlaps [m], shape (T, P), where each frame counts by its deepest pair.

    `mean_mm` is the mean over all frames, `frames_percent` the share of frames deeper than `tolerance` [m]. For one
    pair alone pass its column, `depths[:, [k]]`. NaN where there are no pairs.

    Raises:
        InputError: The shape is wrong.
    """
    array = checked("depths", depths, None, None)
    if array.size == 0:
        return Penetration(float("nan"), float("nan"), float("nan"))
    deepest = array.max(axis=1)
    return Penetration(1000.0 * largest(deepest), 1000.0 * mean(deepest), 100.0 * mean(deepest > tolerance))
