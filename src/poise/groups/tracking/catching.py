"""Steps that catch a body that is off its course: a foot comes down as much farther on as the body runs away.

What runs away of a body that stands on a point is ξ = c + c' / w (`poise.groups.preview`). As far as it is off the course's,
the foot in the air comes down elsewhere, and from then on the course is meant to be there: everything of it goes along with
the feet that bear it, from the one to the other as weight does.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from poise.groups.tracking.footing import Bearing, Footing
from poise.groups.tracking.options import TrackingOptions

__all__ = ["elsewhere", "shares"]

Array = NDArray[np.float64]


def elsewhere(away: Array, rate: Array, pace: float, options: TrackingOptions) -> Array:
    """How much farther on a foot has to come down [m], along the ground, shape (3,).

    Args:
        away: Of the center of mass from its course [m], shape (3,).
        rate: Its rate [m/s], shape (3,).
        pace: w [1/s].
        options: How far off it may be for that, and how far a foot goes at most.
    """
    running = (away + rate / pace) * [1.0, 1.0, 0.0]
    length = float(np.linalg.norm(running))
    return np.asarray(running * (min(max(length - options.beyond, 0.0), options.farther) / max(length, 1e-9)))


def shares(feet: Sequence[Footing]) -> Array:
    """Frame by frame how much of a body each foot bears, shape (T, 2): all, or evenly from who leaves to who has come."""
    bears = np.stack([foot.kinds != Bearing.NOTHING for foot in feet], axis=1).astype(float)
    result = bears / np.maximum(bears.sum(axis=1, keepdims=True), 1.0)
    both = np.flatnonzero(bears.all(axis=1))
    for run in np.split(both, np.flatnonzero(np.diff(both) > 1) + 1):
        if not len(run) or run[0] == 0 or run[-1] == len(bears) - 1:
            continue
        before, after = result[run[0] - 1], result[run[-1] + 1]
        share = (np.arange(len(run)) + 1.0) / (len(run) + 1.0)
        result[run] = before + share[:, None] * (after - before)
    return np.asarray(result)
