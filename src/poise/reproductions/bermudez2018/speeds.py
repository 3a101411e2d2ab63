"""How much of the speed is left (Figs. 6 and 7, Table 1), and of whom (jog against walk)."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
from scipy.optimize import brentq

from poise.fluid import named_fluid
from poise.reproductions.bermudez2018.clips import (
    CALIBRATED,
    DEPTHS,
    FLUID_NAMES,
    RUNNERS,
    RUNS,
    TARGETS,
    WALKS,
    joggers,
    late,
    mean_force,
    other_walks,
    runners,
    waded,
    walker,
    walks,
)
from poise.reproductions.check import Trial, claim
from poise.reproductions.pictures import figure, save_figure
from poise.reproductions.row import Row
from poise.wading import WadingRecord, default_servo

__all__ = ["CHECKS", "picture"]

_WITHIN = 0.10
_CONSTANT = {"mud": 11.1, "goo": 101.6}
"""B of Eq. 8 as printed [N]: what then leaves the shipped walk the speeds of Table 1."""
_POINTS, _LOSES = 0.05, 0.01
"""How near the law is to be, and what share of its speed a walker must lose for there to be one."""
_LONG = 9.0
"""Runs change their speed: they are watched for longer [s]."""


@claim("drag", off="WadingOptions(drag=False)", cases=len(WALKS))
def depth(trial: Trial) -> Row:
    """On how many walks each greater depth is slower."""
    files = walks(trial)
    falls = 0
    for file in files:
        left = [waded(file, "water", deep, drag=trial.on).record.remaining for deep in DEPTHS]
        falls += all(deeper < shallower for shallower, deeper in pairwise(left))
    return Row(
        "bermudez2018/depth",
        "The deeper the water the slower (Fig. 6): speed falls strictly from ankle to knee, waist and chest, on all of "
        f"{len(files)} walks",
        None,
        falls / len(files),
        "of the walks",
        falls == len(files),
    )


@claim("drag", off="WadingOptions(drag=False)", cases=len(WALKS))
def density(trial: Trial) -> Row:
    """On how many walks each denser fluid is slower."""
    files = walks(trial)
    falls = 0
    for file in files:
        left = [waded(file, fluid, drag=trial.on).record.remaining for fluid in FLUID_NAMES]
        falls += all(denser < lighter for lighter, denser in pairwise(left))
    return Row(
        "bermudez2018/density",
        f"The denser the slower (Fig. 7): water, mud, goo to the knee, on all of {len(files)} walks",
        None,
        falls / len(files),
        "of the walks",
        falls == len(files),
    )


@claim("pastes that are viscous", off="Fluid(viscous=0), the offset of Eq. 8 set anew", cases=len(WALKS))
def table(trial: Trial) -> Row:
    """How far nine of ten walks are from Table 1 at most."""
    apart = []
    for file in other_walks(trial):
        worst = 0.0
        for name, target in zip(FLUID_NAMES, TARGETS, strict=True):
            fluid = named_fluid(name)
            if trial.off and name in _CONSTANT:
                fluid = replace(fluid, offset=_CONSTANT[name], viscous=0.0)
            worst = max(worst, abs(waded(file, fluid).record.remaining - target))
        apart.append(worst)
    most = float(np.percentile(apart, 90.0))
    return Row(
        "bermudez2018/table-1",
        "0.72, 0.60 and 0.38 of the speed are left in water, mud and goo to the knee (Table 1, read as what is left), B "
        "growing with the speed, since with a constant B faster walkers keep too much in goo: set on the shipped walk "
        f"alone; of any fluid nine of ten held-out walks of 0.6 to 1.7 m/s are within {_WITHIN} (the farthest, at 1.6 m/s, "
        "keeps 0.48 in goo)",
        None,
        most,
        "of the speed",
        most <= _WITHIN,
    )


@claim("k in proportion to the speed intended", off="WadingOptions(servo=BodyServo(k=the walk's))", cases=len(RUNNERS))
def jog_share(trial: Trial) -> Row:
    """How far what is left of a runner's speed is from what is left of walkers' in the middle."""
    files = walks(trial)
    usual = float(np.median([waded(file).record.remaining for file in files]))
    pace = float(np.median([_pace(file) for file in files]))
    apart = []
    files_of_runs = runners(trial)
    for file in files_of_runs:
        servo = None if trial.on else default_servo(walker(file).plan, pace)
        apart.append(abs(usual - waded(file, seconds=_LONG, servo=servo).record.remaining))
    worst = max(apart)
    return Row(
        "bermudez2018/jog-share",
        "Jogging and walking lose alike shares of their speed in water to the knee, about a fourth: every one of "
        f"{len(files_of_runs)} runners (runs, strides in longer clips, runs on other people's skeletons) within 10 points of "
        f"what {len(files)} walkers lose in the middle, k growing with the speed",
        None,
        100.0 * worst,
        "points",
        worst <= 2.0 * _POINTS,
    )


def _pace(file: str) -> float:
    """Speed that is intended, in the mean [m/s]."""
    return float(np.linalg.norm(waded(file).record.intended, axis=1).mean())


@claim("drag that grows with the square of the speed", off="WadingOptions(drag=False)", cases=len(RUNS + WALKS))
def jog_law(trial: Trial) -> Row:
    """How far who goes with half the k is from what the loss with all of it says."""
    worst = 0.0
    for file in (*joggers(trial), *walks(trial)):
        servo = replace(default_servo(walker(file).plan, _pace(file)), force=1e6)
        soft = replace(servo, k=0.5 * servo.k)
        lost = [1.0 - waded(file, servo=each, drag=trial.on).record.remaining for each in (servo, soft)]
        if min(lost) < _LOSES:
            return _law(np.inf)
        predicted = brentq(lambda x, base=lost[0]: x / (1.0 - x) ** 2 - 2.0 * base / (1.0 - base) ** 2, 0.0, 0.999)
        worst = max(worst, abs(predicted - lost[1]))
    return _law(worst)


def _law(worst: float) -> Row:
    return Row(
        "bermudez2018/loss-law",
        "Against square drag the share lost x follows x / (1 - x)² ~ v_d / k: half the k loses what that says, within 5 "
        "points, of everybody who walks or runs",
        None,
        100.0 * worst,
        "points",
        worst <= _POINTS,
    )


@claim("drag", off="WadingOptions(drag=False)", cases=len(RUNNERS))
def jog_faster(trial: Trial) -> Row:
    """Whether who jogs is faster and is dragged more than walkers are in the middle."""
    slow = [waded(file, drag=trial.on).record for file in walks(trial)]
    speed, force = (float(np.median([of(record) for record in slow])) for of in (_settled, mean_force))
    # As long as above: the same runs.
    jogs = [waded(file, seconds=_LONG, drag=trial.on).record for file in runners(trial)]
    more = [_settled(jog) > speed and mean_force(jog) > force for jog in jogs]
    return Row(
        "bermudez2018/jog-drag",
        "A jogger in water to the knee is dragged more than a walker and yet is faster: each of "
        f"{len(jogs)} against walkers in the middle",
        None,
        float(np.mean(more)),
        "of the joggers",
        all(more),
    )


def _settled(record: WadingRecord) -> float:
    """Speed when it has settled [m/s]."""
    return float(record.speed[late(record)].mean())


CHECKS = (depth, density, table, jog_share, jog_law, jog_faster)


def picture(folder: Path) -> Path:
    """Speed over time by depth and by fluid, as Figs. 6 and 7, and what is left on every walk beside Table 1."""
    sheet, axes = figure("Speed in fluids (Bermudez 2018, Figs. 6 and 7, Table 1)", 1, 3, size=(15.0, 4.2))
    for deep in DEPTHS:
        record = waded(CALIBRATED, "water", deep).record
        axes[0, 0].plot(record.time, record.speed, label=deep)
    for name in FLUID_NAMES:
        record = waded(CALIBRATED, name).record
        axes[0, 1].plot(record.time, record.speed, label=name)
    for axis, title in ((axes[0, 0], "water by depth"), (axes[0, 1], "to the knee by fluid")):
        axis.set(xlabel="time [s]", ylabel="speed [m/s]", title=title, ylim=(0.0, None))
        axis.legend()
    files = walks(Trial())
    for name, target in zip(FLUID_NAMES, TARGETS, strict=True):
        left = [waded(file, name).record.remaining for file in files]
        line = axes[0, 2].plot(range(len(files)), left, "o", label=name)[0]
        axes[0, 2].axhline(target, color=line.get_color(), linestyle="--", linewidth=1.0)
    axes[0, 2].set(title="left on held-out walks; dashed: the paper", ylabel="of the speed", ylim=(0.0, 1.0))
    axes[0, 2].set_xticks(range(len(files)), [Path(file).stem[:14] for file in files], rotation=60, fontsize=7)
    axes[0, 2].legend()
    return save_figure(sheet, folder, "bermudez2018_speeds")
