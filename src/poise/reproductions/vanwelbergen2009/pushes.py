"""Pushes at the hips: answered in place, by a step, or by a fall (beyond Sec. 4's "purely reactive" balance)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np

from poise.behaviors.balance import BalanceOptions
from poise.behaviors.push import Push
from poise.reproductions.check import Trial, claim, invariant
from poise.reproductions.pictures import figure, save_figure
from poise.reproductions.row import Row
from poise.reproductions.vanwelbergen2009.standing import Stood, stand
from poise.signals import Mode

__all__ = ["CHECKS", "picture"]

_AT = 1.0
_USUAL = BalanceOptions()
_SIDES = ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0))
_BACKWARDS = (-1.0, 0.0)
_IN_PLACE = tuple((size * x, size * y, 0.0) for size in (50.0, 100.0) for x, y in _SIDES)


@cache
def pushed(force: tuple[float, float, float], seconds: float = 6.0, options: BalanceOptions = _USUAL) -> Stood:
    """The stander pushed for a tenth of a second."""
    return stand(seconds, options, behaviors=[Push(force, _AT)])


def _kinds(stood: Stood) -> list[str]:
    return [event.kind for event in stood.events if event.kind != "pushed"]


@claim("the capture-point law", off="BalanceOptions(law='printed', multiplier=0.05)", cases=len(_IN_PLACE))
def in_place(trial: Trial) -> Row:
    """Farthest that the centre of mass still is from its place after pushes of 50 and 100 N from four sides."""
    options = _USUAL if trial.on else BalanceOptions(law="printed", multiplier=0.05)
    runs = [pushed(force, 4.0, options) for force in _IN_PLACE]
    before = round(_AT * 60) - 1
    worst = max(float(np.linalg.norm((run.centre[-1] - run.centre[before])[:2])) for run in runs)
    return Row(
        "vanwelbergen2009/push-in-place",
        "Pushes of 50 and 100 N for 0.1 s from four sides are recovered without a step, the centre of mass back within 1 cm "
        "after 3 s (ours: the paper shows no pushes)",
        None,
        100.0 * worst,
        "cm",
        worst < 0.01 and not any(_kinds(run) for run in runs),
    )


def _one_step(id_: str, text: str, sides: Sequence[tuple[float, float]], trial: Trial) -> Row:
    """Farthest that the centre of mass is from between the feet after pushes of 40 N s that take one step."""
    options = BalanceOptions(steps=_USUAL.steps if trial.on else 0)
    runs = [pushed((400.0 * x, 400.0 * y, 0.0), 6.0, options) for x, y in sides]
    worst = max(float(np.linalg.norm(run.away[-1])) for run in runs)
    holds = worst < 0.02 and all(_kinds(run) == ["stepped", "landed"] for run in runs)
    return Row(f"vanwelbergen2009/{id_}", text, None, 100.0 * worst, "cm", holds)


@claim("steps", off="BalanceOptions(steps=0)", cases=3)
def one_step(trial: Trial) -> Row:
    """Pushes from behind and from either side."""
    text = (
        "A push of 40 N s from behind or from a side is answered by one step, the centre of mass back between the feet within "
        "2 cm (ours)"
    )
    return _one_step("push-step", text, [side for side in _SIDES if side != _BACKWARDS], trial)


@claim("steps", off="BalanceOptions(steps=0)", cases=1)
def one_step_back(trial: Trial) -> Row:
    """A push from the front."""
    text = "The same for a push from the front: one step back, within 2 cm (ours)"
    return _one_step("push-step-back", text, [_BACKWARDS], trial)


@invariant("a defined fall", broken="the push is 40 N s", cases=1)
def fall(trial: Trial) -> Row:
    """Height of the pelvis after a push of 150 N s."""
    run = pushed((1500.0 if trial.on else 400.0, 0.0, 0.0))
    modes = run.session.world.cut.modes
    height = float(run.pelvis[-1, 2])
    return Row(
        "vanwelbergen2009/push-fall",
        "A push of 150 N s ends in a defined fall: an event, no joint kinematic any more, and a slack body on the ground",
        None,
        100.0 * height,
        "cm",
        run.balance.phase == "fallen" and "fell" in _kinds(run) and not (modes == Mode.MOTION).any() and height < 0.3,
    )


def picture(folder: Path) -> Path:
    """The way of the centre of mass after pushes of different size."""
    sheet, ((axes,),) = figure("The centre of mass after a push from behind", 1, 1)
    for size in (100.0, 300.0, 400.0, 500.0):
        run = pushed((size, 0.0, 0.0))
        axes.plot(run.times, 100.0 * (run.centre[:, 0] - run.centre[0, 0]), label=f"{0.1 * size:.0f} N s")
    axes.set_xlabel("time [s]")
    axes.set_ylabel("centre of mass forward [cm]")
    axes.legend()
    return save_figure(sheet, folder, "vanwelbergen2009_pushes")


CHECKS = (in_place, one_step, one_step_back, fall)
