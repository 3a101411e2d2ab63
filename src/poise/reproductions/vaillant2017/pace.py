"""How fast this machine is just now, busy as it is, beside the one on which the aims for times were set."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

import numpy as np

__all__ = ["pace"]

_PACES = (("a sum of two arrays (20, 4)", 0.33), ("the length of a vector (3,)", 1.1))
"""What the machine is told by, and how long it took on that one, idle [µs]."""


def pace() -> float:
    """How many times slower this machine is now.

    A hiccup at the moment in which it is asked makes it slower than it is: who times something asks before and after, and takes
    the smaller one.
    """
    rows, vector = np.ones((20, 4)), np.ones(3)
    works = (lambda: rows + rows, lambda: np.linalg.norm(vector))
    return float(np.mean([_typical(work) / spent for work, (_, spent) in zip(works, _PACES, strict=True)]))


def _typical(work: Callable[[], object]) -> float:
    """Median time of a small piece of work over batches [µs]."""
    spent = []
    for _ in range(101):
        begin = process_time()
        for _ in range(500):
            work()
        spent.append((process_time() - begin) / 500 * 1e6)
    return float(np.median(spent))
