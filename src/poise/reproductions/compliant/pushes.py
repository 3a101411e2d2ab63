"""Rows about pushes: the whole body gives way, comes back, stays up, and takes of the ground what it could give."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from poise.reproductions.check import Trial, claim, open_row
from poise.reproductions.compliant.draws import Drawn, Way, drawn, walks
from poise.reproductions.pictures import figure, save_figure
from poise.reproductions.row import Row

__all__ = ["CHECKS", "picture"]

_COUNT = 400
_IMPULSES = (5.0, 20.0, 40.0)
_HARD = 40.0
"""Of pushes [N s]: a nudge, a shove, and a tackle that makes one who stands step."""
_PER_NEWTON_SECOND = 5e-4
"""Way of the pelvis per N s that is the least of a person's: 1 cm for 20 N s [m]."""
_LEFT = 0.03
"""Who is this near to where the clip is goes on as if nothing had been [m]."""
_MOST = 95.0
"""Share of draws [%]."""
_SERIES = (5.0, 20.0, 40.0, 60.0, 80.0)
_EACH = 20
"""Impulses of the picture [N s], and draws of each."""


def _walking(count: int, impulse: float, way: Way, *, quick: bool) -> list[Drawn]:
    """So many draws, on one clip after the other."""
    clips = walks(quick=quick)
    return [drawn(clips[seed % len(clips)], seed, impulse, way) for seed in range(count)]


def _standing(count: int, impulse: float, way: Way = "on") -> list[Drawn]:
    return [drawn(None, seed, impulse, way) for seed in range(count)]


def _way(trial: Trial, off: Way) -> Way:
    return "on" if trial.on else off


@claim("a root that yields", off='CharacterOptions(root="kinematic")', cases=3 * _COUNT)
def gives_way(trial: Trial) -> Row:
    """Share of pushes after which the pelvis has given way."""
    count, way = len(trial.seeds(_COUNT)), _way(trial, "kinematic")
    found = [
        each.gives >= _PER_NEWTON_SECOND * impulse
        for impulse in _IMPULSES
        for each in (*_walking(count, impulse, way, quick=trial.quick), *_standing(count // 4, impulse, way))
    ]
    share = 100.0 * float(np.mean(found))
    return Row(
        "compliant/push-gives",
        f"What pushes pelvis, chest, an arm or a hand moves the whole body: pelvis 1 cm per 20 N s within 0.3 s, {len(found)} "
        f"pushes of {_IMPULSES[0]:g} to {_IMPULSES[-1]:g} N s from all sides, walking, running, standing; at least {_MOST:g} %",
        None,
        share,
        "%",
        share >= _MOST,
    )


@claim("a root that is led home", off="RootDrive(planar=0.1)", cases=2 * _COUNT)
def comes_back(trial: Trial) -> Row:
    """Share of walkers who are back."""
    count, way = len(trial.seeds(_COUNT)), _way(trial, "soft")
    found = [
        each.left <= _LEFT for impulse in _IMPULSES[:2] for each in _walking(count, impulse, way, quick=trial.quick)
    ]
    share = 100.0 * float(np.mean(found))
    return Row(
        "compliant/push-back",
        f"Who is pushed while walking or running is within 3 cm of the way again 1.5 s after the push; {len(found)} pushes of "
        f"{_IMPULSES[0]:g} and {_IMPULSES[1]:g} N s, at least {_MOST:g} %",
        None,
        share,
        "%",
        share >= _MOST,
    )


@claim("legs that carry", off="RootDrive(torque=0)", cases=_COUNT)
def stays_up(trial: Trial) -> Row:
    """Share of walkers who stay up."""
    found = _walking(len(trial.seeds(_COUNT)), _HARD, _way(trial, "limp"), quick=trial.quick)
    share = 100.0 * float(np.mean([not each.down for each in found]))
    return Row(
        "compliant/push-up",
        f"Pushed with {_HARD:g} N s while walking or running one stays up, the pelvis over 60 % of its height and the trunk "
        f"within 60° of the clip's: share of {len(found)}, at least {_MOST:g} %",
        None,
        share,
        "%",
        share >= _MOST,
    )


@open_row(
    "steps under the capture point",
    aim="95 % where the clip itself has 100: in the second after the push the servo of the root takes a centre of pressure "
    "beyond the feet, which steps do not come under in time",
    cases=_COUNT,
)
def honest_standing(trial: Trial) -> Row:
    """Share of ticks in which feet could exert what the motion takes, after a push of one who stands."""
    found = _standing(len(trial.seeds(_COUNT)), _HARD)
    share, own = (
        100.0 * float(np.mean(values)) for values in zip(*((each.honest, each.source) for each in found), strict=True)
    )
    return Row(
        "compliant/ground-standing",
        f"The ground could exert what keeps one up who is pushed with {_HARD:g} N s: force within a friction cone of 0.8 and "
        f"its centre within 3 cm of planted soles in {_MOST:g} % of ticks beside the push ({own:.0f} % without one)",
        None,
        share,
        "%",
        share >= _MOST,
    )


@open_row(
    "feet that follow the pelvis",
    aim="as much as without a push, within 2 points; clips themselves are far below 95 %: scaled or smoothed capture takes a "
    "centre of pressure that feet do not have",
    cases=_COUNT,
)
def honest_walking(trial: Trial) -> Row:
    """How much less of the time feet could exert what the motion takes, after a push while walking."""
    found = _walking(len(trial.seeds(_COUNT)), _HARD, "on", quick=trial.quick)
    own = 100.0 * float(np.mean([each.source for each in found]))
    lost = own - 100.0 * float(np.mean([each.honest for each in found]))
    return Row(
        "compliant/ground-walking",
        f"The same while walking and running, beside the clip's own {own:.0f} %: points that a push of {_HARD:g} N s costs, "
        "at most 2",
        None,
        lost,
        "points",
        lost <= 2.0,
    )


CHECKS = (gives_way, comes_back, stays_up, honest_standing, honest_walking)


def picture(folder: Path) -> Path:
    """What becomes of pushes of all sizes."""
    sheet, both = figure("Pushes from all sides on the shipped walk and run, and on one who stands", 1, 2)
    up, way = both.flat
    every = {
        "walking and running": [_walking(_EACH, impulse, "on", quick=True) for impulse in _SERIES],
        "standing": [_standing(_EACH // 2, impulse) for impulse in _SERIES],
    }
    for label, found in every.items():
        up.plot(_SERIES, [100.0 * np.mean([not each.down for each in row]) for row in found], "o-", label=label)
        way.plot(
            _SERIES, [100.0 * np.median([each.gives for each in row]) for row in found], "o-", label=f"{label}: given"
        )
        way.plot(
            _SERIES, [100.0 * np.median([each.left for each in row]) for row in found], "o--", label=f"{label}: left"
        )
    up.set(xlabel="push [N s]", ylabel="stays up [%]", ylim=(0.0, 105.0))
    way.set(xlabel="push [N s]", ylabel="way of the pelvis [cm]: within 0.3 s, and after 1.5 s")
    for axes in (up, way):
        axes.legend(fontsize=8)
    return save_figure(sheet, folder, "compliant_pushes")
