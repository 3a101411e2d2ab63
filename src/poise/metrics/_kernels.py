"""Compiled loops: distances between segments, and the margin of a point in a convex polygon.

Rows are copied number by number: assigning one array to another compiles the words of an error message, which takes a second.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.math._compile import njit

Array = NDArray[np.float64]


@njit(cache=True)
def _to_segment(p: Array, a: Array, b: Array) -> float:
    """Squared distance of a point from a segment, which may be a point."""
    length = 0.0
    along = 0.0
    for k in range(a.shape[0]):
        length += (b[k] - a[k]) ** 2
        along += (p[k] - a[k]) * (b[k] - a[k])
    t = min(max(along / length, 0.0), 1.0) if length > 0.0 else 0.0
    squared = 0.0
    for k in range(a.shape[0]):
        squared += (p[k] - a[k] - t * (b[k] - a[k])) ** 2
    return float(squared)


@njit(cache=True)
def _between(p0: Array, p1: Array, q0: Array, q1: Array) -> float:
    """Distance of two segments: at an end of one of them, or between two inner points of skew lines.

    Every candidate is a distance that occurs, and one of the five is the shortest, so near-parallel segments are safe.
    """
    best = min(
        min(_to_segment(p0, q0, q1), _to_segment(p1, q0, q1)),
        min(_to_segment(q0, p0, p1), _to_segment(q1, p0, p1)),
    )
    uu = vv = uv = ur = vr = 0.0
    for k in range(3):
        u, v, r = p1[k] - p0[k], q1[k] - q0[k], p0[k] - q0[k]
        uu += u * u
        vv += v * v
        uv += u * v
        ur += u * r
        vr += v * r
    denominator = uu * vv - uv * uv
    if denominator > 0.0:
        s = (uv * vr - vv * ur) / denominator
        t = (uu * vr - uv * ur) / denominator
        if 0.0 < s < 1.0 and 0.0 < t < 1.0:
            squared = 0.0
            for k in range(3):
                squared += (p0[k] - q0[k] + s * (p1[k] - p0[k]) - t * (q1[k] - q0[k])) ** 2
            best = min(best, squared)
    return float(np.sqrt(best))


@njit(cache=True)
def segment_distances(p0: Array, p1: Array, q0: Array, q1: Array, out: Array) -> None:
    """Distances of n pairs of segments, all (n, 3), into `out` (n,)."""
    for i in range(out.shape[0]):
        out[i] = _between(p0[i], p1[i], q0[i], q1[i])


@njit(cache=True)
def pair_depths(starts: Array, ends: Array, radii: Array, pairs: NDArray[np.int64], out: Array) -> None:
    """Overlap of capsules (T, C, 3), (T, C, 3), (C,) for each of `pairs` (P, 2), into `out` (T, P)."""
    for frame in range(out.shape[0]):
        for k in range(pairs.shape[0]):
            a, b = pairs[k, 0], pairs[k, 1]
            distance = _between(starts[frame, a], ends[frame, a], starts[frame, b], ends[frame, b])
            out[frame, k] = max(0.0, radii[a] + radii[b] - distance)


@njit(cache=True)
def _turn(a: Array, b: Array, c: Array) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


@njit(cache=True)
def convex_hull(points: Array, hull: Array) -> int:
    """Corners of the hull of `points` (n, 2), anticlockwise, into `hull` (n + 1, 2); returns how many.

    Andrew's monotone chain. `points` is sorted in place. One corner for equal points, two for points in a line.
    """
    count = points.shape[0]
    for i in range(1, count):  # few points: insertion sort by x, then y
        x, y = points[i, 0], points[i, 1]
        j = i
        while j > 0 and (points[j - 1, 0] > x or (points[j - 1, 0] == x and points[j - 1, 1] > y)):
            points[j, 0], points[j, 1] = points[j - 1, 0], points[j - 1, 1]
            j -= 1
        points[j, 0], points[j, 1] = x, y
    if count == 0:
        return 0
    if points[0, 0] == points[count - 1, 0] and points[0, 1] == points[count - 1, 1]:
        hull[0, 0], hull[0, 1] = points[0, 0], points[0, 1]
        return 1
    size = 0
    for i in range(count):
        while size >= 2 and _turn(hull[size - 2], hull[size - 1], points[i]) <= 0.0:
            size -= 1
        hull[size, 0], hull[size, 1] = points[i, 0], points[i, 1]
        size += 1
    lower = size + 1
    for i in range(count - 2, -1, -1):
        while size >= lower and _turn(hull[size - 2], hull[size - 1], points[i]) <= 0.0:
            size -= 1
        hull[size, 0], hull[size, 1] = points[i, 0], points[i, 1]
        size += 1
    return size - 1


@njit(cache=True)
def _margin(query: Array, hull: Array, size: int) -> float:
    """Signed distance of a point to the edge of a hull, positive inside; never positive below three corners."""
    inside = size > 2
    nearest = np.inf
    for i in range(size):
        a, b = hull[i], hull[(i + 1) % size]
        inside = inside and _turn(a, b, query) >= 0.0
        nearest = min(nearest, _to_segment(query, a, b))
    distance = float(np.sqrt(nearest))
    return distance if inside else 0.0 - distance


@njit(cache=True)
def support_margins(queries: Array, points: Array, contact: NDArray[np.bool_], out: Array) -> None:
    """Margin of each query (T, 2) in the hull of the points (T, F, 2) in contact (T, F), into `out` (T,).

    NaN for a frame without contact, or whose query is NaN.
    """
    most = points.shape[1]
    touching = np.empty((most, 2))
    hull = np.empty((most + 1, 2))
    for frame in range(out.shape[0]):
        count = 0
        for k in range(most):
            if contact[frame, k]:
                touching[count, 0], touching[count, 1] = points[frame, k, 0], points[frame, k, 1]
                count += 1
        size = convex_hull(touching[:count], hull)
        known = not (np.isnan(queries[frame, 0]) or np.isnan(queries[frame, 1]))
        out[frame] = _margin(queries[frame], hull, size) if size and known else np.nan
