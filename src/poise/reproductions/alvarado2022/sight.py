"""Fig. 8: hands answer what is both seen and inside a safety region, and nothing else."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import REGIONS, Sight
from poise.body.coordinates import body_frames
from poise.reproductions.pictures import figure, save_figure
from poise.reproductions.row import Row
from poise.scenes.bounded import at_ease
from poise.scenes.upper_body_figures import fruit

__all__ = ["CHECKS", "picture"]

Array = NDArray[np.float64]

_COUNT, _SEED = 80, 8
_RADIUS = 0.03
"""Of what is there [m]."""
_MARGIN, _MARGIN_ANGLE = 0.03, np.radians(8.0)
"""Nearer than this to the edge of a region [m] or of the view [rad] nothing is placed."""
_SECONDS = 0.4
_EYE = np.array([0.1, 0.0, 0.11])
"""From the head's joint, roughly [m]."""


class Case(NamedTuple):
    """Where something floats [m], whether it is visible and inside a region, and whether a hand moved."""

    place: Array
    visible: bool
    inside: bool
    started: bool


@cache
def cases() -> tuple[Case, ...]:
    """Small things that float around someone who stands, one at a time."""
    rng, found = np.random.default_rng(_SEED), list[Case]()
    while len(found) < _COUNT:
        angle, away, height = rng.uniform([-np.pi, 0.3, 1.0], [np.pi, 0.8, 1.8])
        place = np.array([away * np.cos(angle), away * np.sin(angle), height])
        expected = _expected(place)
        if expected is not None:
            found.append(Case(place, *expected, _starts(place)))
    return tuple(found)


def _expected(place: Array) -> tuple[bool, bool] | None:
    """Whether something there is visible and inside; None where it is too near to an edge to tell."""
    who = fruit((0.0, 0.0, 0.0), seconds=_SECONDS).characters["person"]
    plan, sight = who.plan, Sight()
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


def _starts(place: Array) -> bool:
    """Whether a hand goes anywhere while something floats there."""
    recording = fruit(tuple(place), radius=_RADIUS, seconds=_SECONDS).session().run()
    return any(event.kind == "reach" for event in recording.events)


def iff_seen_and_inside() -> Row:
    """How many cases are answered otherwise than they should be."""
    wrong = sum(case.started != (case.visible and case.inside) for case in cases())
    kinds = {(case.visible, case.inside) for case in cases()}
    return Row(
        "alvarado2022/fig8-sweep",
        f"Hands answer iff something is in the visibility region and in a safety region (Sec. 5.1, Fig. 8): {_COUNT} random "
        "places around someone who stands, all four combinations; wrong answers",
        0.0,
        float(wrong),
        "",
        wrong == 0 and len(kinds) == 4,
    )


def none_from_behind() -> Row:
    """How many answers there are to what is inside a region but not visible."""
    behind = [case for case in cases() if case.inside and not case.visible]
    answered = sum(case.started for case in behind)
    return Row(
        "alvarado2022/fig8-behind",
        f"Nothing unseen is answered (Fig. 8): {len(behind)} of these places are inside a region and out of sight; answers",
        0.0,
        float(answered),
        "",
        len(behind) > 0 and answered == 0,
    )


CHECKS = (iff_seen_and_inside, none_from_behind)


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
