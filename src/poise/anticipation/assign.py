"""Which hand takes which obstacle: the cheapest matching of hands and obstacles, with a preference for what a hand has."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import _kernels

__all__ = ["NOTHING", "assign_hands"]

Array = NDArray[np.float64]

NOTHING = -1
"""A hand that takes no obstacle."""


def assign_hands(
    meetings: Array, current: tuple[int, int], both: Callable[[int, float, float], bool]
) -> tuple[int, int]:
    """Which obstacles the left and the right hand take, `NOTHING` for none.

    The paper takes the nearest obstacle and the nearer hand; with several on their way they are shared out so that the most
    are answered, and among those ways the sum of urgency, way to go and change of mind is least.

    Args:
        meetings: With each obstacle, the most urgent first: its number, then for either hand its way there [m], how far from
            the shoulder that is [m], whether it is on the other side of the body, and whether it can be reached; and last its
            urgency [s]; shape (n, 10).
        current: What the hands have now, `NOTHING` for none.
        both: Whether an obstacle so far from either shoulder takes both hands, where both are free for it.
    """
    if not len(meetings):
        return NOTHING, NOTHING
    which, _, left, left_across, left_reached, _, right, right_across, right_reached, _ = meetings[0].tolist()
    free = left_reached and right_reached and not left_across and not right_across
    if free and both(int(which), left, right):
        return int(which), int(which)
    return _kernels.cheapest(meetings, current)  # type: ignore[no-any-return]
