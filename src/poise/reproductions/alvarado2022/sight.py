"""Fig. 8: hands answer what is both seen and inside a safety region, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import REGIONS, Sight
from poise.behaviors.anticipation import AnticipationOptions, Expectation
from poise.body.coordinates import body_frames
from poise.reproductions.check import Trial, claim
from poise.reproductions.once import once
from poise.reproductions.pictures import figure, save_figure
from poise.reproductions.row import Row
from poise.scenes import Scene
from poise.scenes.bounded import at_ease
from poise.scenes.upper_body_figures import anticipating, fruit
from poise.world.props import Wall

__all__ = ["CHECKS", "picture"]

Array = NDArray[np.float64]

_COUNT, _SEED = 80, 8
_RADIUS = 0.03
"""Of what is there [m]."""
_MARGIN, _MARGIN_ANGLE = 0.03, np.radians(8.0)
"""Nearer than this to the edge of a region [m] or of the view [rad] nothing is placed."""
_SECONDS = 0.4
_BLINKERS = Sight(sideways=float(np.radians(40.0)), up=float(np.radians(35.0)), down=float(np.radians(60.0)))
_ALL_ROUND = Sight(sideways=float(np.pi), up=float(np.pi / 2.0), down=float(np.pi / 2.0))
_EYE = np.array([0.1, 0.0, 0.11])
"""From the head's joint, roughly [m]."""


class Case(NamedTuple):
    """Where something floats [m], whether it is visible and inside a region, and whether a hand moved."""

    place: Array
    visible: bool
    inside: bool
    started: bool


@once
def cases(count: int = _COUNT, opened: bool = False) -> tuple[Case, ...]:
    """Small things that float around someone with blinkers who stands, one at a time; or who sees all round.

    Nobody's hands go behind the body, whatever is seen there; blinkers leave unseen what hands would answer.
    """
    rng, found = np.random.default_rng(_SEED), list[Case]()
    while len(found) < count:
        angle, away, height = rng.uniform([-np.pi, 0.3, 1.0], [np.pi, 0.8, 1.8])
        place = np.array([away * np.cos(angle), away * np.sin(angle), height])
        expected = _expected(place)
        if expected is not None:
            found.append(Case(place, *expected, _starts(place, opened)))
    return tuple(found)


def _expected(place: Array) -> tuple[bool, bool] | None:
    """Whether something there is visible and inside; None where it is too near to an edge to tell."""
    who = fruit((0.0, 0.0, 0.0), seconds=_SECONDS).characters["person"]
    plan, sight = who.plan, _BLINKERS
    bodies = body_frames(plan, at_ease()).positions[0]
    depths = []
    for region in REGIONS:
        centre = bodies[plan.with_role(region.part)[0]]
        depths.append(region.radius * plan.stature / 1.75 - (np.linalg.norm(place - centre) - _RADIUS))
    x, y, z = place - (bodies[plan.with_role("head")[0]] + _EYE)
    up = np.arctan2(z, np.hypot(x, y))
    angles = [sight.sideways - abs(np.arctan2(y, x)), sight.up - up, sight.down + up]
    if min(abs(d) for d in depths) < _MARGIN or min(abs(a) for a in angles) < _MARGIN_ANGLE:
        return None
    return bool(min(angles) > 0.0), bool(max(depths) > 0.0)


def _starts(place: Array, opened: bool) -> bool:
    """Whether a hand goes anywhere while something floats there."""
    options = AnticipationOptions(sight=_ALL_ROUND if opened else _BLINKERS)
    recording = fruit(tuple(place), options, radius=_RADIUS, seconds=_SECONDS).session().run()
    return any(event.kind == "reach" for event in recording.events)


@claim("the visibility region", off="Sight(sideways=π, up=π/2, down=π/2)", cases=_COUNT)
def iff_seen_and_inside(trial: Trial) -> Row:
    """How many cases are answered otherwise than they should be."""
    every = cases(_COUNT, trial.off)
    wrong = sum(case.started != (case.visible and case.inside) for case in every)
    kinds = {(case.visible, case.inside) for case in every}
    return Row(
        "alvarado2022/fig8-sweep",
        f"Hands answer iff something is in the visibility region and in a safety region (Sec. 5.1, Fig. 8): {_COUNT} random "
        "places around someone who stands and sees 40° to either side, all four combinations; wrong answers",
        0.0,
        float(wrong),
        "",
        wrong == 0 and len(kinds) == 4,
    )


@claim("the visibility region", off="Sight(sideways=π, up=π/2, down=π/2)", cases=_COUNT)
def none_from_behind(trial: Trial) -> Row:
    """How many answers there are to what is inside a region but not visible."""
    behind = [case for case in cases(_COUNT, trial.off) if case.inside and not case.visible]
    answered = sum(case.started for case in behind)
    return Row(
        "alvarado2022/fig8-behind",
        f"Nothing unseen is answered (Fig. 8): {len(behind)} of these places are inside a region and out of sight; answers",
        0.0,
        float(answered),
        "",
        len(behind) > 0 and answered == 0,
    )


@once
def _answered(count: int, occlusion: bool) -> int:
    """How many things that come from behind a screen are answered before they are past it."""
    options = AnticipationOptions(sight=Sight(occlusion=occlusion))
    return sum(
        any(event.kind == "reach" for event in _screened(seed, options).session().run().events) for seed in range(count)
    )


def _screened(seed: int, options: AnticipationOptions) -> Scene:
    """Something small floats within reach before someone, with a thin screen between it and their eyes."""
    rng = np.random.default_rng(seed)
    place = np.array([rng.uniform(0.4, 0.5), rng.uniform(-0.25, 0.25), rng.uniform(1.2, 1.45)])
    scene = fruit(tuple(place), options, radius=_RADIUS, seconds=_SECONDS)
    eye = np.array([0.1, 0.0, 1.6])
    middle = eye + 0.7 * (place - eye)
    size = (0.03, 0.09, 0.09)
    screen = Wall(name="screen", position=(float(middle[0]), float(middle[1]), float(middle[2])), size=size)
    # The screen itself is nothing to be minded.
    kept = replace(options, expectations={"screen": Expectation(seen=False)})
    return anticipating(replace(scene, setting=replace(scene.setting, props=(*scene.setting.props, screen))), kept)


@claim("things hide what is behind them", off="Sight(occlusion=False)", cases=_COUNT)
def none_hidden(trial: Trial) -> Row:
    """How many things behind a screen are answered."""
    count = len(trial.seeds(_COUNT))
    answered = _answered(count, trial.on)
    return Row(
        "alvarado2022/fig8-occlusion",
        f"Nothing hidden is answered: {count} things within reach, in view but behind a screen of 18 cm; answers",
        0.0,
        float(answered),
        "",
        answered == 0,
    )


CHECKS = (iff_seen_and_inside, none_from_behind, none_hidden)


def picture(folder: Path) -> Path:
    """Where hands answer, from above and from the side."""
    sheet, axes = figure("What is answered (Alvarado 2022, Fig. 8)", 1, 2, size=(8.0, 4.2))
    for axis, (first, second), labels in zip(
        axes.flat, ((0, 1), (0, 2)), (("x", "y, from above"), ("x", "z, from the side")), strict=True
    ):
        for case in cases():
            color = "tab:green" if case.visible and case.inside else "tab:orange" if case.inside else "0.6"
            axis.plot(case.place[first], case.place[second], "o" if case.started else "x", color=color)
        axis.set(xlabel=f"{labels[0]} [m]", ylabel=f"{labels[1]} [m]", aspect="equal")
    axes[0, 0].set_title("o answered; green seen and inside,\norange inside, grey outside", fontsize=8)
    return save_figure(sheet, folder, "alvarado2022_sight")
