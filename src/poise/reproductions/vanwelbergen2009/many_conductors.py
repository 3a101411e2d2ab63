"""The performance test (Sec. 3.6): many conductors at 200 Hz, each with its own motion and balance."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from time import perf_counter

import numpy as np
from PIL import Image

from poise.crowd import STANDING, STEP
from poise.reproductions.check import Trial, claim, invariant
from poise.reproductions.once import once
from poise.reproductions.pictures import save_image
from poise.reproductions.row import Row
from poise.scenes.orchestra import Orchestra, Performance, orchestra
from poise.world.crowd_picture import paint_crowd
from poise.world.render import Camera

__all__ = ["CHECKS", "picture"]

_COUNT = 300
_SOFT = 0.1
"""Share of the paper's stiffness that holds nobody."""


@once
def _minute(multiplier: float = STANDING.multiplier, seconds: float = 60.0) -> tuple[Orchestra, Performance]:
    """Sixteen conductors, a minute."""
    players = orchestra(16, seed=1, balance=replace(STANDING, multiplier=multiplier))
    return players, players.play(seconds)


@claim("the paper's balance law", off="orchestra(balance=BalanceOptions(multiplier=0.1))", cases=16)
def standing(trial: Trial) -> Row:
    """How many of sixteen are on their feet after a minute."""
    _, performance = _minute() if trial.on else _minute(_SOFT, 20.0)
    return Row(
        "vanwelbergen2009/standing",
        "Everybody keeps their balance by the paper's law (Sec. 3.4) while conducting for a minute: how many of 16 stand",
        None,
        float(performance.standing),
        "",
        performance.standing == 16,
    )


@claim("the paper's balance law", off="orchestra(balance=BalanceOptions(multiplier=0.1))", cases=16)
def slip(trial: Trial) -> Row:
    """Farthest a foot slid in a minute."""
    _, performance = _minute() if trial.on else _minute(_SOFT, 20.0)
    centimetres = 100.0 * performance.slip * 60.0 / 59.0
    return Row(
        "vanwelbergen2009/foot-slip",
        "Feet on friction alone move slightly over time (Sec. 3.3): farthest of 32 in a minute, below 1 mm, which is not seen",
        None,
        centimetres,
        "cm/min",
        centimetres < 0.1,
    )


@invariant("one compiled pass for all members", broken="everybody's forces are worked out a hundred times a step")
def real_time(trial: Trial) -> Row:
    """Time of a step of 300 conductors over that of the bare physics in it, taken in the same seconds; the best of windows."""
    crowd = orchestra(_COUNT).crowd
    crowd.run(0.5)
    found = []
    for _ in range(12):
        begin, physics = perf_counter(), 0.0
        for _ in range(10):
            for _ in range(1 if trial.on else 100):
                crowd.control()
            middle = perf_counter()
            crowd.world.step()
            physics += perf_counter() - middle
        found.append((perf_counter() - begin, physics))
    whole, bare = min(found)
    factor = 10.0 * STEP / whole
    return Row(
        "vanwelbergen2009/real-time",
        "30 conductors in real time on four cores at 200 Hz (Sec. 3.6): a step of 300 takes at most 1.3 times the bare physics "
        f"in it, in the same seconds; here and now {factor:.1f} times real time, {1e5 * whole / _COUNT:.1f} µs each and step",
        None,
        whole / bare,
        "×",
        whole / bare <= 1.3,
    )


CHECKS = (standing, slip, real_time)


def picture(folder: Path) -> Path:
    """The sixteen after their minute."""
    players, _ = _minute()
    camera = Camera(target=np.array([4.0, 0.0, 0.9]), azimuth=0.0, elevation=-0.2, distance=17.0)
    driven = [int(body) for body in players.gesture.bodies]
    pixels = paint_crowd(players.plan, players.placed(), driven, camera)
    return save_image(Image.fromarray(pixels), folder, "vanwelbergen2009_orchestra")
