"""A wader in a running session: what pushes it there and then is answered by the abstract body."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.behaviors import Behavior
from poise.behaviors.push import Push
from poise.fluid import FluidVolume, named_fluid
from poise.reproductions.bermudez2018.clips import LONG, long_ones, waded, walker
from poise.reproductions.check import Trial, claim
from poise.reproductions.row import Row
from poise.runtime import Session
from poise.wading import LiveWading, WadingOptions, WadingRecord, depth_against
from poise.world import Ball
from poise.world.scene import SceneSpec

__all__ = ["CHECKS"]

Array = NDArray[np.float64]

_AT, _SECONDS = 2.0, 3.0
_BLOW = 100.0
"""Impulse of a shove [N s]."""
_BALL, _SPEED, _RADIUS, _FLIES = 5.0, 4.0, 0.12, 0.2
"""Mass [kg], speed [m/s] and radius [m] of a ball, and how long it flies [s]."""


class _Played(NamedTuple):
    """Places of the body (N, 2) and of both feet's goals (N, 2, 2) [m] after every tick, and length of a tick [s]."""

    bodies: Array
    feet: Array
    step: float


def _played(file: str, feels: bool, pushes: Sequence[Behavior[Any]] = (), balls: Sequence[Ball] = ()) -> _Played:
    """A walk in water to the knee, played while it is waded."""
    who = walker(file)
    deep = depth_against(who, "knee")
    water = FluidVolume(fluid=named_fluid("water"), level=who.floor + deep, depth=deep)
    live = LiveWading(who, WadingOptions(volumes=(water,)), feels=feels)
    setting = SceneSpec(props=tuple(balls), floor=who.floor)
    session = Session({"wader": live.character}, setting, behaviors={"wader": [*pushes, live]})
    bodies, feet = [], []
    for _ in range(round(_SECONDS / session.clock.tick)):
        session.tick()
        wader = live.state.wader
        assert wader is not None
        bodies.append(wader.body.position)
        feet.append([goal.place for goal in wader.steps.goals])
    return _Played(np.array(bodies), np.array(feet), session.clock.tick)


def _left(record: WadingRecord) -> Array:
    ahead = record.intended[int(_AT / record.step)]
    return np.asarray(np.array([-ahead[1], ahead[0]]) / np.linalg.norm(ahead))


def _gained(played: _Played, plain: _Played, left: Array, after: float) -> float:
    """Velocity to the left more than in a plain run, some time after it began to be pushed [m/s]."""
    tick = round((_AT + after) / plain.step)
    pair = (played.bodies[tick] - played.bodies[tick - 1], plain.bodies[tick] - plain.bodies[tick - 1])
    return float((pair[0] - pair[1]) @ left) / plain.step


@claim("the velocity servo while a session runs", off="LiveWading(feels=False)", cases=LONG)
def shove(trial: Trial) -> Row:
    """How much wider the feet of a shoved live wader are, of nine of ten."""
    wider = []
    for file in long_ones(trial):
        left = _left(waded(file).record)
        force = _BLOW / 0.1 * left
        plain = _played(file, trial.on)
        pushed = _played(file, trial.on, pushes=[Push((force[0], force[1], 0.0), _AT, 0.1)])
        span = slice(round((_AT + 0.1) / plain.step), None)
        spread = [float(np.ptp((each.feet[span] - each.bodies[span, None]) @ left)) for each in (pushed, plain)]
        wider.append(spread[0] - spread[1])
    tenth = float(np.percentile(wider, 10.0))
    return Row(
        "bermudez2018/live-shove",
        "A wader is shoved by 100 N s while the session runs: the live body answers with a step to the side within a second, "
        "feet at least 4 cm farther apart than without, of nine of ten who walk or run for over 3.5 s (a "
        "jogger in a bend does not)",
        None,
        100.0 * tenth,
        "cm",
        tenth > 0.04,
    )


@claim("contacts of the session on the abstract body", off="LiveWading(feels=False)", cases=LONG)
def hit(trial: Trial) -> Row:
    """How fast a ball that hits a live wader sends it to the side, on the walk where it is least."""
    speeds = []
    for file in long_ones(trial):
        record = waded(file).record
        left, tick = _left(record), round((_AT + _FLIES) / record.step)
        place = record.rows[tick, :3] - np.append((_SPEED * _FLIES + _RADIUS) * left, 0.0)
        # It is thrown a little upward, since it falls on its way.
        velocity = np.append(_SPEED * left, 0.5 * 9.81 * _FLIES)
        x, y, z = (float(value) for value in place)
        u, v, w = (float(value) for value in velocity)
        ball = Ball(name="ball", position=(x, y, z), velocity=(u, v, w), time=_AT, radius=_RADIUS, mass=_BALL)
        speeds.append(_gained(_played(file, trial.on, balls=[ball]), _played(file, trial.on), left, 0.3))
    return Row(
        "bermudez2018/live-hit",
        "A ball of 5 kg at 4 m/s that hits a wader's hip sends it to the side: by more than 0.1 m/s a tenth of a second later, "
        "of everybody who walks or runs for over 3.5 s; the least",
        None,
        float(min(speeds)),
        "m/s",
        min(speeds) > 0.1,
    )


CHECKS = (shove, hit)
