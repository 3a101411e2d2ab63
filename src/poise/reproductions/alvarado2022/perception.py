"""Section 5.4: what is expected may be wrong, and then the arm is too relaxed for what it meets."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from poise.behaviors.anticipation import AnticipationOptions, Expectation
from poise.reproductions.alvarado2022.heavies import COUNT, shove
from poise.reproductions.alvarado2022.picture import save_runs
from poise.reproductions.alvarado2022.played import Played, play
from poise.reproductions.check import Trial, claim
from poise.reproductions.row import Row
from poise.scenes.upper_body_figures import heavy

__all__ = ["CHECKS", "picture"]

_MASS, _FACTOR = 10.0, 0.2
_WEIGHTS = (6.0, 14.0)
"""Least and largest of what is pushed [kg]."""


@cache
def met(factor: float, mass: float = _MASS, *, feels: bool) -> Played:
    """A push against a mass of which a share is expected; as in the paper, or by one who feels what it weighs."""
    expected = {"weight": Expectation(mass=factor * mass)}
    return play(heavy(AnticipationOptions(expectations=expected, feels=feels), mass=mass))


def _ratios(trial: Trial, wrong: str, right: str) -> list[float]:
    """Bend of the arm with an expectation over that with a right one, per walk into something of 6 to 14 kg."""
    pairs = [(shove(seed, wrong, *_WEIGHTS), shove(seed, right, *_WEIGHTS)) for seed in trial.seeds(COUNT)]
    return [one.bend / other.bend for one, other in pairs if other.bend > 0.0]


@claim("expected masses", off="no AnticipationOptions(expectations=...)", cases=COUNT)
def wrong_bends_more(trial: Trial) -> Row:
    """How much more the arm bends with a wrong expectation."""
    ratio = float(np.percentile(_ratios(trial, "wrong" if trial.on else "right", "right"), 10.0))
    return Row(
        "alvarado2022/wrong-perception",
        f"A heavier obstacle than expected leads to larger angular displacement (Sec. 5.4): {_WEIGHTS[0]:g} to "
        f"{_WEIGHTS[1]:g} kg at seeded places and speeds of which {100.0 * _FACTOR:g} % are expected; bend of the arm over "
        "that with a right expectation, above 1.2 in nine of ten walks",
        None,
        ratio,
        "×",
        ratio > 1.2,
    )


@claim("tension that follows what is felt", off="AnticipationOptions(feels=False)", cases=COUNT)
def felt_in_time(trial: Trial) -> Row:
    """The same with what the paper's character does not do: feel the weight and answer."""
    feels = ", feels" if trial.on else ""
    ratio = float(np.median(_ratios(trial, f"wrong{feels}", f"right{feels}")))
    return Row(
        "alvarado2022/felt-in-time",
        "Beyond the paper: one who feels the weight answers 0.15 s after the first touch and is in time for a walk into it; "
        "bend of the arm over that with a right expectation, median below 1.2",
        None,
        ratio,
        "×",
        ratio < 1.2,
    )


CHECKS = (wrong_bends_more, felt_in_time)


def picture(folder: Path) -> Path:
    """The push with a right and with a wrong expectation."""
    runs = [
        (f"{_MASS:g} kg, as expected", met(1.0, feels=True)),
        (f"{_MASS:g} kg where {_FACTOR * _MASS:g} kg were expected", met(_FACTOR, feels=False)),
    ]
    return save_runs(folder, "perception", "What is heavier than expected (Alvarado 2022, Sec. 5.4)", runs)
