"""The performance test (Sec. 3.6): many conductors at 200 Hz, each with its own motion and balance."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from time import perf_counter

import numpy as np
from PIL import Image

from poise.reproductions.pictures import save_image
from poise.reproductions.row import Row
from poise.runtime.crowd import STEP, Crowd
from poise.scenes.orchestra import Orchestra, Performance, orchestra
from poise.world.crowd_picture import paint_crowd
from poise.world.render import Camera

__all__ = ["CHECKS", "picture"]

_COUNT = 300


@cache
def _minute() -> tuple[Orchestra, Performance]:
    """Sixteen conductors, a minute."""
    players = orchestra(16, seed=1)
    return players, players.play(60.0)


def standing() -> Row:
    """How many of sixteen are on their feet after a minute."""
    _, performance = _minute()
    return Row(
        "vanwelbergen2009/standing",
        "Everybody keeps their balance by the paper's law (Sec. 3.4) while conducting for a minute: how many of 16 stand",
        None,
        float(performance.standing),
        "",
        performance.standing == 16,
    )


def slip() -> Row:
    """Farthest a foot slid in a minute."""
    _, performance = _minute()
    centimetres = 100.0 * performance.slip * 60.0 / 59.0
    return Row(
        "vanwelbergen2009/foot-slip",
        "Feet on friction alone move slightly over time (Sec. 3.3): farthest of 32 feet in a minute, below 3 cm",
        None,
        centimetres,
        "cm/min",
        centimetres < 3.0,
    )


def identity() -> Row:
    """Largest difference between a conductor alone and in a crowd of a hundred after three seconds."""
    many = orchestra(100).crowd
    alone = Crowd(many.plan, many.gesture, many.members[41:42])
    many.run(3.0)
    alone.run(3.0)
    away = float(np.abs(many.world.positions[41] - alone.world.positions[0]).max())
    return Row(
        "vanwelbergen2009/crowd-identity",
        "Fidelity does not drop with the crowd: one conductor alone and among 100 goes through the same numbers",
        None,
        away,
        "",
        away == 0.0,
    )


def real_time() -> Row:
    """Real-time factor of 300 conductors; the best of several windows, for the machine may do other things."""
    crowd = orchestra(_COUNT).crowd
    crowd.run(0.5)
    windows = []
    for _ in range(12):
        begin = perf_counter()
        crowd.run(0.1)
        windows.append(perf_counter() - begin)
    factor = 0.1 / min(windows)
    return Row(
        "vanwelbergen2009/real-time",
        "30 conductors in real time on four cores at 200 Hz (Sec. 3.6); here 300 on all cores, "
        f"{1e6 * STEP / factor / _COUNT:.1f} µs each and step: real-time factor at least 1.3",
        "30 at 1",
        factor,
        "×",
        factor >= 1.3,
    )


CHECKS = (standing, slip, identity, real_time)


def picture(folder: Path) -> Path:
    """The sixteen after their minute."""
    players, _ = _minute()
    camera = Camera(target=np.array([4.0, 0.0, 0.9]), azimuth=0.0, elevation=-0.2, distance=17.0)
    driven = [int(body) for body in players.crowd.gesture.bodies]
    pixels = paint_crowd(players.crowd.plan, players.placed(), driven, camera)
    return save_image(Image.fromarray(pixels), folder, "vanwelbergen2009_orchestra")
