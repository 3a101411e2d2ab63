"""Pushes at the hips: answered in place, by a step, or by a fall (beyond Sec. 4's "purely reactive" balance)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from poise.behaviors.balance import BalanceOptions
from poise.behaviors.push import Push
from poise.reproductions.check import Trial, claim, invariant, open_row
from poise.reproductions.motion.clips import Source, drawn
from poise.reproductions.once import once
from poise.reproductions.pictures import figure, save_figure
from poise.reproductions.row import Row
from poise.reproductions.vanwelbergen2009.standing import HELD_OUT_PEOPLE, Stood, people, stand, standing_plan
from poise.signals import Mode

__all__ = ["CHECKS", "picture"]

_AT, _LASTS = 1.0, 0.1
_USUAL = BalanceOptions()
_ONWARDS, _BACKWARDS = (0.0, 0.75 * np.pi), (np.pi, 0.25 * np.pi)
"""Middle and half of the directions into which people are pushed from behind or a side, and from the front [rad]."""
_NINE_OF_TEN = 90.0
"""Share of pushes that shall be answered as is claimed [%]."""
_SMALL, _STEP, _GREAT = (0.08, 0.16), 0.65, 2.4
"""Velocity that a push gives the whole body [m/s]: 5 to 10, 40 and 150 N s on the shipped character's 62 kg."""


@once
def pushed(force: tuple[float, float, float], seconds: float = 6.0, options: BalanceOptions = _USUAL) -> Stood:
    """The shipped character pushed for a tenth of a second."""
    return stand(seconds, options, behaviors=[Push(force, _AT, _LASTS)])


@once
def _pushed(source: Source, speed: float, angle: float, seconds: float, options: BalanceOptions) -> Stood:
    """Somebody pushed with so much as gives the whole body a speed [m/s] in a direction [rad]."""
    mass = standing_plan(source).total_mass
    force = mass * speed / _LASTS * np.array([np.cos(angle), np.sin(angle), 0.0])
    return stand(seconds, options, behaviors=[Push(force, _AT, _LASTS)], source=source)


def _kinds(stood: Stood) -> list[str]:
    return [event.kind for event in stood.events if event.kind != "pushed"]


def _recovers(source: Source, options: BalanceOptions) -> bool:
    """Whether somebody takes a small push from a side of their own without a step and is back within 1 cm."""
    rng = drawn(source)
    run = _pushed(source, float(rng.uniform(*_SMALL)), float(rng.uniform(-np.pi, np.pi)), 4.0, options)
    before = round(_AT * 60) - 1
    back = float(np.linalg.norm((run.centre[-1] - run.centre[before])[:2])) < 0.01
    return back and not _kinds(run)


@claim("the capture-point law", off="BalanceOptions(law='published', multiplier=0.05)", cases=HELD_OUT_PEOPLE)
def in_place(trial: Trial) -> Row:
    """Share of small pushes that are recovered in place."""
    options = _USUAL if trial.on else BalanceOptions(law="published", multiplier=0.05)
    share = 100.0 * float(np.mean([_recovers(source, options) for source in people(trial)]))
    return Row(
        "vanwelbergen2009/push-in-place",
        "Pushes that give a body 0.08 to 0.16 m/s within 0.1 s, 5 to 10 N s, from any side are recovered without a step, the "
        "centre of mass back within 1 cm after 3 s (ours: the paper shows no pushes); share of people, at least 90 %",
        None,
        share,
        "%",
        share >= _NINE_OF_TEN,
    )


def _stepping(source: Source, middle: float, half: float, trial: Trial) -> tuple[float, list[str]]:
    """How far somebody's centre of mass is from between their feet after a push [m], and what they did.

    The push is towards anywhere within `half` of `middle` [rad].
    """
    options = BalanceOptions(steps=_USUAL.steps if trial.on else 0)
    run = _pushed(source, _STEP, middle + float(drawn(source).uniform(-half, half)), 5.0, options)
    return float(np.linalg.norm(run.away[-1])), _kinds(run)


def _one_step(id_: str, text: str, side: tuple[float, float], trial: Trial) -> Row:
    """Share of people who take one step and are back between their feet within 2 cm."""
    found = [_stepping(source, *side, trial) for source in people(trial)]
    share = 100.0 * float(np.mean([off < 0.02 and kinds == ["stepped", "landed"] for off, kinds in found]))
    return Row(f"vanwelbergen2009/{id_}", text, None, share, "%", share >= _NINE_OF_TEN)


@claim("steps", off="BalanceOptions(steps=0)", cases=2 * HELD_OUT_PEOPLE)
def stands_again(trial: Trial) -> Row:
    """Share of pushes after which people stand again, after as many steps as it takes."""
    found = [_stepping(source, *side, trial) for side in (_ONWARDS, _BACKWARDS) for source in people(trial)]
    share = 100.0 * float(np.mean([off < 0.02 and "fell" not in kinds for off, kinds in found]))
    return Row(
        "vanwelbergen2009/push-stands",
        "A push that gives a body 0.65 m/s, 40 N s, from any side is answered by steps, the centre of mass back between the "
        "feet within 2 cm after 4 s (ours); share of pushes, at least 90 %",
        None,
        share,
        "%",
        share >= _NINE_OF_TEN,
    )


@open_row(
    "steps",
    aim="90 %: 11 of 16",
    cases=HELD_OUT_PEOPLE,
)
def one_step(trial: Trial) -> Row:
    """Pushes from behind and from either side."""
    text = "Those from behind or from a side are answered by one step (ours); share of people, at least 90 %"
    return _one_step("push-step", text, _ONWARDS, trial)


@open_row(
    "steps",
    aim="90 %: 10 of 16",
    cases=HELD_OUT_PEOPLE,
)
def one_step_back(trial: Trial) -> Row:
    """A push from the front."""
    text = "Those from the front, within 45°, are answered by one step back (ours); share of people, at least 90 %"
    return _one_step("push-step-back", text, _BACKWARDS, trial)


def _goes_down(source: Source, speed: float) -> bool:
    """Whether a push ends in a fall: told, no joint kinematic any more, and the pelvis near the ground."""
    run = _pushed(source, speed, float(drawn(source).uniform(-np.pi, np.pi)), 4.0, _USUAL)
    low = float(run.pelvis[-1, 2]) < 0.35 * float(run.pelvis[0, 2])
    free = not (run.session.world.cut.modes == Mode.MOTION).any()
    return run.balance.phase == "fallen" and "fell" in _kinds(run) and free and low


@invariant("a defined fall", broken="the push is that of the row before", cases=HELD_OUT_PEOPLE)
def fall(trial: Trial) -> Row:
    """Share of people whom a great push fells."""
    found = [_goes_down(source, _GREAT if trial.on else _STEP) for source in people(trial)]
    share = 100.0 * float(np.mean(found))
    return Row(
        "vanwelbergen2009/push-fall",
        "A push that gives a body 2.4 m/s, 150 N s, ends in a defined fall: an event, no joint kinematic any more, and a slack "
        "body whose pelvis is at less than 35 % of its height; share of people, all",
        None,
        share,
        "%",
        share == 100.0,
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


CHECKS = (in_place, stands_again, one_step, one_step_back, fall)
