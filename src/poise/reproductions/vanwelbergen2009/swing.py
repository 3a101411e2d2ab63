"""The swing of Isaacs and Cohen 1987: "a physical swing is put into motion with a kinematically moving body" (Sec. 3.5)."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.pumping import Pump
from poise.reproductions.check import Trial, claim, invariant
from poise.reproductions.pictures import figure, save_figure
from poise.reproductions.row import Row
from poise.scenes.playground import swing

__all__ = ["CHECKS", "picture"]

Array = NDArray[np.float64]

_SECONDS = 16.0
_PERIOD = 3.0
"""Time in which a swing of this length surely passes both ends [s]."""


@cache
def angles(effort: float) -> tuple[Array, Array]:
    """Times [s] (T,) and angles of the swing [rad] (T,) with a share of the pumping."""
    session = swing(effort, _SECONDS).session()
    (pump,) = (each for each in session.behaviors if isinstance(each, Pump))
    way = []
    for _ in range(session.tick_count):
        session.tick()
        way.append(pump.angle)
    return session.clock.tick * np.arange(1.0, len(way) + 1), np.array(way)


def _growth(effort: float) -> float:
    """Amplitude over the last period as a multiple of that over the first."""
    times, way = angles(effort)
    return float(np.abs(way[times > _SECONDS - _PERIOD]).max() / np.abs(way[times < _PERIOD]).max())


@claim("pumping", off="swing(effort=0)")
def pumped(trial: Trial) -> Row:
    """Growth of the amplitude when pumped."""
    growth = _growth(float(trial.on))
    return Row(
        "vanwelbergen2009/swing-pumped",
        "A body that is all animation puts a physical swing into motion (Sec. 3.5): leaning with it makes the amplitude grow",
        None,
        growth,
        "1",
        growth > 1.5,
    )


@invariant("energy of who sits still", broken="the swing is pumped")
def unpumped(trial: Trial) -> Row:
    """Growth of the amplitude when sitting still."""
    growth = _growth(float(trial.off))
    return Row(
        "vanwelbergen2009/swing-still",
        "Without pumping the amplitude does not grow",
        None,
        growth,
        "1",
        growth < 1.01,
    )


def picture(folder: Path) -> Path:
    """The swing's angle over time, pumped and not."""
    sheet, ((axes,),) = figure("A swing, pumped and not", 1, 1)
    for label, effort in (("pumped", 1.0), ("sitting still", 0.0)):
        times, way = angles(effort)
        axes.plot(times, np.degrees(way), label=label)
    axes.set_xlabel("time [s]")
    axes.set_ylabel("angle of the swing [°]")
    axes.legend()
    return save_figure(sheet, folder, "vanwelbergen2009_swing")


CHECKS = (pumped, unpumped)
