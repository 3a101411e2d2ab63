"""Fig. 11: pushing something heavy at constant tension, and at a tension adapted to the mass that is expected."""

from __future__ import annotations

from pathlib import Path

from poise.behaviors.anticipation import AnticipationOptions
from poise.reproductions.alvarado2022.heavies import COUNT, Shove, arm_bend, shove, thirds
from poise.reproductions.alvarado2022.played import Played, play
from poise.reproductions.check import Trial, claim
from poise.reproductions.once import once
from poise.reproductions.pictures import figure, save_figure
from poise.reproductions.row import Row
from poise.scenes.upper_body_figures import heavy

__all__ = ["CHECKS", "bends", "picture"]

MASSES = tuple(float(mass) for mass in range(1, 16))
"""What is pushed [kg]."""


@once
def push(mass: float, adapt: bool) -> Played:
    """A walk into a mass [kg], with the tension adapted to it or constant."""
    return play(heavy(AnticipationOptions(adapt=adapt), mass=mass))


@once
def bends(adapt: bool) -> tuple[float, ...]:
    """The arm's bend for each mass [degrees]."""
    return tuple(arm_bend(push(mass, adapt)) for mass in MASSES)


def _seeded(trial: Trial, way: str) -> list[Shove]:
    return [shove(seed, way) for seed in trial.seeds(COUNT)]


@claim("constant tension", off="AnticipationOptions(adapt=True)", cases=COUNT)
def constant_grows(trial: Trial) -> Row:
    """How much more the arm bends against the heaviest third of things than against the lightest, at constant tension."""
    ratio = thirds(_seeded(trial, "constant" if trial.on else "usual"), "bend")
    return Row(
        "alvarado2022/fig11-constant",
        "At constant tension the arm bends the more the heavier what it pushes (Fig. 11, top): 3 Hz, 1 to 15 kg at seeded "
        "places and speeds; median bend against the heaviest third over that against the lightest, above 1.5: half as much "
        "again is seen",
        None,
        ratio,
        "×",
        ratio > 1.5,
    )


@claim("tension adapted to the expected mass", off="AnticipationOptions(adapt=False)", cases=COUNT)
def adapted_steady(trial: Trial) -> Row:
    """What is left of that growth when tension is adapted to the mass."""
    adapted, constant = (
        thirds(_seeded(trial, way), "bend") for way in ("usual" if trial.on else "constant", "constant")
    )
    left = 100.0 * (adapted - 1.0) / (constant - 1.0)
    return Row(
        "alvarado2022/fig11-adapted",
        "Adapted to the expected mass the posture is kept (Fig. 11, bottom): of the growth of the bend from the lightest to "
        f"the heaviest third, {100.0 * (constant - 1.0):.0f} % at constant tension, less than half is left",
        None,
        left,
        "%",
        left < 50.0,
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
