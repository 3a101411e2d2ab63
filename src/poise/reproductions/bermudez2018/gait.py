"""What feet and hands do: stance, steps after a shove, high steps, lifted arms (Figs. 2, 3 and 8)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import body_frames
from poise.locomotion.contacts import runs
from poise.locomotion.soles import BALL, FEET, HEEL, find_sole
from poise.math import quat
from poise.reproductions.bermudez2018.clips import (
    CALIBRATED,
    LONG,
    WALKS,
    late,
    long_ones,
    mean_force,
    waded,
    walker,
    walks,
)
from poise.reproductions.check import Trial, claim
from poise.reproductions.pictures import figure, save_figure
from poise.reproductions.row import Row
from poise.wading import Push, Waded

__all__ = ["CHECKS", "picture"]

Array = NDArray[np.float64]

_PUSH = Push(2.0, (0.0, 0.0))
_BLOW = 100.0
"""Impulse of a shove [N s]."""


def places(result: Waded, along: float) -> Array:
    """Places of both feet's heels or balls after every tick [m], shape (N, 2, 3)."""
    plan = result.source.plan
    frames = body_frames(plan, result.record.rows[1:])
    found = []
    for role in FEET:
        sole = find_sole(plan, role)
        point = sole.points(np.array([along]), np.zeros(1))[0]
        found.append(frames.positions[:, sole.body] + quat.rotate(frames.rotations[:, sole.body], point))
    return np.stack(found, axis=1)


def drift(result: Waded) -> float:
    """Farthest that what stands of a foot, its heel or its ball, moves; median over the stances [m]."""
    found = []
    ends = [places(result, HEEL), places(result, BALL)]
    for foot in range(2):
        for first, last in runs(result.record.feet[:, foot, 2] == 1.0):
            moves = []
            for end in ends:
                stance = end[first : last + 1, foot]
                stood = stance[stance[:, 2] < stance[:, 2].min() + 0.004]
                moves.append(float(np.ptp(stood[:, :2], axis=0).max()) if len(stood) > 3 else np.inf)
            if first > 0 and np.isfinite(min(moves)):
                found.append(min(moves))
    return float(np.median(found)) if found else np.inf


@claim("the step controller", off="WadingOptions(steps=False)", cases=len(WALKS))
def stance(trial: Trial) -> Row:
    """How far standing feet slide, on the walk where they do most."""
    worst = max(drift(waded(file, steps=trial.on)) for file in walks(trial))
    return Row(
        "bermudez2018/stance",
        "With the step controller feet do not skate: in water to the knee a standing foot moves less than 1 mm, on every walk",
        None,
        1e3 * worst,
        "mm",
        worst < 1e-3,
    )


@claim("the step controller", off="WadingOptions(steps=False)", cases=len(WALKS))
def balance(trial: Trial) -> Row:
    """How often a foot is down before the body gets there, and stays."""
    shares = []
    for file in walks(trial):
        result = waded(file, "mud", steps=trial.on)
        record, balls = result.record, places(result, BALL)
        for foot in range(2):
            for first, last in runs(record.feet[:, foot, 2] == 1.0):
                # Not those that the walk begins or ends with: they are cut short.
                if first == 0 or last - first < 3 or last >= len(record.feet) - 1:
                    continue
                ahead = record.intended[first] / np.linalg.norm(record.intended[first])
                before = float((balls[first, foot, :2] - record.position[first]) @ ahead) > 0.0
                middle, quarter = (first + last) // 2, (last - first) // 4
                moved = float(np.linalg.norm(balls[middle + quarter, foot, :2] - balls[middle - quarter, foot, :2]))
                shares.append(float(before and moved < 0.001))
    return Row(
        "bermudez2018/support",
        "A step is done just before the body reaches the foothold (Eq. 5), and then the foot stays within 1 mm: in mud, of "
        f"{len(shares)} steps at least 95 %, since one in twenty out of step is seen in ten seconds of walking",
        None,
        100.0 * float(np.mean(shares)),
        "%",
        float(np.mean(shares)) > 0.95,
    )


def _sideways(file: str) -> tuple[Push, Array]:
    """A shove of 100 N s from the right after 2 s, and its direction."""
    record = waded(file, None).record
    at = int(2.0 / record.step)
    ahead = record.intended[at] / np.linalg.norm(record.intended[at])
    left = np.array([-ahead[1], ahead[0]])
    force = _BLOW / _PUSH.duration * left
    return Push(2.0, (float(force[0]), float(force[1]))), left


@claim("footholds in the direction of the velocity (Eq. 3)", off="WadingOptions(steps=False)", cases=LONG)
def shove_step(trial: Trial) -> Row:
    """How much wider the feet are than without the shove within the next stride, of nine of ten."""
    wider = []
    for file in long_ones(trial):
        push, left = _sideways(file)
        for fluid in (None, "water"):
            result, plain = (waded(file, fluid, pushes=pushes, steps=trial.on) for pushes in ((push,), ()))
            spread = []
            for each in (result, plain):
                span = slice(int(2.1 / each.record.step), int(3.0 / each.record.step))
                away = places(each, BALL)[span, :, :2] @ left - (each.record.position[span] @ left)[:, None]
                spread.append(float(np.ptp(away)))
            wider.append(spread[0] - spread[1])
    tenth = float(np.percentile(wider, 10.0))
    return Row(
        "bermudez2018/shove-step",
        "100 N s from the side are answered with a step to the side within one stride, dry and wading: feet stand at least "
        "4 cm farther apart than without, of nine of ten who walk or run for over 3.5 s",
        None,
        100.0 * tenth,
        "cm",
        tenth > 0.04,
    )


@claim("the velocity servo (Eq. 1)", off="WadingOptions(servo=BodyServo(k=a tenth))", cases=LONG)
def shove_recovery(trial: Trial) -> Row:
    """How far the time in which a shove fades is from (m + b) / k."""
    worst = 0.0
    for file in long_ones(trial):
        push, left = _sideways(file)
        servo = waded(file, None).servo
        used = servo if trial.on else replace(servo, k=0.1 * servo.k)
        record, plain = (waded(file, None, pushes=pushes, servo=used).record for pushes in ((push,), ()))
        start = int(2.15 / record.step)
        gained = (record.velocity[start:] - plain.velocity[start : len(record)]) @ left
        count = round(0.6 * servo.time_constant / record.step)
        slope = np.polyfit(record.step * np.arange(count), np.log(np.maximum(gained[:count], 1e-6)), 1)[0]
        worst = max(worst, abs(-1.0 / slope / servo.time_constant - 1.0))
    return Row(
        "bermudez2018/shove-recovery",
        "After a shove the velocity returns with the time constant (m + b) / k: within 15 %, of everybody "
        "who walks or runs for over 3.5 s",
        None,
        100.0 * worst,
        "%",
        worst < 0.15,
    )


@claim("hands lifted over the surface", off="WadingOptions(arms=False)", cases=len(WALKS))
def arms(trial: Trial) -> Row:
    """On how many walks lifted arms are faster in deep water, dragged less."""
    files, gains = walks(trial), []
    for file in files:
        up, down = (waded(file, "water", "chest", arms=on, buoyancy=False).record for on in (trial.on, False))
        faster = up.speed[late(up)].mean() - down.speed[late(down)].mean()
        gains.append(faster if mean_force(up) < mean_force(down) else -abs(faster))
    return Row(
        "bermudez2018/arms",
        "Lifting the arms in water to the chest makes the walk faster with less drag (Fig. 8; without buoyancy, as there), on "
        "every walk; the least gain",
        None,
        float(min(gains)),
        "m/s",
        min(gains) > 0.003,
    )


@claim("high steps in shallow fluid", off="WadingOptions(high_step=False)", cases=len(WALKS))
def high_step(trial: Trial) -> Row:
    """What is left of the drag at ankle depth with feet lifted out of the water."""
    shares = []
    for file in walks(trial):
        high, low = (mean_force(waded(file, "water", "ankle", high_step=on).record) for on in (trial.on, False))
        shares.append(high / max(low, 1e-9))
    return Row(
        "bermudez2018/high-step",
        "A high step in shallow water lowers the drag much (the paper's Sec. 7 supposes so): by half on every walk",
        None,
        100.0 * float(max(shares)),
        "% left",
        max(shares) < 0.5,
    )


@claim("drag that follows the limbs' swing", off="WadingOptions(drag=False)", cases=len(WALKS))
def rhythm(trial: Trial) -> Row:
    """How alike the speed is from step to step."""
    alike = []
    for file in walks(trial):
        record = waded(file, drag=trial.on).record
        speed = record.speed[late(record)] - record.speed[late(record)].mean()
        if np.ptp(speed) < 0.02:
            alike.append(0.0)
            continue
        lands = [first * record.step for foot in range(2) for first, _ in runs(record.feet[:, foot, 2] == 1.0) if first]
        steps = np.diff(np.sort(lands))
        stride = 2 * round(float(np.median(steps[steps > 0.1])) / record.step)
        lags = range(max(2, stride - stride // 4), min(stride + stride // 4, len(speed) - 4))
        alike.append(max(float(np.corrcoef(speed[:-lag], speed[lag:])[0, 1]) for lag in lags))
    return Row(
        "bermudez2018/rhythm",
        "Drag and step settle into a rhythm: the speed a stride later is alike (correlation above 0.8, median over the walks)",
        None,
        float(np.median(alike)),
        "",
        float(np.median(alike)) > 0.8,
    )


CHECKS = (stance, balance, shove_step, shove_recovery, arms, high_step, rhythm)


def picture(folder: Path) -> Path:
    """Arms up and down at chest depth, as Fig. 8, and a shove from the side."""
    sheet, axes = figure("Arms and shoves (Bermudez 2018, Fig. 8 and Sec. 6)", 1, 2, size=(11.0, 4.2))
    for lifted in (True, False):
        record = waded(CALIBRATED, "water", "chest", arms=lifted).record
        axes[0, 0].plot(record.time, record.speed, label="arms lifted" if lifted else "arms as in the clip")
    axes[0, 0].set(xlabel="time [s]", ylabel="speed [m/s]", title="water to the chest")
    push, left = _sideways(CALIBRATED)
    for fluid in (None, "water"):
        record = waded(CALIBRATED, fluid, pushes=(push,)).record
        axes[0, 1].plot(record.time, record.velocity @ left, label=fluid or "dry")
    mass = walker(CALIBRATED).plan.total_mass
    axes[0, 1].axhline(_BLOW / mass, color="gray", linestyle="--", linewidth=1.0, label="impulse over mass")
    axes[0, 1].set(xlabel="time [s]", ylabel="velocity to the side [m/s]", title="100 N s from the side")
    for axis in axes.flat:
        axis.legend()
    return save_figure(sheet, folder, "bermudez2018_gait")
