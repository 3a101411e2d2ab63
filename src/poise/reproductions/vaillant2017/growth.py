"""A line of carriers under one beam: how the time of a step grows with their number."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Literal

import numpy as np

from poise.qp import Solver
from poise.reproductions.check import Check, Trial, claim
from poise.reproductions.once import once
from poise.reproductions.pictures import figure, save_figure
from poise.reproductions.row import Row
from poise.scenes.together.plank import plank_group

__all__ = ["CHECKS", "picture"]

_LINES, _FEW = (*range(2, 15), 16, 18, 20), (2, 5, 10, 20)
"""How many carriers, and in a sample, or with the solver that takes long."""


@once
def step_times(counts: tuple[int, ...], kind: Literal["daqp", "piqp"], rounds: int = 8) -> tuple[float, ...]:
    """Least processor time of a step of so many carriers [ms], one per count.

    All lines take their steps in turn, so that what else the machine does for a while slows all of them, and the least of the
    rounds is told: others on the machine make a step longer, never shorter. The first step, with which everything is made, is
    left out.
    """
    groups = [plank_group(count, moved=False, solver=Solver(kind)) for count in counts]
    spent = np.array([[group.advance()[0].processor for group in groups] for _ in range(1 + rounds)])
    return tuple(1e3 * spent[1:].min(axis=0))


def _exponent(counts: tuple[int, ...], kind: Literal["daqp", "piqp"]) -> float:
    """Power of their number in proportion to which the time grows."""
    return float(np.polyfit(np.log(counts), np.log(step_times(counts, kind)), 1)[0])


@claim('Solver("piqp"), which knows what is 0', off='Solver("daqp"), which does not', cases=len(_LINES))
def near_linear(trial: Trial) -> Row:
    """From 2 to 20 carriers."""
    counts = _FEW if trial.quick or trial.off else _LINES
    power = _exponent(counts, "piqp" if trial.on else "daqp")
    return Row(
        "vaillant2017/growth",
        f"2 to 20 carriers under one beam, in one program, {len(counts)} lines: power of their number with which the time of a "
        "step grows",
        None,
        power,
        "",
        power < 1.3,
    )


def picture(folder: Path) -> Path:
    """Time of a step against the number of carriers, of both solvers."""
    counts = (2, 4, 6, 8, 11, 15, 20)
    plot, axes = figure("A line of carriers in one program", 1, 1, size=(7.0, 5.0))
    place = np.asarray(axes).ravel()[0]
    for kind in ("daqp", "piqp"):
        place.plot(counts, step_times(counts, kind), "o-", label=kind)
    line = step_times(counts, "piqp")[0] / counts[0]
    place.plot(counts, [line * count for count in counts], "--", color="grey", label="in proportion")
    place.set(xlabel="carriers", ylabel="processor time of a step [ms]", xscale="log", yscale="log")
    place.set_xticks(counts, [str(count) for count in counts])
    place.minorticks_off()
    place.legend()
    return save_figure(plot, folder, "vaillant2017_growth")


CHECKS: tuple[Check, ...] = (near_linear,) if find_spec("piqp") else ()
