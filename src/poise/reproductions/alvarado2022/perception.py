"""Section 5.4: what is expected may be wrong, and then the arm is too relaxed for what it meets."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from poise.behaviors.anticipation import AnticipationOptions, Expectation
from poise.reproductions.alvarado2022.arms import arm_bend
from poise.reproductions.alvarado2022.picture import save_runs
from poise.reproductions.alvarado2022.played import Played, play
from poise.reproductions.row import Row
from poise.scenes.upper_body_figures import heavy

__all__ = ["CHECKS", "picture"]

_MASS, _FACTOR = 10.0, 0.2


@cache
def met(factor: float, *, feels: bool) -> Played:
    """A push against a mass of which a share is expected; as in the paper, or by one who feels what it weighs."""
    expected = {"weight": Expectation(mass=factor * _MASS)}
    return play(heavy(AnticipationOptions(expectations=expected, feels=feels), mass=_MASS))


def _ratio(*, feels: bool) -> float:
    """Bend of the arm with a wrong expectation over that with a right one."""
    return arm_bend(met(_FACTOR, feels=feels)) / arm_bend(met(1.0, feels=feels))


def wrong_bends_more() -> Row:
    """How much more the arm bends with a wrong expectation."""
    ratio = _ratio(feels=False)
    return Row(
        "alvarado2022/wrong-perception",
        f"A heavier obstacle than expected leads to larger angular displacement (Sec. 5.4): {_MASS:g} kg of which "
        f"{100.0 * _FACTOR:g} % are expected; bend of the arm over that with a right expectation, above 1.2",
        None,
        ratio,
        "×",
        ratio > 1.2,
    )


def felt_in_time() -> Row:
    """The same with what the paper's character does not do: feel the weight and answer."""
    ratio = _ratio(feels=True)
    return Row(
        "alvarado2022/felt-in-time",
        "Beyond the paper: one who feels the weight answers 0.15 s after the first touch and is in time for a walk into it; "
        "bend of the arm over that with a right expectation, below 1.2",
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
