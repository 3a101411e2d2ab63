"""What of a body touches as flesh does, and what its own motion has in the ground."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.body.capsules import body_capsules
from poise.body.coordinates import BodyFrames
from poise.body.plan import BodyPlan

__all__ = ["flesh_of", "sunk_in"]


def flesh_of(plan: BodyPlan, feet: NDArray[np.int64]) -> NDArray[np.int64]:
    """All bodies but the feet, which stand in shoes."""
    return np.setdiff1d(np.arange(len(plan)), feet)


def sunk_in(plan: BodyPlan, frames: BodyFrames, level: float) -> NDArray[np.int64]:
    """Bodies that are under a level [m] in some of the frames."""
    starts, ends, radii, bodies = body_capsules(plan, frames)
    lowest = (np.minimum(starts[..., 2], ends[..., 2]) - radii).min(axis=0)
    return np.unique(bodies[lowest < level])
