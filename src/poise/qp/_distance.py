"""Compiled loops of `problem.py`, `solve.py` and `sparse.py`."""

from __future__ import annotations

import numpy as np

from poise.math._compile import njit


@njit(cache=True)
def largest_miss(unknowns, rows, low, high):
    """Largest miss of a bound, relative to the nearer of the two or 1; of unknowns (N,), then of rows (R, N).

    inf where something is no finite number.
    """
    worst = 0.0
    size = len(unknowns)
    for i in range(size + len(rows)):
        value = 0.0
        if i < size:
            value = unknowns[i]
        else:
            for k in range(size):
                value += rows[i - size, k] * unknowns[k]
        if not np.isfinite(value):
            return np.inf
        miss = max(low[i] - value, value - high[i])
        if miss > 0.0:
            worst = max(worst, miss / (1.0 + min(abs(low[i]), abs(high[i]))))
    return worst


@njit(cache=True)
def mark_active(multipliers, first, last, marks):
    """Which bounds and rows hold a solution (M,), as DAQP marks them.

    5 for the equalities, which are the rows from first to last; else 1 for an upper bound that holds, 3 for a lower one, 0 for
    neither.
    """
    for i in range(len(multipliers)):
        if first <= i < last:
            marks[i] = 5
        else:
            marks[i] = 1 if multipliers[i] > 0.0 else (3 if multipliers[i] < 0.0 else 0)


@njit(cache=True)
def columns_across(packed, wanted, dependent, columns):
    """Right sides for the reflections of a QR factorization: what is across all equations, and what meets them.

    Args:
        packed: With R in its upper triangle, shape (n, s): equations are the columns.
        wanted: What they are to give, shape (s,).
        dependent: Smallest share of R's largest diagonal entry with which equations count as independent.
        columns: Zeros; written, shape (n, n - s + 1).

    Returns:
        Whether the equations are independent.
    """
    count = packed.shape[1]
    least, most = np.inf, 0.0
    for i in range(count):
        size = abs(packed[i, i])
        least, most = min(least, size), max(most, size)
    if not least > dependent * most:
        return False
    last = columns.shape[1] - 1
    for i in range(last):
        columns[count + i, i] = 1.0
    for i in range(count):
        total = wanted[i]
        for k in range(i):
            total -= packed[k, i] * columns[k, last]
        columns[i, last] = total / packed[i, i]
    return True


@njit(cache=True)
def without(rows, equal, gone, dense, scale, out):
    """The columns behind the dense ones, scaled, of all rows but `gone` equalities behind the first `equal` ones.

    They become the first columns of `out`, which has a row of zeros for each dense unknown before.
    """
    for r in range(dense):
        for c in range(len(scale)):
            out[r, c] = 0.0
    at = dense
    for r in range(rows.shape[0]):
        if equal <= r < equal + gone:
            continue
        for c in range(len(scale)):
            out[at, c] = rows[r, dense + c] / scale[c]
        at += 1


@njit(cache=True)
def moved_bounds(low, high, counts, scale, start, shift, least, most):
    """Bounds (of scaled diagonal unknowns, of dense unknowns, of the rows that are left) seen from `start`.

    Args:
        low: Of unknowns and rows.
        high: Of both.
        counts: Unknowns, dense ones, equalities that are kept, equalities behind those that are gone.
        scale: Of the unknowns that are not dense.
        start: Of the dense ones.
        shift: What `start` makes of each row.
        least: Written.
        most: Written.
    """
    count, dense, equal, gone = counts
    diagonal = count - dense
    for i in range(diagonal):
        least[i], most[i] = low[dense + i] * scale[i], high[dense + i] * scale[i]
    for i in range(dense):
        least[diagonal + i], most[diagonal + i] = low[i] - start[i], high[i] - start[i]
    at = count
    for r in range(len(shift)):
        if equal <= r < equal + gone:
            continue
        least[at], most[at] = low[count + r] - shift[r], high[count + r] - shift[r]
        at += 1
    for i in range(len(least)):
        least[i], most[i] = max(least[i], -1e20), min(most[i], 1e20)


@njit(cache=True)
def grow_pattern(dense, triangle, mask):
    """Mark where a matrix is not 0, on and over its diagonal or everywhere; whether that was not marked before."""
    grown = False
    for r in range(dense.shape[0]):
        for c in range(r if triangle else 0, dense.shape[1]):
            if dense[r, c] != 0.0 and not mask[r, c]:
                mask[r, c] = True
                grown = True
    return grown
