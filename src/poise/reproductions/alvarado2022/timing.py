"""Fig. 13: which reaction time is short enough for which ball, with detection and all else the same."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import Bounds, Rules
from poise.behaviors.anticipation import AnticipationOptions
from poise.reproductions.alvarado2022.played import HANDS, HEAD, TRUNK, Played, play
from poise.reproductions.check import Trial, claim
from poise.reproductions.once import once
from poise.reproductions.pictures import figure, save_figure
from poise.reproductions.row import Row
from poise.scenes.thrown import thrown
from poise.scenes.upper_body_figures import ball

__all__ = ["CHECKS", "picture"]

Array = NDArray[np.float64]

_COUNT = 100
SPEEDS = (2.5, 4.0, 6.0, 8.0, 10.0)
"""Of the ball [m/s]."""
REACTIONS = (0.1, 0.2, 0.3, 0.45, 0.55, 0.7, 1.0, 1.5)
"""Reaction times [s]."""
_NOTICED = Bounds(quickest=0.05, slowest=3.0)
"""The ball is noticed as soon as it is thrown, whatever the reaction time."""
_SHORT, _LONG, _SPEED = 0.3, 1.0, 6.0
_REACH = ("left_upper_arm", "right_upper_arm", "left_clavicle", "right_clavicle")


class Outcome(NamedTuple):
    """Whether a hand met the ball before head or trunk did, and how far the nearest palm was from it on impact [m]."""

    caught: bool
    distance: float


def throw(speed: float, reaction: float | None, seed: int | None) -> Played:
    """A ball of a speed [m/s] at someone with a reaction time [s] or the product's own; seeded throws vary in aim and mass."""
    # The time is all that counts here: a hand is as quick as it says, down to a tenth of a second.
    rules = Rules() if reaction is None else Rules(reaction_time=lambda *_: reaction, movement_time=lambda *_: 0.1)
    scene = ball(AnticipationOptions(rules=rules, kinds={"ball": _NOTICED}), speed=speed)
    if seed is not None:
        rng, flight = np.random.default_rng(seed), 3.0 / speed
        target = np.array([0.1, rng.uniform(-0.15, 0.15), rng.uniform(1.15, 1.4)])
        course = speed * np.array([-1.0, rng.uniform(-0.2, 0.2), 0.0])
        prop = thrown("ball", target, course, flight, time=0.5, mass=float(rng.uniform(0.4, 0.8)))
        scene = replace(scene, setting=replace(scene.setting, props=(prop,)))
    return play(scene)


@once
def outcome(speed: float, reaction: float | None, seed: int | None = None) -> Outcome:
    """What came of it."""
    played = throw(speed, reaction, seed)
    hands = played.first_touch(*HANDS, prop="ball")
    body = played.first_touch(*HEAD, *TRUNK, *_REACH, prop="ball")
    state = played.at(min(hands, body))
    place = played.place("ball")[state]
    nearest = min(float(np.linalg.norm(played.palm(side)[state] - place)) for side in ("left", "right"))
    return Outcome(hands < body, nearest)


@claim(
    "the reaction time is how long a hand takes", off="Rules() for both: the product's own reaction time", cases=_COUNT
)
def short_is_nearer(trial: Trial) -> Row:
    """How much nearer the palm is to the ball on impact with the short reaction time."""
    seeds = trial.seeds(_COUNT)
    short, long = (
        np.mean([outcome(_SPEED, reaction if trial.on else None, seed).distance for seed in seeds])
        for reaction in (_SHORT, _LONG)
    )
    gain = 100.0 * float(long - short)
    return Row(
        "alvarado2022/fig13-distance",
        f"With a shorter reaction time the hand is nearer to the ball on impact (Fig. 13): {_SHORT} s against {_LONG} s, "
        f"{_SPEED:g} m/s, mean over throws, more than 5 cm",
        None,
        gain,
        "cm",
        gain > 5.0,
    )


@claim(
    "the reaction time is how long a hand takes", off="Rules() for both: the product's own reaction time", cases=_COUNT
)
def only_short_catches(trial: Trial) -> Row:
    """How many of the two reaction times succeed, and which."""
    seeds = trial.seeds(_COUNT)
    short, long = (
        100.0 * float(np.mean([outcome(_SPEED, reaction if trial.on else None, seed).caught for seed in seeds]))
        for reaction in (_SHORT, _LONG)
    )
    return Row(
        "alvarado2022/fig13-success",
        f"Only the short reaction time stops the ball in time (Fig. 13): at {_SHORT} s 90 % of throws are met first by a hand "
        f"and at {_LONG} s ({long:.0f} %) less than 10 %; the difference",
        100.0,
        short - long,
        "%",
        short >= 90.0 and long <= 10.0,
    )


def boundary(on: bool = True) -> Array:
    """Longest reaction time up to which every one succeeds, per speed [s], shape (speeds,); 0 where none does."""
    longest = []
    for speed in SPEEDS:
        caught = [outcome(speed, reaction if on else None).caught for reaction in REACTIONS]
        count = caught.index(False) if False in caught else len(caught)
        longest.append(REACTIONS[count - 1] if count else 0.0)
    return np.array(longest)


@claim(
    "the reaction time is how long a hand takes",
    off="Rules() for all: the product's own reaction time",
    cases=len(SPEEDS) * len(REACTIONS),
)
def boundary_falls(trial: Trial) -> Row:
    """How far the success boundary falls from the slowest to the fastest ball."""
    longest = boundary(trial.on)
    falls = float(longest[0] - longest[-1])
    return Row(
        "alvarado2022/fig13-boundary",
        f"The faster the ball, the shorter the reaction time must be (Sec. 6.1): longest that succeeds, {SPEEDS[0]:g} to "
        f"{SPEEDS[-1]:g} m/s, falls with every speed; in all",
        None,
        falls,
        "s",
        bool((np.diff(longest) < 0.0).all()),
    )


CHECKS = (short_is_nearer, only_short_catches, boundary_falls)


def picture(folder: Path) -> Path:
    """Success over speed and reaction time, with the boundary."""
    sheet, axes = figure("Reaction time and ball speed (Alvarado 2022, Fig. 13)", 1, 1)
    (axis,) = axes.flat
    for speed in SPEEDS:
        for reaction in REACTIONS:
            caught = outcome(speed, reaction).caught
            axis.plot(speed, reaction, "o" if caught else "x", color="tab:green" if caught else "tab:red")
    axis.step(SPEEDS, boundary(), where="mid", color="0.4", label="longest reaction time that succeeds")
    axis.set(xlabel="speed of the ball [m/s]", ylabel="reaction time [s]", yscale="log")
    axis.legend(fontsize=8)
    return save_figure(sheet, folder, "alvarado2022_timing")
