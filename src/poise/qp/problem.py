"""Quadratic programs: min x'Hx/2 + g'x, equalities, two-sided rows, bounds on x; as they are, and as a distance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dgeqrf, dormqr, dpotrf, dtrtri, dtrtrs

from poise.qp import _distance

__all__ = ["DistanceForm", "Problem", "distance_form"]

Array = NDArray[np.float64]

_DEPENDENT = 1e-7
"""Equalities whose triangle has a diagonal with a smaller share of its largest entry depend on one another."""
_WORTH = 20
"""Fewer equalities cost less in DAQP than beforehand."""


@dataclass(eq=False)
class Problem:
    """A quadratic program; arrays keep their shapes while contacts, pairs and tasks stay the same.

    Args:
        hessian: Symmetric, positive definite, shape (N, N).
        gradient: Shape (N,).
        rows: Equality rows, then two-sided rows, shape (E + I, N).
        equalities: E.
        low: Bounds below: of the unknowns, then of the rows, shape (N + E + I,); ±inf for none.
        high: Bounds above.
        dense: How many of the first unknowns have a Hessian of their own; the others' is a diagonal.
        alone: How many of the last equalities are about those first unknowns alone.
    """

    hessian: Array
    gradient: Array
    rows: Array
    equalities: int
    low: Array
    high: Array
    dense: int
    alone: int = 0

    @classmethod
    def empty(
        cls, unknowns: int, equalities: int, inequalities: int, dense: int | None = None, alone: int = 0
    ) -> Problem:
        """Nothing but the shapes; all of the Hessian is dense by default."""
        count = equalities + inequalities
        return cls(
            np.zeros((unknowns, unknowns)),
            np.zeros(unknowns),
            np.zeros((count, unknowns)),
            equalities,
            np.full(unknowns + count, -np.inf),
            np.full(unknowns + count, np.inf),
            unknowns if dense is None else dense,
            alone,
        )

    def copy(self) -> Problem:
        """The same numbers in new arrays, to be kept."""
        arrays = (self.hessian.copy(), self.gradient.copy(), self.rows.copy())
        return Problem(*arrays, self.equalities, self.low.copy(), self.high.copy(), self.dense, self.alone)

    def misses(self, unknowns: Array) -> Array:
        """By how much each bound and row is missed, shape (N + E + I,); 0 where it holds."""
        values = np.concatenate([unknowns, self.rows @ unknowns])
        return np.asarray(np.maximum(np.maximum(self.low - values, values - self.high), 0.0))


class DistanceForm(NamedTuple):
    """A program whose objective is half the square of a distance: min |z|²/2 + g'z, which is what DAQP solves.

    Unknowns z are those with a diagonal Hessian, scaled, then coordinates of the dense ones in a basis.

    Args:
        basis: Of the dense unknowns, shape (dense, k).
        start: Where those are when their coordinates are 0, shape (dense,).
        scale: Of the others, shape (N - dense,).
        gradient: Shape (N - dense + k,).
        rows: One for each dense unknown, then the program's own that are left, shape (dense + E + I, N - dense + k).
        equalities: How many are left of them, E.
        low: Bounds of the scaled unknowns, then of the rows.
        high: Likewise.
    """

    basis: Array
    start: Array
    scale: Array
    gradient: Array
    rows: Array
    equalities: int
    low: Array
    high: Array

    def unknowns(self, found: Array) -> Array:
        """The program's own unknowns, shape (N,)."""
        diagonal = len(self.scale)
        result = np.empty(len(self.start) + diagonal)
        result[: len(self.start)] = self.start + self.basis @ found[diagonal:]
        result[len(self.start) :] = found[:diagonal] / self.scale
        return result


def distance_form(problem: Problem, alone: int) -> DistanceForm | None:
    """A program in coordinates in which its objective is a distance and its last equalities hold anyway.

    DAQP takes the Hessian apart at every update, row by row; most of it is a diagonal, LAPACK is quicker at the rest.
    It also meets every equality one by one, at a cost that grows with the square of their number: those about the dense
    unknowns alone are better solved beforehand, where they are many.

    Args:
        problem: The program.
        alone: How many of its last equalities, all about dense unknowns alone, are to hold.

    Returns:
        None where the Hessian is not positive definite.
    """
    count, dense = len(problem.gradient), problem.dense
    space = _space(problem, alone)
    if space is None:
        return None
    basis, start, gone = space
    equal, diagonal = problem.equalities - gone, count - dense
    scale = np.sqrt(np.diagonal(problem.hessian)[dense:])
    rows = np.empty((dense + len(problem.rows) - gone, diagonal + basis.shape[1]))
    _distance.without(problem.rows, equal, gone, dense, scale, rows)
    rows[:dense, diagonal:] = basis
    slope = problem.gradient[:dense]
    if gone:
        np.matmul(problem.rows[:equal, :dense], basis, out=rows[dense : dense + equal, diagonal:])
        np.matmul(problem.rows[equal + gone :, :dense], basis, out=rows[dense + equal :, diagonal:])
        slope, shift = slope + problem.hessian[:dense, :dense] @ start, problem.rows[:, :dense] @ start
    else:
        np.matmul(problem.rows[:, :dense], basis, out=rows[dense:, diagonal:])
        shift = np.zeros(len(problem.rows))
    gradient = np.concatenate([problem.gradient[dense:] / scale, slope @ basis])
    low, high = np.empty(diagonal + len(rows)), np.empty(diagonal + len(rows))
    _distance.moved_bounds(problem.low, problem.high, (count, dense, equal, gone), scale, start, shift, low, high)
    return DistanceForm(basis, start, scale, gradient, rows, equal, low, high)


def _space(problem: Problem, alone: int) -> tuple[Array, Array, int] | None:
    """Dense unknowns as start + basis @ y, in which their objective is |y|² / 2 and the last equalities hold.

    Args:
        problem: The program.
        alone: How many of its last equalities are to hold.

    Returns:
        Basis (dense, k), start (dense,), and how many equalities hold by that: all that are to, or none where they are few or
        depend on one another. None where the Hessian is not positive definite.
    """
    count, dense, end = len(problem.gradient), problem.dense, problem.equalities
    hessian = problem.hessian[:dense, :dense]
    if _WORTH <= alone < dense:
        packed, factors, _, _ = dgeqrf(problem.rows[end - alone : end, :dense].T)
        # Columns across the equalities, and one more that meets them.
        columns = np.zeros((dense, dense - alone + 1), order="F")
        wanted = problem.low[count + end - alone : count + end]
        if _distance.columns_across(packed, wanted, _DEPENDENT, columns):
            columns, _, _ = dormqr("L", "N", packed, factors, columns, 64 * dense)
            free, start = columns[:, :-1], columns[:, -1]
            triangle, failed = dpotrf(free.T @ (hessian @ free), lower=1)
            basis, singular = dtrtrs(triangle, free.T, lower=1)
            return None if failed or singular else (basis.T, start, alone)
    triangle, failed = dpotrf(hessian, lower=1)
    basis, singular = dtrtri(triangle, lower=1)
    return None if failed or singular else (basis.T, np.zeros(dense), 0)
