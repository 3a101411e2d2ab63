"""Fig. 11: pushing something heavy at constant tension, and at a tension adapted to the mass that is expected."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.anticipation import AnticipationOptions
from poise.reproductions.alvarado2022.played import HANDS, Played, play
from poise.reproductions.check import Trial, claim, open_row
from poise.reproductions.pictures import figure, save_figure
from poise.reproductions.row import Row
from poise.scenes.upper_body_figures import heavy

__all__ = ["CHECKS", "bends", "picture"]

Array = NDArray[np.float64]

MASSES = tuple(float(mass) for mass in range(1, 16))
"""What is pushed [kg]."""
_PUSH = 0.5
"""How long the first push is looked at [s]."""


@cache
def push(mass: float, adapt: bool) -> Played:
    """A walk into a mass [kg], with the tension adapted to it or constant."""
    return play(heavy(AnticipationOptions(adapt=adapt), mass=mass))


def arm_bend(played: Played) -> float:
    """How far a pushing arm gives way while it touches the weight [°]: shoulder and elbow, from where they should be."""
    begin = played.at(played.first_touch(*HANDS, prop="weight"))
    end, most = begin + round(_PUSH / played.recording.tick), 0.0
    for side in ("left", "right"):
        ticks = np.unique(played.recording.contacts.tick[played.contacts(f"{side}_hand", prop="weight")])
        states = ticks[(ticks >= begin - 1) & (ticks < end)] + 1
        bend = played.bend(f"{side}_upper_arm") + played.bend(f"{side}_forearm")
        most = max(most, float(bend[states].max(initial=0.0)))
    return most


@cache
def bends(adapt: bool) -> tuple[float, ...]:
    """The arm's bend for each mass [degrees]."""
    return tuple(arm_bend(push(mass, adapt)) for mass in MASSES)


@open_row(
    "constant tension",
    aim="growing with every kilogram: it does to 11 kg, and more than four times in all, but at 12 and 13 kg is 0.5° less",
    cases=len(MASSES),
)
def constant_grows(trial: Trial) -> Row:
    """Largest over smallest bend at constant tension, which grows with every kilogram."""
    found = bends(trial.off)
    ratio = max(found) / min(found)
    return Row(
        "alvarado2022/fig11-constant",
        "At constant tension the arm bends the more the heavier what it pushes (Fig. 11, top): 3 Hz, 1 to 15 kg; "
        "it grows with every kilogram, in all to more than four times",
        None,
        ratio,
        "×",
        bool(np.diff(found).min() > 0.0 and ratio > 4.0),
    )


@claim("tension adapted to the expected mass", off="AnticipationOptions(adapt=False)", cases=len(MASSES))
def adapted_steady(trial: Trial) -> Row:
    """Ratio of the largest to the smallest bend, adapted over constant."""
    ratios = [max(bends(adapt)) / min(bends(adapt)) for adapt in (trial.on, False)]
    return Row(
        "alvarado2022/fig11-adapted",
        "Adapted to the expected mass the posture is kept (Fig. 11, bottom): largest over smallest bend of the arm, less than "
        f"half of the {ratios[1]:.1f} at constant tension",
        None,
        ratios[0],
        "",
        ratios[0] < 0.5 * ratios[1],
    )


CHECKS = (constant_grows, adapted_steady)


def picture(folder: Path) -> Path:
    """Bend of the arm over the mass."""
    sheet, axes = figure("Pushing masses (Alvarado 2022, Fig. 11)", 1, 1)
    (axis,) = axes.flat
    axis.plot(MASSES, bends(False), "o-", label="constant tension, 3 Hz")
    axis.plot(MASSES, bends(True), "o-", label="adapted to the mass")
    axis.set(xlabel="mass [kg]", ylabel="bend of the arm [°]", ylim=(0.0, None))
    axis.legend(fontsize=8)
    return save_figure(sheet, folder, "alvarado2022_arms")
