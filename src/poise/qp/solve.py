"""The one door to quadratic program solvers: min x'Hx/2 + g'x, equalities, two-sided rows, bounds on x."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import daqp
import numpy as np
import proxsuite
from numpy.typing import NDArray
from scipy.linalg.lapack import dtrtri
from threadpoolctl import ThreadpoolController

__all__ = ["Problem", "Solution", "Solver"]

Array = NDArray[np.float64]

INFINITE = 1e20
_ACCURACY = 1e-7
"""Largest miss of a constraint that counts as solved, relative to its right side or 1 [m/s², N, N m]."""
_EQUALITY = 5
_LIBRARIES = ThreadpoolController()
"""Matrices of this size are multiplied faster by one thread than by several that wait for one another."""
_PROXQP = proxsuite.proxqp


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
    """

    hessian: Array
    gradient: Array
    rows: Array
    equalities: int
    low: Array
    high: Array
    dense: int

    @classmethod
    def empty(cls, unknowns: int, equalities: int, inequalities: int, dense: int | None = None) -> Problem:
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
        )

    def copy(self) -> Problem:
        """The same numbers in new arrays, to be kept."""
        arrays = (self.hessian.copy(), self.gradient.copy(), self.rows.copy())
        return Problem(*arrays, self.equalities, self.low.copy(), self.high.copy(), self.dense)

    def misses(self, unknowns: Array) -> Array:
        """By how much each bound and row is missed, shape (N + E + I,); 0 where it holds."""
        values = np.concatenate([unknowns, self.rows @ unknowns])
        return np.asarray(np.maximum(np.maximum(self.low - values, values - self.high), 0.0))


class Solution(NamedTuple):
    """What a solver found.

    Args:
        unknowns: Shape (N,).
        solved: Whether it says so and all constraints hold.
        miss: Largest miss of a constraint, relative to its bound or 1.
        iterations: How many it took.
        solver: Its name.
    """

    unknowns: Array
    solved: bool
    miss: float
    iterations: int
    solver: str


class Solver:
    """Solves problems one after the other, from where the last one of the same shape ended.

    Args:
        kind: Which. ProxQP is up to twice as quick from near by on large programs, and twenty times slower where the
            active set has just changed a lot: whatever must never be late takes DAQP.
        limit: Greatest number of iterations.
    """

    def __init__(self, kind: Literal["daqp", "proxqp"] = "daqp", limit: int = 2000) -> None:
        self.kind, self.limit = kind, limit
        self._shape: tuple[int, ...] = ()
        self._daqp: Any = None
        self._proxqp: Any = None

    def forget(self) -> None:
        """Start the next problem afresh."""
        self._shape, self._daqp, self._proxqp = (), None, None

    def solve(self, problem: Problem) -> Solution:
        """Solve, from where the last one of this shape ended, and check the residuals."""
        shape = (*problem.rows.shape, problem.equalities)
        if shape != self._shape:
            self.forget()
            self._shape = shape
        with _LIBRARIES.limit(limits=1):
            return self._with_proxqp(problem) if self.kind == "proxqp" else self._with_daqp(problem)

    def _judged(self, problem: Problem, unknowns: Array, claims: bool, iterations: int, solver: str) -> Solution:
        if not np.isfinite(unknowns).all():
            return Solution(np.zeros_like(unknowns), False, np.inf, iterations, solver)
        misses = problem.misses(unknowns)
        scale = 1.0 + np.minimum(_size(problem.low), _size(problem.high))
        miss = float((misses / scale).max())
        return Solution(unknowns, claims and miss < 10.0 * _ACCURACY, miss, iterations, solver)

    def _with_daqp(self, problem: Problem) -> Solution:
        """In coordinates in which the objective is half the square of a distance.

        DAQP takes the Hessian apart at every update, row by row; most of it is a diagonal, LAPACK is quicker at the rest.
        """
        count, dense = len(problem.gradient), problem.dense
        inverse, state = dtrtri(np.linalg.cholesky(problem.hessian[:dense, :dense]), lower=1)
        if state:
            return Solution(np.zeros(count), False, np.inf, 0, "daqp")
        scale = np.sqrt(np.einsum("ii->i", problem.hessian)[dense:])
        rows = np.empty((dense + len(problem.rows), count))
        rows[:dense, :dense], rows[:dense, dense:] = inverse.T, 0.0
        np.matmul(problem.rows[:, :dense], inverse.T, out=rows[dense:, :dense])
        np.divide(problem.rows[:, dense:], scale, out=rows[dense:, dense:])
        gradient = np.concatenate([inverse @ problem.gradient[:dense], problem.gradient[dense:] / scale])
        free = np.full(dense, INFINITE)
        low = _finite(
            np.concatenate([-free, problem.low[dense:count] * scale, problem.low[:dense], problem.low[count:]])
        )
        high = _finite(
            np.concatenate([free, problem.high[dense:count] * scale, problem.high[:dense], problem.high[count:]])
        )
        model = self._daqp
        if model is None:
            model = self._daqp = daqp.Model()
            model.settings = {**model.settings, "eq_reduction": 0, "iter_limit": self.limit, "primal_tol": 1e-8}
            sense = np.zeros(len(low), np.int32)
            sense[count + dense : count + dense + problem.equalities] = _EQUALITY
            flag, _ = model.setup(np.eye(count), gradient, rows, high, low, sense)
            if flag < 0:
                self._daqp = None
                return Solution(np.zeros(count), False, np.inf, 0, "daqp")
        else:
            model.update(None, gradient, rows, high, low)
        found, _, flag, info = model.solve()
        found = np.array(found)
        unknowns = np.concatenate([inverse.T @ found[:dense], found[dense:] / scale])
        return self._judged(problem, unknowns, flag > 0, int(info["iterations"]), "daqp")

    def _with_proxqp(self, problem: Problem) -> Solution:
        count, equal = len(problem.gradient), problem.equalities
        low, high = _finite(problem.low), _finite(problem.high)
        at = count + equal
        numbers = (
            *(problem.hessian, problem.gradient, problem.rows[:equal], low[count:at]),
            *(problem.rows[equal:], low[at:], high[at:], low[:count], high[:count]),
        )
        model = self._proxqp
        if model is None:
            model = self._proxqp = _PROXQP.dense.QP(count, equal, len(low) - at, True)
            model.settings.eps_abs, model.settings.eps_rel = _ACCURACY, 0.0
            model.settings.max_iter, model.settings.max_iter_in = 20, 50
            model.settings.initial_guess = _PROXQP.InitialGuess.WARM_START_WITH_PREVIOUS_RESULT
            model.init(*numbers)
        else:
            model.update(*numbers, False)
        model.solve()
        claims = model.results.info.status == _PROXQP.QPSolverOutput.PROXQP_SOLVED
        return self._judged(problem, np.array(model.results.x), claims, int(model.results.info.iter), "proxqp")


def _finite(bounds: Array) -> Array:
    return np.clip(bounds, -INFINITE, INFINITE)


def _size(bounds: Array) -> Array:
    return np.where(np.isfinite(bounds), np.abs(bounds), np.inf)
