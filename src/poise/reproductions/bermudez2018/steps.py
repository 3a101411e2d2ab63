"""The step controller's states, its plan and the speed of a swinging foot (Figs. 2 and 3)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.locomotion.contacts import runs
from poise.locomotion.swing import SwingProfile
from poise.reproductions.bermudez2018.clips import CALIBRATED, WALKS, waded, walks
from poise.reproductions.check import Trial, claim
from poise.reproductions.pictures import figure, save_figure
from poise.reproductions.row import Row
from poise.wading import WadingRecord

__all__ = ["CHECKS", "schedule", "states"]

Array = NDArray[np.float64]

_SHARES = np.linspace(0.0, 1.0, 41)
_SIDES = ("left", "right")
_FEWEST = 8
"""Ticks of a swing that tells its speed."""


def _swings(record: WadingRecord) -> list[tuple[int, int, int]]:
    """Foot, first and last tick of every whole swing."""
    found = []
    for foot in range(2):
        for first, last in runs(record.feet[:, foot, 2] < 1.0):
            if first > 0 and last < len(record) - 1 and last - first >= _FEWEST:
                found.append((foot, first, last))
    return found


def speeds(record: WadingRecord) -> Array:
    """Speed of the swinging foot's goal over its mean, at even shares of each swing, shape (n, 41)."""
    measured = []
    for foot, first, last in _swings(record):
        way = record.feet[first - 1 : last + 2, foot]
        moved = np.linalg.norm(np.diff(way[:, :2], axis=0), axis=1) / record.step
        shares = np.concatenate([[0.0], way[1:-1, 2], [1.0]])
        # The pace changes within a step: speed by the share of the step that is done, as the paper draws it.
        rate = np.diff(shares) / record.step
        length = float(np.linalg.norm(way[-1, :2] - way[0, :2]))
        middles = 0.5 * (shares[1:] + shares[:-1])
        measured.append(np.interp(_SHARES, middles, moved / np.maximum(rate, 1e-6) / max(length, 1e-9)))
    return np.array(measured)


@claim("the triangular schedule", off="WadingOptions(profile=SwingProfile.MINIMUM_JERK)", cases=len(WALKS))
def peak(trial: Trial) -> Row:
    """How far the peak speed of a foot is from twice its mean."""
    profile = SwingProfile.TRIANGULAR if trial.on else SwingProfile.MINIMUM_JERK
    worst = 0.0
    for file in walks(trial):
        measured = speeds(waded(file, profile=profile).record)
        worst = max(worst, abs(float(np.median(measured.max(axis=1))) / 2.0 - 1.0))
    return Row(
        "bermudez2018/step-schedule",
        "The paper's schedule of a step, by name: a foot's speed rises and falls in straight lines to twice its mean (Fig. 3); "
        "median peak of the steps over twice the mean, the walk that is farthest off, within 6 %",
        None,
        100.0 * worst,
        "%",
        worst < 0.06,
    )


CHECKS = (peak,)


def states(folder: Path) -> Path:
    """When each foot plans, steps and plants, and where footholds lie from the body, as Fig. 2."""
    record = waded(CALIBRATED).record
    sheet, axes = figure("Plan, step, plant (Bermudez 2018, Fig. 2)", 1, 2, size=(13.0, 4.2))
    for foot, side in enumerate(_SIDES):
        for first, last in runs(record.feet[:, foot, 2] < 1.0):
            start, end = float(record.time[first]), float(record.time[last])
            axes[0, 0].broken_barh([(start, end - start)], (foot - 0.3, 0.6), color="tab:orange")
            axes[0, 0].plot([start, start], [foot - 0.38, foot + 0.38], color="tab:red", linewidth=2.0)
            axes[0, 0].plot([end, end], [foot - 0.38, foot + 0.38], color="tab:green", linewidth=2.0)
        axes[0, 1].plot(record.feet[:, foot, 0], record.feet[:, foot, 1], linewidth=0.8, label=f"{side} foot")
    for label, color in (("plan", "tab:red"), ("step", "tab:orange"), ("plant", "tab:green")):
        axes[0, 0].plot([], [], color=color, linewidth=4.0, label=label)
    axes[0, 0].set(xlabel="time [s]", title="states in water to the knee", yticks=(0, 1), yticklabels=_SIDES)
    axes[0, 1].plot(*record.position.T, "k", linewidth=0.8, label="body")
    for foot, _, last in _swings(record):
        body, place = record.position[last], record.feet[last, foot, :2]
        axes[0, 1].plot(*np.stack([body, place]).T, "k:", linewidth=0.8)
        axes[0, 1].plot(*place, "o", color=f"C{foot}", markersize=4)
    axes[0, 1].set(xlabel="[m]", ylabel="[m]", title="from above; dotted: body to foothold when planted")
    axes[0, 1].set_aspect("equal", adjustable="datalim")
    for axis in axes.flat:
        axis.legend(loc="upper right", fontsize=8)
    return save_figure(sheet, folder, "bermudez2018_states")


def schedule(folder: Path) -> Path:
    """Speed of a swinging foot over its mean, as Fig. 3, and with the other profiles."""
    sheet, axes = figure("Speed of a swinging foot (Bermudez 2018, Fig. 3)", 1, 1, size=(6.5, 4.2))
    for profile, label in (
        (SwingProfile.TRIANGULAR, "the paper's triangle"),
        (SwingProfile.MINIMUM_JERK, "least jerk (default)"),
        (SwingProfile.CLIP, "the clip's own"),
    ):
        axes[0, 0].plot(_SHARES, np.median(speeds(waded(CALIBRATED, profile=profile).record), axis=0), label=label)
    axes[0, 0].axhline(2.0, color="gray", linestyle="--", linewidth=1.0)
    axes[0, 0].set(xlabel="share of the step", ylabel="speed over its mean", ylim=(0.0, None))
    axes[0, 0].legend()
    return save_figure(sheet, folder, "bermudez2018_schedule")
