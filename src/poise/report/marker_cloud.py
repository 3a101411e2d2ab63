"""Markers at moments of a run: they go with the first character's clip, which may lag behind the session."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.runtime import Session

__all__ = ["marker_paths", "markers_at"]

Array = NDArray[np.float64]


def marker_paths(session: Session, states: NDArray[np.int64]) -> Array:
    """Where the markers are after so many ticks each (n,), in the time of the clip [m], shape (n, M, 3); nan where not seen."""
    markers = session.setting.markers
    if markers is None:
        return np.zeros((len(states), 0, 3))
    who = next(iter(session.characters.values()))
    lags = np.append(0.0, session.references[0].clock.lags)
    behind = lags[np.minimum(states, len(lags) - 1)]
    return markers.at(states * session.clock.tick - behind + who.prepared.skipped / who.clip.rate)


def markers_at(session: Session, state: int) -> Array:
    """Where those markers are [m] that are seen after so many ticks, shape (k, 3)."""
    points = marker_paths(session, np.array([state]))[0]
    return np.asarray(points[~np.isnan(points[:, 0])])
