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
    PAIRS,
    SHIPPED_PAIR,
    TARGETS,
    late,
    mean_force,
    other_walks,
    waded,
    walker,
    walks,
)
from poise.reproductions.check import Trial, claim
from poise.reproductions.motion.clips import data_folder
from poise.reproductions.pictures import figure, save_figure
from poise.reproductions.row import Row
from poise.wading import default_servo

__all__ = ["CHECKS", "picture"]

_WITHIN = 0.10
_CONSTANT = {"mud": 11.1, "goo": 101.6}
"""B of Eq. 8 as printed [N]: what then leaves the shipped walk the speeds of Table 1."""
_POINTS, _LOSES = 0.05, 0.01
"""How near the law is to be, and what share of its speed a walker must lose for there to be one."""
_LONG = 9.0
"""Runs change their speed: they are watched for longer [s]."""


@claim("drag", off="WadingOptions(drag=False)", cases=9)
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


@claim("drag", off="WadingOptions(drag=False)", cases=9)
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


@claim("pastes that are viscous", off="Fluid(viscous=0), the offset of Eq. 8 set anew", cases=9)
def table(trial: Trial) -> Row:
    """The walk that is farthest from Table 1."""
    worst = 0.0
    for file in other_walks(trial):
        for name, target in zip(FLUID_NAMES, TARGETS, strict=True):
            fluid = named_fluid(name)
            if trial.off and name in _CONSTANT:
                fluid = replace(fluid, offset=_CONSTANT[name], viscous=0.0)
            worst = max(worst, abs(waded(file, fluid).record.remaining - target))
    return Row(
        "bermudez2018/table-1",
        "0.72, 0.60 and 0.38 of the speed are left in water, mud and goo to the knee (Table 1, read as what is left), B "
        "growing with the speed, since with a constant B faster walkers keep too much in goo: set on the shipped walk "
        f"alone; the farthest of any fluid on held-out walks of 0.9 to 1.7 m/s is within {_WITHIN}",
        None,
        worst,
        "of the speed",
        worst <= _WITHIN,
    )


def _pairs(trial: Trial) -> tuple[tuple[str, str], ...]:
    return (SHIPPED_PAIR,) if trial.quick or data_folder() is None else PAIRS


@claim("k in proportion to the speed intended", off="WadingOptions(servo=BodyServo(k=the walk's))", cases=3)
def jog_share(trial: Trial) -> Row:
    """How far the share a runner loses is from a walker's."""
    worst = 0.0
    for slow, fast in _pairs(trial):
        walk, plan = waded(slow).record, walker(fast).plan
        servo = None if trial.on else default_servo(plan, float(np.linalg.norm(walk.intended, axis=1).mean()))
        worst = max(worst, abs(walk.remaining - waded(fast, seconds=_LONG, servo=servo).record.remaining))
    return Row(
        "bermudez2018/jog-share",
        "Jogging and walking lose alike shares of their speed in water to the knee, about a fourth: within 5 points, k growing "
        "with the speed (10 points where only the shipped clips are at hand, whose run lifts its feet out)",
        None,
        100.0 * worst,
        "points",
        worst <= (_POINTS if SHIPPED_PAIR not in _pairs(trial) else 2.0 * _POINTS),
    )


@claim("drag that grows with the square of the speed", off="WadingOptions(drag=False)", cases=3)
def jog_law(trial: Trial) -> Row:
    """How far a runner with a walker's k is from what the walker's loss says of him."""
    worst = 0.0
    for slow, fast in _pairs(trial):
        plan = walker(fast).plan
        speeds = [float(np.linalg.norm(waded(file, None).record.intended, axis=1).mean()) for file in (slow, fast)]
        servo = replace(default_servo(plan, speeds[1]), force=1e6)
        soft = replace(servo, k=0.5 * servo.k)
        lost = [1.0 - waded(fast, servo=each, drag=trial.on).record.remaining for each in (servo, soft)]
        if min(lost) < _LOSES:
            return _law(np.inf)
        predicted = brentq(lambda x, base=lost[0]: x / (1.0 - x) ** 2 - 2.0 * base / (1.0 - base) ** 2, 0.0, 0.999)
        worst = max(worst, abs(predicted - lost[1]))
    return _law(worst)


def _law(worst: float) -> Row:
    return Row(
        "bermudez2018/loss-law",
        "Against square drag the share lost x follows x / (1 - x)² ~ v_d / k: half the k loses what that says, within 5 points",
        None,
        100.0 * worst,
        "points",
        worst <= _POINTS,
    )


@claim("drag", off="WadingOptions(drag=False)", cases=3)
def jog_faster(trial: Trial) -> Row:
    """Whether who jogs is faster and is dragged more."""
    more = []
    for slow, fast in _pairs(trial):
        walk, jog = (waded(file, drag=trial.on).record for file in (slow, fast))
        faster = jog.speed[late(jog)].mean() > walk.speed[late(walk)].mean()
        more.append(faster and mean_force(jog) > mean_force(walk))
    return Row(
        "bermudez2018/jog-drag",
        "A jogger in water to the knee is dragged more than a walker and yet is faster",
        None,
        float(np.mean(more)),
        "of the pairs",
        all(more),
    )


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
