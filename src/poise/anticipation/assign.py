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
    urgency: Array,
    ways: Array,
    across: NDArray[np.bool_],
    reachable: NDArray[np.bool_],
    current: NDArray[np.int64],
    both: Callable[[int], bool],
) -> tuple[int, int]:
    """Which of the obstacles the left and the right hand take, `NOTHING` for none.

    The paper takes the nearest obstacle and the nearer hand; with several on their way they are shared out so that the most
    are answered, and among those ways the sum of urgency, way to go and change of mind is least.

    Args:
        urgency: Of each obstacle [s], most urgent first, shape (n,).
        ways: From each hand to each obstacle [m], shape (n, 2).
        across: Whether it lies on the other side of the body, shape (n, 2).
        reachable: Whether the hand can get there, shape (n, 2).
        current: Which of them the hands have now, `NOTHING` for none, shape (2,).
        both: Whether an obstacle takes both hands, where both are free for it.
    """
    if not len(urgency):
        return NOTHING, NOTHING
    if reachable[0].all() and not across[0].any() and both(0):
        return 0, 0
    left, right = _kernels.cheapest(urgency, ways, across, reachable, current)
    return int(left), int(right)
