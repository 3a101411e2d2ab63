"""Section 5.4: what is expected may be wrong, and then the arm is too relaxed for what it meets."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from poise.reproductions.alvarado2022.arms import arm_bend
from poise.reproductions.alvarado2022.picture import save_runs
from poise.reproductions.alvarado2022.played import Played, play
from poise.reproductions.row import Row
from poise.runtime.anticipation import AnticipationOptions, Expectation
from poise.scenes.upper_body_figures import heavy

__all__ = ["CHECKS", "picture"]

_MASS, _FACTOR = 10.0, 0.2


@cache
def met(factor: float) -> Played:
    """A push against a mass of which a share is expected."""
    expected = {"weight": Expectation(mass=factor * _MASS)}
    return play(heavy(AnticipationOptions(expectations=expected), mass=_MASS))


def wrong_bends_more() -> Row:
    """Bend of the arm with a wrong expectation over that with a right one."""
    ratio = arm_bend(met(_FACTOR)) / arm_bend(met(1.0))
    return Row(
        "alvarado2022/wrong-perception",
        f"A heavier obstacle than expected leads to larger angular displacement (Sec. 5.4): {_MASS:g} kg of which "
        f"{100.0 * _FACTOR:g} % are expected; bend of the arm over that with a right expectation, above 1.2",
        None,
        ratio,
        "×",
        ratio > 1.2,
    )


CHECKS = (wrong_bends_more,)


def picture(folder: Path) -> Path:
    """The push with a right and with a wrong expectation."""
    runs = [
        (f"{_MASS:g} kg, as expected", met(1.0)),
        (f"{_MASS:g} kg where {_FACTOR * _MASS:g} kg were expected", met(_FACTOR)),
    ]
    return save_runs(folder, "perception", "What is heavier than expected (Alvarado 2022, Sec. 5.4)", runs)
