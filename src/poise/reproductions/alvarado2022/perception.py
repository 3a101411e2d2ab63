"""Section 5.4: what is expected may be wrong, and then the arm is too relaxed for what it meets."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from poise.behaviors.anticipation import AnticipationOptions, Expectation
from poise.reproductions.alvarado2022.heavies import COUNT, EXPECTED, HEAVIEST, shove
from poise.reproductions.alvarado2022.picture import save_runs
from poise.reproductions.alvarado2022.played import Played, play
from poise.reproductions.check import Trial, claim
from poise.reproductions.row import Row
from poise.scenes.upper_body_figures import heavy

__all__ = ["CHECKS", "picture"]

_LIGHTEST = 6.0
"""Of what is pushed [kg]: against less, muscles that expect little are firm enough."""
_MASS = 10.0
"""Of what the picture shows [kg]."""


def _ratios(trial: Trial, wrong: str, right: str) -> list[float]:
    """Bend of the arm with one expectation over that with a right one, of each seeded push."""
    pairs = ((shove(seed, way, _LIGHTEST).bend for way in (wrong, right)) for seed in trial.seeds(COUNT))
    return [one / other for one, other in pairs]


@claim("expected masses", off="no AnticipationOptions(expectations=...)", cases=COUNT)
def wrong_bends_more(trial: Trial) -> Row:
    """How much more the arm bends with a wrong expectation, in nine of ten pushes."""
    ratio = float(np.percentile(_ratios(trial, "wrong" if trial.on else "right", "right"), 10.0))
    return Row(
        "alvarado2022/wrong-perception",
        f"A heavier obstacle than expected leads to larger angular displacement (Sec. 5.4): {_LIGHTEST:g} to {HEAVIEST:g} kg "
        f"at seeded places and speeds of which {100.0 * EXPECTED:g} % are expected; bend of the arm over that with a right "
        "expectation, in nine of ten above 1.2",
        None,
        ratio,
        "×",
        ratio > 1.2,
    )


@claim("tension that follows what is felt", off="AnticipationOptions(feels=False)", cases=COUNT)
def felt(trial: Trial) -> Row:
    """What is left of that with what the paper's character does not do: feel the weight and answer."""
    wrong = float(np.median(_ratios(trial, "wrong", "right"))) - 1.0
    feels = ", feels" if trial.on else ""
    left = 100.0 * (float(np.median(_ratios(trial, f"wrong{feels}", f"right{feels}"))) - 1.0) / wrong
    return Row(
        "alvarado2022/felt-weight",
        "Beyond the paper: one who feels the weight answers 0.15 s after the first touch; the same pushes, of what the arm "
        "bends more with a wrong expectation than with a right one, in the median, less than half is left "
        "(a quarter of the arms bend 1.8 times as far)",
        None,
        left,
        "%",
        left < 50.0,
    )


CHECKS = (wrong_bends_more, felt)


def _met(share: float, *, feels: bool) -> Played:
    """A push against a mass of which a share is expected; as in the paper, or by one who feels what it weighs."""
    expected = {"weight": Expectation(mass=share * _MASS)}
    return play(heavy(AnticipationOptions(expectations=expected, feels=feels), mass=_MASS))


def picture(folder: Path) -> Path:
    """The push with a right and with a wrong expectation."""
    runs = [
        (f"{_MASS:g} kg, as expected", _met(1.0, feels=True)),
        (f"{_MASS:g} kg where {EXPECTED * _MASS:g} kg were expected", _met(EXPECTED, feels=False)),
    ]
    return save_runs(folder, "perception", "What is heavier than expected (Alvarado 2022, Sec. 5.4)", runs)
