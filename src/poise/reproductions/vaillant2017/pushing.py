"""One body holds and moves another that cannot move by itself: one program, and three ways of two (Fig. 6)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.qp import Problem, Solver
from poise.reproductions.check import Trial, claim
from poise.reproductions.row import Row
from poise.reproductions.vaillant2017.courses import STARTS, starts

__all__ = ["CHECKS", "Pushed", "push"]

MASSES = (2.0, 3.0)
"""Of the one that pushes and the one that is pushed [kg]."""
TARGET, FORCE, _STEP, _SECONDS, _STIFFNESS = 1.0, 4.0, 0.01, 6.0, 9.0
"""Where to [m], the actuator's limit [N], the step [s], how long [s], and k [1/s²]."""


class Pushed(NamedTuple):
    """What came of it.

    Args:
        end: Where the pushed body is [m].
        gap: The widest between the two [m].
        force: The largest of the actuator [N].
        begun: How fast the pushing body is after the first step, as a share of what the program whose force it is planned.
        course: Time [s], places of the one that pushes and of the one that is pushed [m], the actuator's force [N], (n, 4).
    """

    end: float
    gap: float
    force: float
    begun: float
    course: NDArray[np.float64]


def _solve(masses: tuple[float, ...], wanted: float, limit: float) -> tuple[float, float]:
    """Acceleration and contact force of bodies that move as one, the last of which is to accelerate as wanted."""
    # Unknowns: acceleration and contact force; the actuator's force is eliminated by the first body's equation.
    problem = Problem.empty(2, len(masses) - 1 or 1, 1)
    problem.hessian[:] = np.diag([1.0, 1e-8])
    problem.gradient[:] = [-wanted, 0.0]
    problem.rows[0] = [masses[-1], -1.0] if len(masses) > 1 else [0.0, 1.0]
    problem.rows[1] = [masses[0], 1.0]
    problem.low[:], problem.high[:] = -np.inf, np.inf
    problem.low[2] = problem.high[2] = 0.0
    problem.low[3], problem.high[3] = -limit, limit
    unknowns = Solver().solve(problem).unknowns
    return float(unknowns[0]), float(unknowns[1])


def push(way: str, masses: tuple[float, float] = MASSES, target: float = TARGET, limit: float = FORCE) -> Pushed:
    """Push for a while.

    Args:
        way: "one" program; "unaware": a program for the first body alone, which the second then slows down; "led": one for the
            second as if it moved by itself, which the first follows within its limit; "tied": the same, followed at any force.
        masses: Of the one that pushes and the one that is pushed [kg].
        target: Where to [m].
        limit: The actuator's [N].
    """
    place, speed = np.zeros(2), np.zeros(2)
    gap, largest, begun = 0.0, 0.0, np.nan
    course: list[tuple[float, ...]] = []
    for count in range(round(_SECONDS / _STEP)):
        wanted = [-_STIFFNESS * (x - target) - 2.0 * np.sqrt(_STIFFNESS) * v for x, v in zip(place, speed, strict=True)]
        if way == "one":
            planned, contact = _solve(masses, wanted[1], limit)
            force, change = masses[0] * planned + contact, np.array([planned, planned])
        elif way == "unaware":
            planned, _ = _solve(masses[:1], wanted[0], limit)
            force = masses[0] * planned
            change = np.full(2, force / sum(masses))
        else:
            follow = np.clip(wanted[1] * masses[0], -limit, limit) / masses[0]
            limited = np.clip(wanted[1] * sum(masses), -limit, limit) / sum(masses)
            change = np.array([wanted[1] if way == "tied" else min(follow, limited), wanted[1]])
            planned = change[0]
            force = sum(masses) * wanted[1] if way == "tied" else masses[0] * change[0]
        speed += _STEP * change
        place += _STEP * speed
        begun = float(speed[0] / (_STEP * planned)) if np.isnan(begun) else begun
        course.append((_STEP * (count + 1), float(place[0]), float(place[1]), float(force)))
        gap, largest = max(gap, float(place[1] - place[0])), max(largest, abs(float(force)))
    return Pushed(float(place[1]), gap, largest, begun, np.array(course))


class _Case(NamedTuple):
    """Two bodies, how far the second is to go and how strong the first is."""

    masses: tuple[float, float]
    target: float
    limit: float


def _cases(trial: Trial) -> list[_Case]:
    """Masses and limit by 20 %, target by 5 cm: the starts that other rows have too (`courses`)."""
    found = []
    for start in starts(trial):
        rng = np.random.default_rng(start)
        first, second = (rng.uniform(0.8, 1.2, 2) * MASSES).tolist()
        limit = FORCE * rng.uniform(0.8, 1.2)
        found.append(_Case((first, second), TARGET + rng.uniform(-0.05, 0.05), limit))
    return found


def _missed(case: _Case, way: str) -> float:
    """How far the second body is from where it is to go, in the end [m]; inf where a gap or a larger force was needed."""
    done = push(way, case.masses, case.target, case.limit)
    kept = done.gap < 1e-6 and done.force <= case.limit + 1e-6
    return abs(done.end - case.target) if kept else float("inf")


@claim(
    "one program for both bodies",
    off='the three ways of Fig. 6: push("unaware"), push("led"), push("tied")',
    cases=STARTS,
)
def one_program_pushes(trial: Trial) -> Row:
    """Error at the end, with the gap and the force within their limits, of one program or the best of the three."""
    ways = ("one",) if trial.on else ("led", "tied")
    miss = max(min(_missed(case, way) for way in ways) for case in _cases(trial))
    return Row(
        "vaillant2017/fig6",
        "A body that cannot move by itself is pushed to its place without a gap and within the actuator's limit, whatever the "
        "masses, the target and the limit (Fig. 6): largest miss",
        None,
        miss,
        "m",
        miss < 0.01,
    )


@claim("one program for both bodies", off='push("one") in the place of push("unaware")', cases=STARTS)
def unaware_is_slower(trial: Trial) -> Row:
    """Share of the planned acceleration that is left when the second body's mass is not known, against what it should be."""
    way = "unaware" if trial.on else "one"
    shares = [
        push(way, case.masses, case.target, case.limit).begun * sum(case.masses) / case.masses[0]
        for case in _cases(trial)
    ]
    return Row(
        "vaillant2017/fig6-unaware",
        "A program that does not see the second body accelerates by m1 / (m1 + m2) of its plan, whatever the masses (Fig. 6, "
        "case 1): share of that",
        1.0,
        max(shares, key=lambda share: abs(share - 1.0)),
        "",
        max(abs(share - 1.0) for share in shares) < 1e-6,
    )


CHECKS = (one_program_pushes, unaware_is_slower)
