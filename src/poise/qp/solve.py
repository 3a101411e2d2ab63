"""The one door to quadratic program solvers: min x'Hx/2 + g'x, equalities, two-sided rows, bounds on x."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import daqp
import numpy as np
import proxsuite
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from poise.qp import _distance
from poise.qp.problem import Problem, distance_form
from poise.qp.sparse import SparseSolver

__all__ = ["Solution", "Solver"]

Array = NDArray[np.float64]

INFINITE = 1e20
_ACCURACY = 1e-7
"""Largest miss of a constraint that counts as solved, relative to its right side or 1 [m/s², N, N m]."""
_EQUALITY = 5
_LIBRARIES = ThreadpoolController().select(user_api="blas").lib_controllers
_PROXQP = proxsuite.proxqp


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
            active set has just changed a lot: whatever must never be late takes DAQP. PIQP, which knows what is 0, is the
            slowest for a few characters and grows in proportion to them: quickest from about fifteen on.
        limit: Greatest number of iterations.
        beforehand: Whether DAQP is only given the equalities that contact forces take part in, the others being solved
            before.
    """

    def __init__(
        self, kind: Literal["daqp", "proxqp", "piqp"] = "daqp", limit: int = 2000, *, beforehand: bool = True
    ) -> None:
        self.kind, self.limit, self.beforehand = kind, limit, beforehand
        self._shape: tuple[int, ...] = ()
        self._daqp: Any = None
        self._proxqp: Any = None
        self._piqp: SparseSolver | None = None
        self._active: NDArray[np.int32] | None = None

    def forget(self) -> None:
        """Start the next problem afresh."""
        self._shape, self._daqp, self._proxqp, self._piqp, self._active = (), None, None, None, None

    def save(self) -> Any:
        """Where the next problem would start from, as far as DAQP goes; a copy."""
        return self._shape, None if self._active is None else self._active.copy()

    def restore(self, saved: Any) -> None:
        """Start the next problem from what `save` gave; the others than DAQP start afresh."""
        self.forget()
        self._shape, self._active = saved

    def solve(self, problem: Problem) -> Solution:
        """Solve, from where the last one of this shape ended, and check the residuals."""
        before = [library.num_threads for library in _LIBRARIES]
        # Matrices of this size are multiplied faster by one thread than by several that wait for one another.
        for library in _LIBRARIES:
            library.set_num_threads(1)
        try:
            if self.kind == "daqp":
                return self._with_daqp(problem)
            return self._with_proxqp(problem) if self.kind == "proxqp" else self._with_piqp(problem)
        finally:
            for library, count in zip(_LIBRARIES, before, strict=True):
                library.set_num_threads(count)

    def _fresh(self, *shape: int) -> None:
        """Forget the last problem where this one has another shape."""
        if shape != self._shape:
            self.forget()
            self._shape = shape

    def _judged(self, problem: Problem, unknowns: Array, claims: bool, iterations: int, solver: str) -> Solution:
        miss = float(_distance.largest_miss(unknowns, problem.rows, problem.low, problem.high))
        if not miss < np.inf:
            return Solution(np.zeros_like(unknowns), False, np.inf, iterations, solver)
        return Solution(unknowns, claims and miss < 10.0 * _ACCURACY, miss, iterations, solver)

    def _with_daqp(self, problem: Problem) -> Solution:
        count = len(problem.gradient)
        form = distance_form(problem, problem.alone if self.beforehand else 0)
        if form is None:
            return Solution(np.zeros(count), False, np.inf, 0, "daqp")
        self._fresh(*form.rows.shape, form.equalities)
        model, first = self._daqp, len(form.scale) + len(form.start)
        if model is None:
            model = self._daqp = daqp.Model()
            model.settings = {**model.settings, "eq_reduction": 0, "iter_limit": self.limit, "primal_tol": 1e-8}
            sense = np.zeros(len(form.low), np.int32) if self._active is None else self._active
            sense[first : first + form.equalities] = _EQUALITY
            flag, _ = model.setup(np.eye(len(form.gradient)), form.gradient, form.rows, form.high, form.low, sense)
            if flag < 0:
                self.forget()
                return Solution(np.zeros(count), False, np.inf, 0, "daqp")
        else:
            model.update(None, form.gradient, form.rows, form.high, form.low, self._active)
        found, _, flag, info = model.solve()
        # What DAQP itself remembers cannot be saved, so it is told each time.
        self._active = np.empty(len(form.low), np.int32)
        _distance.mark_active(np.asarray(info["lam"]), first, first + form.equalities, self._active)
        return self._judged(problem, form.unknowns(np.array(found)), flag > 0, int(info["iterations"]), "daqp")

    def _with_proxqp(self, problem: Problem) -> Solution:
        count, equal = len(problem.gradient), problem.equalities
        self._fresh(*problem.rows.shape, equal)
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

    def _with_piqp(self, problem: Problem) -> Solution:
        self._fresh(*problem.rows.shape, problem.equalities)
        if self._piqp is None:
            self._piqp = SparseSolver()
        unknowns, claims, iterations = self._piqp.solve(problem)
        return self._judged(problem, unknowns, claims, iterations, "piqp")


def _finite(bounds: Array) -> Array:
    return np.clip(bounds, -INFINITE, INFINITE)
