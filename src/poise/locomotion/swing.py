"""How a foot goes from one foothold to the next."""

from __future__ import annotations

from enum import Enum
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from poise.math.easing import eased

__all__ = ["SwingProfile", "swing_progress", "swung"]

Array = NDArray[np.float64]
T = TypeVar("T", float, Array)


class SwingProfile(Enum):
    """The speed of a swinging foot over the time of its step."""

    MINIMUM_JERK = "minimum_jerk"
    """The smoothest way that leaves and lands as the clip's foot does (Flash and Hogan 1985): 1.9 times the mean at most."""
    TRIANGULAR = "triangular"
    """The paper's (Fig. 3): evenly faster to twice the mean speed, then evenly slower; the acceleration flips in mid-swing."""
    CLIP = "clip"
    """As in the clip."""


def swing_progress(profile: SwingProfile, share: float) -> float:
    """How much of the way is done after a share of the time, from rest to rest."""
    u = min(max(share, 0.0), 1.0)
    if profile is SwingProfile.TRIANGULAR:
        return 2.0 * u * u if u < 0.5 else 1.0 - 2.0 * (1.0 - u) ** 2
    return eased(u)


def swung(share: float, start: T, end: T, leaving: T, landing: T) -> T:
    """The way of least jerk at a share of its time, with given velocities and no acceleration at its ends.

    Args:
        share: 0…1.
        start: Where it begins, of any shape.
        end: Where it ends.
        leaving: Velocity at its beginning, per whole time.
        landing: Velocity at its end, per whole time.
    """
    u = min(max(share, 0.0), 1.0)
    done = eased(u)
    off = u - u**3 * (6.0 + u * (3.0 * u - 8.0))
    on = -(u**3) * (4.0 + u * (3.0 * u - 7.0))
    return start + done * (end - start) + off * leaving + on * landing
