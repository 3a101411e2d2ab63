"""Sizes and times of the five scenes of Table 1, beside the paper's (Figs. 10, 11)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.qp import Problem, Solver
from poise.reproductions.check import Check, Trial, claim, invariant, open_row
from poise.reproductions.pictures import figure, save_figure
from poise.reproductions.row import Row
from poise.reproductions.vaillant2017.courses import STARTS, make, starts
from poise.reproductions.vaillant2017.played import SECONDS, Played, play

__all__ = ["CHECKS", "PAPER", "TIMES", "picture"]


Array = NDArray[np.float64]
_Kind = Literal["daqp", "proxqp"]


class Printed(NamedTuple):
    """A column of Table 1: degrees of freedom, actuated, contact points, pairs, QP size, equalities, times [ms], step [ms]."""

    dofs: int
    actuated: int
    points: int
    pairs: int
    size: int
    equalities: int
    times: tuple[float, float, float]
    step: float


PAPER = {
    "king": Printed(114, 90, 44, 6, 380, 246, (4.45, 22.72, 84.51), 33.33),
    "funambulist": Printed(42, 30, 16, 7, 136, 90, (0.89, 1.29, 5.10), 5.0),
    "sword": Printed(78, 60, 24, 33, 234, 150, (0.76, 6.12, 14.97), 10.0),
    "acrobats": Printed(108, 90, 24, 6, 294, 180, (5.97, 8.10, 34.88), 10.0),
    "door": Printed(38, 30, 12, 1, 116, 74, (0.77, 0.89, 2.33), 5.0),
}


_RUNS, _PROGRAMS, _BEGINNING, _AGAIN = 4, 40, 250, 3
"""Starts of each scene whose over-runs are counted, programs that are solved twice, steps of King that are timed, and how often
what was late is timed again."""
AIMS = {"king": 2.0, "funambulist": 0.4, "sword": 1.5, "acrobats": 1.3, "door": 0.25}
"""Medians aimed at, on the machine by which `pace` is told [ms]."""


def _sizes(name: str, doubled: bool) -> tuple[int, int, int, int, int, int]:
    """Ours in the paper's form, of the scene's largest program: torques among the unknowns, three rows per contact point."""
    played = play(name)
    group = played.group
    dofs, actuated = group.system.size, len(group.controller.former.driven)
    points = (max(size[0] for size in played.sizes) - dofs) // 4 * (2 if doubled else 1)
    pairs = len(group.controller.avoidances)
    return dofs, actuated, points, pairs, dofs + actuated + 4 * points, dofs + 3 * points


@invariant("one force per point and edge", broken="every contact is counted on both of its bodies", cases=5)
def sizes(trial: Trial) -> Row:
    """Numbers of Table 1 that differ."""
    wrong = sum(
        int(ours != theirs)
        for name, printed in PAPER.items()
        for ours, theirs in zip(_sizes(name, trial.off), printed[:6], strict=True)
    )
    return Row(
        "vaillant2017/table1",
        "Degrees of freedom, points, pairs, QP size and equalities of Table 1 from the scenes themselves: numbers that differ, "
        "of 30. Ours are smaller: torques eliminated, six rows per contact",
        0.0,
        float(wrong),
        "",
        wrong == 0,
    )


def _median(name: str) -> Check:
    printed = PAPER[name]

    @open_row(
        "compiled forming, torques eliminated, six rows per contact, those without forces solved beforehand",
        aim=f"{AIMS[name]:g} ms times the machine's pace; a time on a busy machine is no law, so it is not counted as one",
        cases=1,
    )
    def median(trial: Trial) -> Row:
        played = play(name)
        spent, slower = 1e3 * np.array(played.spent), played.pace
        middle, *parts = np.percentile(spent[:, 2], [50, 95, 99, 100])
        over = int((spent[:, 2] > printed.step).sum())
        return Row(
            f"vaillant2017/time-{name}",
            f"Processor time of one step of {name.capitalize()}, median (Table 1); 95 % {parts[0]:.2f}, 99 % {parts[1]:.2f}, "
            f"longest {parts[2]:.1f} ms, {over} of {len(spent)} steps over {printed.step:g} ms; forming takes "
            f"{np.median(spent[:, 0]):.2f}, solving {np.median(spent[:, 1]):.2f} ms of it. This machine is {slower:.2f} times "
            f"slower than the one of the aims. The paper's longest is {printed.times[2]:g} ms",
            printed.times[1],
            float(middle),
            "ms",
            bool(middle < AIMS[name] * slower),
        )

    return median


def _shares(name: str, kind: _Kind, start: int, count: int, most: float) -> Array:
    """Processor time of steps of a scene as shares of the step, shape (count,).

    A step whose core something else was at takes ten times as long, once. The same start gives the same bits: while a step
    takes more than `most`, all up to it are taken again, and each counts with the least of its times, `_AGAIN` at most.
    """
    least = np.full(count, np.inf)
    for _ in range(_AGAIN):
        late = np.flatnonzero(least > most)
        if not len(late):
            break
        group = make(name, start)
        group.controller.solver = Solver(kind)
        # The first step is loading and setting up; it belongs to no course of a scene.
        group.advance()
        spent = np.array([group.advance()[0].processor for _ in range(late[-1] + 1)])
        least[: len(spent)] = np.minimum(least[: len(spent)], spent / group.controller.step)
    return least


@claim('Solver("daqp"), whose time hardly depends on what has changed', off='Solver("proxqp")', cases=STARTS)
def on_time(trial: Trial) -> Row:
    """Longest step of King, contact changes included, as a share of the step."""
    kind: _Kind = "daqp" if trial.on else "proxqp"
    share = max(float(_shares("king", kind, start, _BEGINNING, 1.0 / 3.0).max()) for start in starts(trial))
    return Row(
        "vaillant2017/on-time",
        "No step of King takes a third of its 33 ms, contact changes included: longest of all starts, of a late one the "
        "least of three times, as a share. The paper over-runs in four scenes of five",
        84.51 / 33.33,
        share,
        "",
        share < 1.0 / 3.0,
    )


@claim(
    'Solver("daqp"), whose time hardly depends on what has changed', off='Solver("proxqp")', cases=_RUNS * len(PAPER)
)
def overruns(trial: Trial) -> Row:
    """All five scenes of Table 1, from several starts each."""
    few = trial.quick or trial.off
    names, chosen = ("king",) if few else tuple(PAPER), list(starts(trial))[: 1 if few else _RUNS]
    kind: _Kind = "daqp" if trial.on else "proxqp"
    counts = {name: round(SECONDS[name] / PAPER[name].step * 1e3) - 1 for name in names}
    runs = [_shares(name, kind, start, counts[name], 1.0) for name in names for start in chosen]
    late, longest = sum(int((shares > 1.0).sum()) for shares in runs), max(float(shares.max()) for shares in runs)
    return Row(
        "vaillant2017/over-runs",
        f"Steps that take longer than the step itself in processor time each time, contact changes included, from {_RUNS} "
        f"starts of each of the five scenes; the longest takes {100.0 * longest:.0f} % of its step",
        None,
        float(late),
        "",
        late == 0,
    )


@claim("no-slip rows solved before DAQP sees the program", off="Solver(beforehand=False)", cases=STARTS)
def beforehand(trial: Trial) -> Row:
    """Solving the same programs of King with and without, in turn."""
    ours, plain = Solver(beforehand=trial.on), Solver(beforehand=False)
    spent = []
    for start in starts(trial):
        group = make("king", start)
        for _ in range(_PROGRAMS):
            group.advance()
            spent.append([_spent(solver, group.controller.former.problem) for solver in (ours, plain)])
    first, second = np.median(np.array(spent), axis=0)
    return Row(
        "vaillant2017/beforehand",
        "Solving King, whose contacts have 66 no-slip rows, takes at most 0.8 of what it takes with those in the program, from "
        "all starts",
        None,
        float(first / second),
        "",
        float(first / second) < 0.8,
    )


def _spent(solver: Solver, problem: Problem) -> float:
    begin = process_time()
    solver.solve(problem)
    return process_time() - begin


def picture(folder: Path) -> Path:
    """Times over a scene (Fig. 11), and against the size of its program, beside the paper's (Fig. 10)."""
    plot, axes = figure("One quadratic program: time per step", 2, 3, size=(13.0, 7.0))
    flat = np.asarray(axes).ravel()
    for place, name in zip(flat, PAPER, strict=False):
        played: Played = play(name)
        place.plot(played.times, 1e3 * np.array(played.spent)[:, 2], linewidth=0.6)
        place.axhline(PAPER[name].times[1], color="tab:orange", linestyle="--", linewidth=1.0)
        place.set(title=f"{name}: ours, and the paper's median", xlabel="time [s]", ylabel="ms per step", yscale="log")
    last = flat[len(PAPER)]
    sizes_ = [printed.size for printed in PAPER.values()]
    last.plot(sizes_, [printed.times[1] for printed in PAPER.values()], "o", label="the paper's median")
    last.plot(sizes_, [1e3 * float(np.median(np.array(play(name).spent)[:, 2])) for name in PAPER], "o", label="ours")
    last.set(title="median against size", xlabel="QP size in the paper's form", ylabel="ms", yscale="log")
    last.legend()
    return save_figure(plot, folder, "vaillant2017_times")


TIMES: tuple[Callable[[], Row], ...] = (*(_median(name) for name in PAPER), on_time, overruns, beforehand)
"""What depends on the machine."""
CHECKS: tuple[Callable[[], Row], ...] = (sizes, *TIMES)
