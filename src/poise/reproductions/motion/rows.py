"""Rows of motion quality: one per bar and group of runs, each the worst run's number."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from poise.reproductions.check import Check, Measure, Trial
from poise.reproductions.motion.bars import BARS, GROUPS, Bar
from poise.reproductions.motion.broken import BREAKAGES, broken, refused
from poise.reproductions.motion.clips import HELD_OUT
from poise.reproductions.motion.runs import Group, Run, runs
from poise.reproductions.row import Row

__all__ = ["CHECKS", "values"]


def values(bar: Bar, group: Group, *, quick: bool) -> list[tuple[float, str]]:
    """What is measured, and of which run, for every run and character of a group that has the number."""
    return [
        (float(getattr(numbers, bar.number)), run.label)
        for run in runs(quick)
        if run.group == group
        for numbers in run.numbers.values()
        if np.isfinite(getattr(numbers, bar.number))
    ]


def _measure(bar: Bar, group: Group) -> Measure:
    def measure(trial: Trial) -> Row:
        if trial.off:
            found = [(float(getattr(broken(), bar.number)), "broken")]
        else:
            found = values(bar, group, quick=trial.quick)
        worst, where = (min if bar.least else max)(found, default=(np.nan, "none"))
        kept = sum(bar.within(value) for value, _ in found)
        median = float(np.median([value for value, _ in found])) if found else np.nan
        remark = f"{kept} of {len(found)} within {bar.most:g} {bar.unit}".rstrip()
        return Row(
            f"motion/{group}-{bar.id}",
            f"{GROUPS[group].capitalize()}: {bar.reason}; {remark}, median {median:.3g}, worst {where}",
            None,
            worst if np.isfinite(worst) else 0.0,
            bar.unit,
            kept == len(found),
        )

    measure.__name__ = f"{group}_{bar.number}".replace("-", "_")
    measure.__module__ = __name__
    return measure


def _finishes(group: Group) -> Measure:
    def measure(trial: Trial) -> Row:
        if trial.off:
            every = [Run(group, "broken", "walk", 3.0, {}, refused())]
        else:
            every = [run for run in runs(trial.quick) if run.group == group]
        broken_off = [run for run in every if run.error]
        remark = f"; {broken_off[0].label}: {broken_off[0].error}" if broken_off else ""
        return Row(
            f"motion/{group}-finish",
            f"{GROUPS[group].capitalize()}: runs that are refused or diverge, of {len(every)}{remark}",
            None,
            float(len(broken_off)),
            "runs",
            not broken_off,
        )

    measure.__name__ = f"{group}_finish".replace("-", "_")
    measure.__module__ = __name__
    return measure


def _checks() -> Iterator[Check]:
    for group in GROUPS:
        held_out = 0 if group == "scenes" else len(HELD_OUT)
        yield Check(_finishes(group), "invariant", "motion quality", BREAKAGES["finish"], held_out)
        for bar in BARS:
            if bar.number in ("hand_share", "hand_back") and group == "clips":
                # Nobody reaches, and nothing changes hands.
                continue
            method, cases = "motion quality", held_out
            if group in bar.open:
                yield Check(_measure(bar, group), "open", method, "", cases, bar.open[group])
            else:
                yield Check(_measure(bar, group), "invariant", method, BREAKAGES[bar.number], cases)


CHECKS = tuple(_checks())
