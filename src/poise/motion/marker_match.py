"""Markers beside a clip of the same take: which way round they lie, and how far from the body.

Both may come from other programs, which name the horizontal axes differently; so of the four quarter turns about the vertical
the one is taken that brings the markers nearest to the joints. Nothing is moved beyond that, and nothing is solved.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.motion.clip import Clip
from poise.motion.markers import Markers

__all__ = ["MarkerMatch", "match_markers"]

Array = NDArray[np.float64]

_SAMPLES = 48
_FAR = 0.3
"""Median distance to the nearest joint from which on markers are no markers of this body [m]: those on skin have 0.1."""
_BETTER = 0.8
"""Share of the distance as it is that a turn must leave to be taken."""


class MarkerMatch(NamedTuple):
    """Markers as they lie beside a clip.

    Args:
        markers: As read, or turned by quarters about the vertical.
        distance: From a marker to the nearest joint or end site, median [m].
        notes: What is to be said, one line each.
    """

    markers: Markers
    distance: float
    notes: tuple[str, ...]


def match_markers(markers: Markers, clip: Clip) -> MarkerMatch:
    """Lay markers beside the clip of the same take; both begin together.

    Raises:
        InputError: No marker is seen while the clip lasts.
    """
    times = np.linspace(0.0, min(clip.duration, markers.duration), _SAMPLES)
    joints, ends = clip.world_positions()
    frames = np.round(times * clip.rate).astype(np.int64)
    body = np.concatenate([joints, ends], axis=1)[frames]
    ways = [markers.turned(quarters) for quarters in range(4)]
    distances = [_distance(way.at(times), body) for way in ways]
    if not np.isfinite(distances).all():
        raise InputError("no marker is seen while the clip lasts", source=markers.path)
    best = int(np.argmin(distances))
    quarters = best if distances[best] < _BETTER * distances[0] else 0
    notes, distance = [], distances[quarters]
    notes.append(
        f"{len(markers.names)} markers at {markers.rate:g} Hz, {100.0 * distance:.0f} cm from the nearest joint in the median"
    )
    if quarters:
        notes.append(
            f"the markers are turned by {90 * quarters}° about the vertical, where they lie nearest to the body"
        )
    if distance > _FAR:
        notes.append(
            f"the markers lie {distance:.1f} m from the body: another take, another place, or another up axis (--markers-up)?"
        )
    if abs(markers.duration - clip.duration) > 1.5 / min(markers.rate, clip.rate):
        notes.append(f"the markers last {markers.duration:.2f} s, the clip {clip.duration:.2f} s; they begin together")
    return MarkerMatch(ways[quarters], distance, tuple(notes))


def _distance(cloud: Array, body: Array) -> float:
    """Median distance from the markers (n, M, 3) to the nearest of the body's points (n, J, 3)."""
    nearest = [
        np.linalg.norm(points[~np.isnan(points[:, 0]), None] - places, axis=2).min(axis=1, initial=np.inf)
        for points, places in zip(cloud, body, strict=True)
    ]
    every = np.concatenate(nearest)
    return float(np.median(every)) if len(every) else float("nan")
