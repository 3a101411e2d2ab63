"""Programs of many characters, most of whose numbers are 0: PIQP's sparse interior point method."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_matrix

from poise.errors import InputError
from poise.qp import _distance
from poise.qp.problem import Problem

__all__ = ["SparseSolver"]

Array = NDArray[np.float64]

_INFINITE = 1e30
_FAR = 1e6
"""Bound of rows that have none: PIQP takes those out, with a warning at every step [m/s², N m]."""
_ACCURACY = 1e-8
"""Of constraints and of the duality gap."""


class _Pattern:
    """Where a matrix has numbers, and those numbers as a compressed sparse matrix.

    Args:
        triangle: Whether only what is on and over the diagonal counts.
    """

    def __init__(self, triangle: bool) -> None:
        self._triangle = triangle
        self._mask: NDArray[np.bool_] = np.zeros((0, 0), dtype=bool)
        self.matrix = csc_matrix((0, 0))

    def fill(self, dense: Array) -> bool:
        """Take over numbers; whether there are some where there were none before."""
        if self._mask.shape != dense.shape:
            self._mask = np.zeros(dense.shape, dtype=bool)
        grown = bool(_distance.grow_pattern(dense, self._triangle, self._mask))
        if grown:
            counts = self._mask.sum(axis=0)
            columns, rows = np.nonzero(self._mask.T)
            self._places = (rows, columns)
            ends = np.concatenate([[0], np.cumsum(counts)])
            self.matrix = csc_matrix((np.zeros(len(rows)), rows, ends), shape=dense.shape)
        self.matrix.data[:] = dense[self._places]
        return grown


class SparseSolver:
    """Solves programs of one shape; where their zeros are is looked up at each of them, so none is ever missed.

    Raises:
        InputError: PIQP is not installed.
    """

    def __init__(self) -> None:
        try:
            package: Any = import_module("piqp")
        except ImportError:
            raise InputError("the solver piqp is not installed; pip install 'poise[sparse]'") from None
        self._model = package.SparseSolver()
        settings = self._model.settings
        settings.eps_abs, settings.eps_rel, settings.preconditioner_reuse_on_update = _ACCURACY, 0.0, True
        self._solved = package.PIQP_SOLVED
        self._hessian, self._equal, self._unequal = _Pattern(True), _Pattern(False), _Pattern(False)

    def solve(self, problem: Problem) -> tuple[Array, bool, int]:
        """Unknowns, whether they are said to be the solution, and the number of iterations."""
        count, equal = len(problem.gradient), problem.equalities
        at = count + equal
        widest = np.where(np.arange(len(problem.low)) < count, _INFINITE, _FAR)
        low, high = np.clip(problem.low, -widest, widest), np.clip(problem.high, -widest, widest)
        grown = self._hessian.fill(problem.hessian)
        grown |= self._equal.fill(problem.rows[:equal])
        grown |= self._unequal.fill(problem.rows[equal:])
        parts = (
            *(self._hessian.matrix, problem.gradient, self._equal.matrix, low[count:at], self._unequal.matrix),
            *(low[at:], high[at:], low[:count], high[:count]),
        )
        (self._model.setup if grown else self._model.update)(*parts)
        status = self._model.solve()
        result = self._model.result
        return np.array(result.x), status == self._solved, int(result.info.iter)
