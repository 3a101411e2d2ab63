"""The swing of Isaacs and Cohen 1987: "a physical swing is put into motion with a kinematically moving body" (Sec. 3.5)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.pumping import Pump
from poise.reproductions.check import Trial, claim, invariant
from poise.reproductions.motion.clips import Source
from poise.reproductions.once import once
from poise.reproductions.pictures import figure, save_figure
from poise.reproductions.row import Row
from poise.reproductions.vanwelbergen2009.standing import HELD_OUT_PEOPLE, people
from poise.scenes.playground import swing

__all__ = ["CHECKS", "picture"]

Array = NDArray[np.float64]

_SECONDS = 16.0
_PERIOD = 3.0
"""Time in which a swing of this length surely passes both ends [s]."""


@once
def angles(effort: float, source: Source | None = None) -> tuple[Array, Array]:
    """Times [s] (T,) and angles of the swing [rad] (T,) with a share of the pumping; of the shipped character for None."""
    session = swing(effort, _SECONDS, None if source is None else source.read()[0]).session()
    (pump,) = (each for each in session.behaviors if isinstance(each, Pump))
    way = []
    for _ in range(session.tick_count):
        session.tick()
        way.append(pump.angle)
    return session.clock.tick * np.arange(1.0, len(way) + 1), np.array(way)


def _growth(effort: float, source: Source) -> float:
    """Amplitude over the last period as a multiple of that over the first."""
    times, way = angles(effort, source)
    return float(np.abs(way[times > _SECONDS - _PERIOD]).max() / np.abs(way[times < _PERIOD]).max())


@claim("pumping", off="swing(effort=0)", cases=HELD_OUT_PEOPLE)
def pumped(trial: Trial) -> Row:
    """Growth of the amplitude when pumped, of nine of ten people."""
    growth = float(np.percentile([_growth(float(trial.on), source) for source in people(trial)], 10.0))
    return Row(
        "vanwelbergen2009/swing-pumped",
        "A body that is all animation puts a physical swing into motion (Sec. 3.5): leaning with it makes the amplitude "
        "grow by half, with nine of ten people on it (one of sixteen grinds along the ground: seated, its feet are not known)",
        None,
        growth,
        "1",
        growth > 1.5,
    )


@invariant("energy of who sits still", broken="the swing is pumped", cases=HELD_OUT_PEOPLE)
def unpumped(trial: Trial) -> Row:
    """Growth of the amplitude when sitting still, of whom it grows most."""
    growth = max(_growth(float(trial.off), source) for source in people(trial))
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
