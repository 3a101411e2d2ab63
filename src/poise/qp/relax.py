"""Programs that have no solution: bounds give way by priority, and it is told which and by how much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.qp.forming import LIMITS, Kind
from poise.qp.problem import Problem
from poise.qp.solve import Solution, Solver

__all__ = ["Firmness", "Limit", "Relaxation", "relaxed", "softened"]

Array = NDArray[np.float64]

GIVING_WAY = (
    (Kind.DISTANCE,),
    (Kind.DISTANCE, Kind.SPEED),
    (Kind.DISTANCE, Kind.SPEED, Kind.TORQUE),
    (Kind.DISTANCE, Kind.SPEED, Kind.TORQUE, Kind.NO_SLIP),
)
"""What gives way, tried one after the other. Pushes beyond friction and motion against the equations never happen."""
_COST = {Kind.DISTANCE: 1e3, Kind.SPEED: 1e3, Kind.TORQUE: 1e2, Kind.NO_SLIP: 1e5}
"""Cost of a square miss: dear beside tasks."""
_WORTH_TELLING = 1e-5


class Firmness(Enum):
    """How a limit is kept."""

    HARD = "never gives way: where all that are hard cannot be kept there is no solution"
    YIELDS = "is kept as long as there is a solution, and then gives way in its turn"
    SOFT = "may be missed at any time, at a cost that is dear beside tasks"


Limit = Kind | tuple[Kind, str]
"""All limits of a kind, or the one of a name."""


class Relaxation(NamedTuple):
    """A bound that was not kept.

    Args:
        kind: What it is for.
        name: Whose it is.
        miss: By how much [m/s², rad/s² or N m].
    """

    kind: Kind
    name: str
    miss: float


def softened(
    problem: Problem, kinds: Sequence[tuple[Kind, str]], firmness: Mapping[Limit, Firmness], solver: Solver
) -> tuple[Solution, tuple[Relaxation, ...]]:
    """Solve a program some of whose limits are soft; arguments and results are those of `relaxed`."""
    soft = [number for number, (kind, name) in enumerate(kinds) if _firm(kind, name, firmness) == Firmness.SOFT]
    if not soft:
        return solver.solve(problem), ()
    return _solved_with_slack(problem, kinds, soft, solver)


def _firm(kind: Kind, name: str, firmness: Mapping[Limit, Firmness]) -> Firmness:
    """How a limit is kept: as is said of itself, or else of its kind."""
    if kind not in LIMITS:
        return Firmness.YIELDS
    return firmness.get((kind, name), firmness.get(kind, Firmness.YIELDS))


def relaxed(
    problem: Problem, kinds: Sequence[tuple[Kind, str]], firmness: Mapping[Limit, Firmness]
) -> tuple[Solution, tuple[Relaxation, ...]]:
    """Solve a program that has no solution, with slack where it hurts least.

    Args:
        problem: The program.
        kinds: What each bound and row is for.
        firmness: How limits are kept.

    Returns:
        The solution of the mildest form that has one, and which bounds gave way, the worst first.
    """
    how = [_firm(kind, name, firmness) for kind, name in kinds]
    for allowed in GIVING_WAY:
        where = [
            number
            for number, (kind, _) in enumerate(kinds)
            if how[number] == Firmness.SOFT or (kind in allowed and how[number] == Firmness.YIELDS)
        ]
        result = _solved_with_slack(problem, kinds, where, Solver("daqp"))
        if result[0].solved:
            break
    return result


def _solved_with_slack(
    problem: Problem, kinds: Sequence[tuple[Kind, str]], where: Sequence[int], solver: Solver
) -> tuple[Solution, tuple[Relaxation, ...]]:
    """The solution with slack for some bounds and rows, and which gave way."""
    costs = np.array([_COST[kinds[number][0]] for number in where])
    solution = solver.solve(_with_slack(problem, np.array(where, dtype=np.int64), costs))
    unknowns = solution.unknowns[: len(problem.gradient)]
    misses = problem.misses(unknowns)
    relaxations = [
        Relaxation(kinds[int(n)][0], kinds[int(n)][1], float(misses[n]))
        for n in np.flatnonzero(misses > _WORTH_TELLING)
    ]
    relaxations.sort(key=lambda one: -one.miss)
    return solution._replace(unknowns=unknowns), tuple(relaxations)


def _with_slack(problem: Problem, where: NDArray[np.int64], costs: Array) -> Problem:
    """The program with one more unknown for each bound or row in `where`, by which it may be missed at a cost."""
    unknowns, extra = len(problem.gradient), len(where)
    bounds, rows = where[where < unknowns], where[where >= unknowns] - unknowns
    slacked = len(problem.rows) - problem.equalities + len(bounds)
    wider = Problem.empty(unknowns + extra, problem.equalities, slacked, problem.dense)
    wider.hessian[:unknowns, :unknowns] = problem.hessian
    wider.hessian[np.arange(unknowns, unknowns + extra), np.arange(unknowns, unknowns + extra)] = costs
    wider.gradient[:unknowns] = problem.gradient
    count = len(problem.rows)
    wider.rows[:count, :unknowns] = problem.rows
    wider.low[:unknowns], wider.high[:unknowns] = problem.low[:unknowns], problem.high[:unknowns]
    at = unknowns + extra
    wider.low[at : at + count], wider.high[at : at + count] = problem.low[unknowns:], problem.high[unknowns:]
    slack = {int(number): unknowns + place for place, number in enumerate(where)}
    for row in rows:
        wider.rows[row, slack[int(row) + unknowns]] = 1.0
    for place, bound in enumerate(bounds):
        # A bound becomes a row, which can have slack.
        wider.low[bound], wider.high[bound] = -np.inf, np.inf
        wider.rows[count + place, bound] = 1.0
        wider.rows[count + place, slack[int(bound)]] = 1.0
        wider.low[at + count + place], wider.high[at + count + place] = problem.low[bound], problem.high[bound]
    return wider
