"""Fig. 15: through grass, past a bush, to a wooden door, with tension adapted to each and without."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.reproductions.alvarado2022.picture import save_runs
from poise.reproductions.alvarado2022.played import Played, play
from poise.reproductions.pictures import figure, save_figure
from poise.reproductions.row import Row
from poise.runtime.anticipation import AnticipationOptions
from poise.scenes.upper_body_figures import gate

__all__ = ["CHECKS", "picture", "tensions"]

Array = NDArray[np.float64]

_STAGES = ("grass", "bush", "door")
_ARM = ("left_upper_arm", "left_forearm", "left_hand", "right_upper_arm", "right_forearm", "right_hand")


@cache
def way(adapt: bool) -> Played:
    """The walk with tension adapted or constant."""
    return play(gate(AnticipationOptions(adapt=adapt)))


def shoulder_stiffness(played: Played) -> Array:
    """Stiffness of the left and the right shoulder in each tick [N m/rad], shape (N, 2)."""
    first = played.session.actors[0].layout.muscles.start
    bodies = [played.bodies(f"{side}_upper_arm")[0] for side in ("left", "right")]
    return np.asarray(played.recording.stiffness[:, [first + body - 1 for body in bodies]])


def stiffness_at(played: Played, prop: str) -> float:
    """Median stiffness of the shoulders while their arms touch such a prop [N m/rad]."""
    stiffness, found = shoulder_stiffness(played), [np.zeros(0)]
    for column, side in enumerate(("left", "right")):
        rows = played.contacts(*(role for role in _ARM if role.startswith(side)), prop=prop)
        found.append(stiffness[np.unique(played.recording.contacts.tick[rows]), column])
    every = np.concatenate(found)
    return float(np.median(every)) if len(every) else 0.0


def off_constant() -> Row:
    """Spread of the shoulders' stiffness along the way without adaptation."""
    stiffness = [stiffness_at(way(False), prop) for prop in _STAGES]
    spread = float(np.ptp(stiffness) / max(stiffness))
    return Row(
        "alvarado2022/fig15-off",
        "Without adaptation the tension is the same along the whole way (Fig. 15, top); relative "
        "spread of the shoulders' median stiffness over the three",
        0.0,
        spread,
        "",
        spread < 0.05,
    )


def on_ordered() -> Row:
    """Stiffness at the door over that in the grass, and whether the bush lies between."""
    grass, bush, door = (stiffness_at(way(True), prop) for prop in _STAGES)
    return Row(
        "alvarado2022/fig15-on",
        "With adaptation the shoulders are the stiffer the heavier what they meet (Fig. 15, bottom): grass (0.06 kg), bush "
        "(0.2 kg), door (10 kg); stiffness at the door over that in the grass, above 2 and ordered",
        None,
        door / max(grass, 1e-9),
        "×",
        0.0 < grass <= bush < door and door > 2.0 * grass,
    )


def door_bends_less() -> Row:
    """Largest bend of the arms at the door, with adaptation over without."""
    ratio = _bend(way(True), "door") / _bend(way(False), "door")
    return Row(
        "alvarado2022/fig15-door",
        "Heavy things do not overpower the adapted arm (Fig. 15): largest bend of shoulder and elbow at the door, adapted over "
        "constant tension, below 1",
        None,
        ratio,
        "×",
        ratio < 1.0,
    )


def grass_pushed_less() -> Row:
    """Mean force of the arms on the grass, with adaptation over without."""
    ratio = _force(way(True), "grass") / _force(way(False), "grass")
    return Row(
        "alvarado2022/fig15-grass",
        "Light things are not met over-stiffly (Fig. 15): mean of the largest force on each stem of grass, adapted over "
        "constant tension, below 1",
        None,
        ratio,
        "×",
        ratio < 1.0,
    )


def _bend(played: Played, prop: str) -> float:
    """Largest bend of an arm while it touches such a prop [degrees]."""
    bends = []
    for side in ("left", "right"):
        rows = played.contacts(*(role for role in _ARM if role.startswith(side)), prop=prop)
        states = np.unique(played.recording.contacts.tick[rows]) + 1
        bend = played.bend(f"{side}_upper_arm") + played.bend(f"{side}_forearm")
        bends.append(float(bend[states].max(initial=0.0)))
    return max(bends)


def _force(played: Played, prop: str) -> float:
    """Mean over such props of the largest force of an arm on them [N]."""
    names = [p.name for p in played.session.setting.props if p.name.startswith(prop)]
    return float(np.mean([played.peak(*_ARM, prop=f"{name}/") for name in names]))


CHECKS = (off_constant, on_ordered, door_bends_less, grass_pushed_less)


def picture(folder: Path) -> Path:
    """Both walks."""
    runs = [("Constant tension", way(False)), ("Tension adapted to the mass", way(True))]
    return save_runs(folder, "route", "Grass, bush and door, tension adapted and not (Fig. 15)", runs, moments=8)


def tensions(folder: Path) -> Path:
    """Stiffness of the shoulders along the way."""
    sheet, axes = figure("Stiffness along the way (Alvarado 2022, Fig. 15)", 2, 1, size=(8.0, 4.5))
    for axis, side, column in zip(axes.flat, ("left", "right"), (0, 1), strict=True):
        for adapt, label in ((False, "constant"), (True, "adapted")):
            played = way(adapt)
            axis.plot(played.recording.times[1:], shoulder_stiffness(played)[:, column], label=label)
        axis.set(ylabel=f"{side} shoulder [N m/rad]")
        _mark(axis)
    axes[0, 0].legend(fontsize=8)
    axes[-1, 0].set(xlabel="time [s]")
    return save_figure(sheet, folder, "alvarado2022_tensions")


def _mark(axis: object) -> None:
    """Shade when arms touch what."""
    played = way(True)
    for prop, colour in zip(_STAGES, ("tab:green", "tab:olive", "tab:brown"), strict=True):
        ticks = played.recording.contacts.tick[played.contacts(*_ARM, prop=prop)]
        if len(ticks):
            times = played.recording.times[[ticks.min(), ticks.max() + 1]]
            axis.axvspan(*times, color=colour, alpha=0.15)  # type: ignore[attr-defined]
