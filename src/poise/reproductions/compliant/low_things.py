"""Seeded low walls across the way of people who see them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.anticipation import Anticipation
from poise.body.trajectory import Trajectory
from poise.locomotion.stepping import StepOptions
from poise.reproductions.check import Trial, claim
from poise.reproductions.compliant.draws import person_who, walks
from poise.reproductions.motion.clips import Source
from poise.reproductions.once import once
from poise.reproductions.row import Row
from poise.runtime import Character, CharacterOptions, Session
from poise.world import SceneSpec
from poise.world.props import Wall
from poise.world.world import Divergence

__all__ = ["CHECKS", "Passed", "passed"]

Array = NDArray[np.float64]

_COUNT, _MOST = 60, 85.0
"""Walls, and the share of them that is to be passed [%]."""
_HIGH, _THICK, _WIDE, _TURNED = (0.08, 0.25), (0.03, 0.08), 1.0, 0.3
"""Height, half thickness and half width of a wall [m], and how far it is from lying straight across at most [rad]."""
_ALONG, _LONG, _LASTS = (0.45, 0.6), 5.0, 1.5
"""Where on a way it lies, how much of a clip is played at most [s], and how long after it is reached [s]."""


class Passed(NamedTuple):
    """What came of it.

    Args:
        up: Whether the body stayed up.
        beyond: Whether it was beyond the wall in the end.
    """

    up: bool
    beyond: bool


@once
def passed(source: Source, seed: int, over: float) -> Passed:
    """Walk along a way across which a low wall lies."""
    options = CharacterOptions(root="compliant", stepping=StepOptions(over=over))
    who = person_who(source, options, _LONG)
    rng = np.random.default_rng(seed)
    time, place, way = _crossing(who, rng.uniform(*_ALONG))
    half = 0.5 * rng.uniform(*_HIGH)
    yaw = float(np.arctan2(way[1], way[0])) + rng.uniform(-_TURNED, _TURNED)
    x, y = place.tolist()
    wall = Wall(name="wall", position=(x, y, who.floor + half), size=(rng.uniform(*_THICK), _WIDE, half), yaw=yaw)
    session = Session({"who": who}, SceneSpec(props=(wall,), floor=who.floor), behaviors={"who": [Anticipation()]})
    try:
        recording = session.run(round(min(time + _LASTS, who.clip.duration) / session.clock.tick))
    except Divergence:
        return Passed(False, False)
    up = not any(event.kind in ("falls", "loses balance", "down") for event in recording.events)
    return Passed(up, bool((recording.positions[-1, :2] - place) @ way > 0.0))


def _crossing(who: Character, share: float) -> tuple[float, Array, Array]:
    """When a share of a way is gone, where that is, level [m], and which way it leads there, shape (2,)."""
    times = np.arange(0.0, who.clip.duration, 0.02)
    rows = Trajectory(who.plan, who.clip)
    places = np.array([rows.moment(float(time)).positions[:2].copy() for time in times])
    gone = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(places, axis=0), axis=1)))
    row = int(np.searchsorted(gone, share * gone[-1]))
    way = places[min(row + 5, len(places) - 1)] - places[max(row - 5, 0)]
    return float(times[row]), places[row], way / np.linalg.norm(way)


@claim("stepping over what is low", off="StepOptions(over=0)", cases=_COUNT)
def steps_over(trial: Trial) -> Row:
    """Share of low walls that are passed."""
    people, over = walks(quick=trial.quick), StepOptions().over if trial.on else 0.0
    found = [passed(people[seed % len(people)], seed, over) for seed in trial.seeds(_COUNT)]
    share = 100.0 * float(np.mean([each.up and each.beyond for each in found]))
    return Row(
        "compliant/step-over",
        f"Who sees a wall of {100.0 * _HIGH[0]:g} to {100.0 * _HIGH[1]:g} cm across the way gets over it and stays up: "
        f"share of {len(found)} on walks and runs, at least {_MOST:g} %",
        None,
        share,
        "%",
        share >= _MOST,
    )


CHECKS = (steps_over,)
