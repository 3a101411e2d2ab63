"""Which hand takes which obstacle: the cheapest matching of hands and obstacles, with a preference for what a hand has."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

__all__ = ["NOTHING", "assign_hands"]

Array = NDArray[np.float64]

NOTHING = -1
"""A hand that takes no obstacle."""

_MOST = 4
"""The most urgent obstacles that are considered."""
_PER_METRE = 0.8
"""Seconds of urgency that a metre of way to the obstacle is worth."""
_ACROSS = 0.5
"""Seconds that reaching over to the other side costs."""
_KEEP = 0.4
"""Seconds by which a new obstacle must be more urgent than the one a hand has."""


def assign_hands(
    urgency: Array,
    ways: Array,
    across: NDArray[np.bool_],
    reachable: NDArray[np.bool_],
    current: tuple[int, int],
    both: Callable[[int], bool],
) -> tuple[int, int]:
    """Obstacle of the left and of the right hand, `NOTHING` for none.

    The paper takes the nearest obstacle and the nearer hand; with several on their way the most urgent ones are shared out
    so that the sum of urgency, way to go and change of mind is least.

    Args:
        urgency: Of each obstacle [s], infinite for none, shape (P,).
        ways: From each hand to each obstacle [m], shape (2, P).
        across: Whether it lies on the other side of the body, shape (2, P).
        reachable: Whether the hand can get there, shape (2, P).
        current: What the hands have now.
        both: Whether an obstacle takes both hands, where both are free for it.
    """
    picked = np.argsort(urgency, kind="stable")[:_MOST]
    picked = picked[np.isfinite(urgency[picked])]
    if not len(picked):
        return NOTHING, NOTHING
    first = int(picked[0])
    if both(first) and reachable[:, first].all() and not across[:, first].any():
        return first, first
    cost = urgency[picked] + _PER_METRE * ways[:, picked] + _ACROSS * across[:, picked]
    cost = np.where(reachable[:, picked], cost, np.inf)
    for hand, has in enumerate(current):
        cost[hand, picked == has] -= _KEEP
    return _cheapest(cost, picked)


def _cheapest(cost: Array, picked: NDArray[np.int64]) -> tuple[int, int]:
    """The most obstacles answered, and among those the least sum of costs; the two hands never share one here."""
    count = len(picked)
    best, chosen = (-1, np.inf), (NOTHING, NOTHING)
    for left in range(-1, count):
        for right in range(-1, count):
            if left == right and left >= 0:
                continue
            paid = [cost[hand, which] for hand, which in ((0, left), (1, right)) if which >= 0]
            if not np.isfinite(paid).all():
                continue
            score = (len(paid), float(np.sum(paid)))
            if score[0] > best[0] or (score[0] == best[0] and score[1] < best[1]):
                best = score
                chosen = tuple(int(picked[which]) if which >= 0 else NOTHING for which in (left, right))  # type: ignore[assignment]
    return chosen
