"""Somebody meets fluid in the midst of a walk or run while a session runs, and comes out of it again."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.fluid import FluidVolume, named_fluid
from poise.reproductions.bermudez2018.clips import FLUID_NAMES, LONG, long_ones, walker
from poise.reproductions.check import Trial, claim
from poise.reproductions.once import once
from poise.reproductions.row import Row
from poise.runtime import Session
from poise.scenes.layout import Path, walked_path
from poise.scenes.roots import with_root
from poise.wading import Fluids, depth_against
from poise.world.scene import SceneSpec

__all__ = ["CHECKS"]

Array = NDArray[np.float64]

_IN, _OUT = 0.25, 0.55
"""Where on its way the fluid begins and ends, as shares of it."""
_WIDE = 8.0
"""[m]."""
_SETTLED = 0.4
"""From this share of the fluid's breadth on the speed in it is looked at."""
_AFTER = 0.75
"""From this share of the way on, the speed afterwards."""
_END = 0.96
_TIMES = 4.0
"""The walk is given so many times its clip's length at most."""
_SLOWED, _BACK = 0.9, 0.9


class _Crossed(NamedTuple):
    """Shares of the clip's own speed in the fluid and afterwards."""

    inside: float
    after: float


@once
def _crossed(file: str, fluid: str, law: bool) -> _Crossed:
    """How fast somebody crosses a fluid to the knee, with and without the law that lets him wade."""
    who = with_root(walker(file), "compliant" if law else "kinematic")
    path, deep = walked_path(who), depth_against(who, "knee")
    middle, ahead = path.at(0.5 * (_IN + _OUT) * path.length)
    volume = FluidVolume(
        fluid=named_fluid(fluid),
        level=who.floor + deep,
        depth=deep,
        center=(float(middle[0]), float(middle[1])),
        size=((_OUT - _IN) * path.length, _WIDE),
        yaw=float(np.arctan2(ahead[1], ahead[0])),
    )
    session = Session({"walker": who}, SceneSpec(floor=who.floor), fluids=Fluids(volume))
    while session.count < _TIMES * session.tick_count and _reached(session, path) < _END * path.length:
        session.tick()
    recording = session.recording()
    at = session.world.layout("walker").positions.start
    way = np.array([_along(path, place) for place in recording.positions[:, at : at + 2]])
    inside = _IN + _SETTLED * (_OUT - _IN), _OUT
    return _Crossed(*(_share(path, who.clip.rate, way, recording.times, *part) for part in (inside, (_AFTER, _END))))


def _reached(session: Session, path: Path) -> float:
    return _along(path, session.view.positions("walker")[:2])


def _along(path: Path, place: Array) -> float:
    """How far along a path the point of it is that is nearest to a place [m]."""
    return float(path.along[int(np.argmin(np.sum((path.points - place) ** 2, axis=1)))])


def _share(path: Path, rate: float, way: Array, times: Array, first: float, last: float) -> float:
    """How fast a part of the way was gone, as a share of the clip's own speed there; 0 where its end was not reached."""
    ends = first * path.length, last * path.length
    took = [float(times[int(np.argmax(way >= end))]) if way.max() >= end else np.inf for end in ends]
    own = [float(np.interp(end, path.along, np.arange(len(path.along)) / rate)) for end in ends]
    return (own[1] - own[0]) / (took[1] - took[0]) if np.isfinite(took[1]) else 0.0


@claim("the law `velocity` of a compliant root", off="CharacterOptions(root='kinematic')", cases=LONG)
def crossing(trial: Trial) -> Row:
    """On how many walks fluids slow down in their order, and the speed comes back behind them."""
    files, good = long_ones(trial), 0
    for file in files:
        crossed = [_crossed(file, fluid, trial.on) for fluid in FLUID_NAMES]
        slower = all(denser.inside < lighter.inside for lighter, denser in pairwise(crossed))
        good += slower and crossed[0].inside < _SLOWED and min(each.after for each in crossed) > _BACK
    return Row(
        "bermudez2018/crossing",
        "Who meets fluid to the knee in the midst of a walk or run while the session runs slows down, more in mud than in "
        f"water and more in goo than in mud, to less than {_SLOWED} of the speed, and has {_BACK} of it back behind it, all of "
        f"{len(files)}",
        None,
        good / len(files),
        "of the walks",
        good == len(files),
    )


CHECKS = (crossing,)
