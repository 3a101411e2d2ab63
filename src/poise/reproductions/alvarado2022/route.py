"""Fig. 15: through grass, past a bush, to a wooden door, with tension adapted to each and without."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.anticipation.coming import Coming
from poise.behaviors.anticipation import AnticipationOptions
from poise.reproductions.alvarado2022.picture import save_runs
from poise.reproductions.alvarado2022.played import Played, play
from poise.reproductions.check import Trial, claim
from poise.reproductions.once import once
from poise.reproductions.pictures import figure, save_figure
from poise.reproductions.row import Row
from poise.runtime import Character
from poise.scenes.upper_body_figures import gate

__all__ = ["CHECKS", "picture", "tensions"]

Array = NDArray[np.float64]

_COUNT = 100
_STAGES = ("grass", "bush", "door")
_MOVED = ("bush", "door")
_SPEED, _ALONG, _ASIDE = (0.85, 1.15), 0.3, 0.1
"""How fast walks are, as a share of the clip's, and how far from the scene's places bush and door stand at most [m]."""
_ARM = ("left_upper_arm", "left_forearm", "left_hand", "right_upper_arm", "right_forearm", "right_hand")


def _options(adapt: bool) -> AnticipationOptions:
    """Those of the paper, whose hands go out to grass too."""
    return AnticipationOptions(adapt=adapt, coming=Coming(light=0.0))


@once
def way(adapt: bool) -> Played:
    """The scene's own walk with tension adapted or constant."""
    return play(gate(_options(adapt)))


class Walk(NamedTuple):
    """What came of a walk.

    Args:
        stiffness: Of the shoulders at grass, bush and door [N m/rad], shape (3,).
        bend: Largest bend of an arm at the door [degrees].
        impulse: Of the arms on the bush [N s].
    """

    stiffness: tuple[float, float, float]
    bend: float
    impulse: float


@once
def walk(seed: int, adapt: bool) -> Walk:
    """A walk at a seeded speed; bush and door stand elsewhere by seed."""
    rng = np.random.default_rng(seed)
    scene = gate(_options(adapt))
    (who,) = scene.characters.values()
    pace = float(rng.uniform(*_SPEED))
    clip = replace(who.clip, rate=round(who.clip.rate * pace))
    props = [prop if prop.name not in _MOVED else _elsewhere(prop, rng) for prop in scene.setting.props]
    setting = replace(scene.setting, props=tuple(props))
    played = play(replace(scene, characters={"walker": Character.from_clip(clip)}, setting=setting))
    grass, bush, door = (stiffness_at(played, prop) for prop in _STAGES)
    return Walk((grass, bush, door), _bend(played, "door"), played.impulse(*_ARM, prop="bush/"))


def _elsewhere(prop: Any, rng: np.random.Generator) -> Any:
    along, aside = rng.uniform(-_ALONG, _ALONG), rng.uniform(-_ASIDE, _ASIDE)
    x, y, z = prop.position
    return replace(prop, position=(x + float(along), y + float(aside), z))


def shoulder_stiffness(played: Played) -> Array:
    """Stiffness of the left and the right shoulder in each tick [N m/rad], shape (N, 2)."""
    first = played.session.layouts[0].muscles.start
    bodies = [played.bodies(f"{side}_upper_arm")[0] for side in ("left", "right")]
    return np.asarray(played.recording.stiffness[:, [first + body - 1 for body in bodies]])


def about(played: Played, side: str) -> list[str]:
    """What a hand is about in each tick, an empty string for nothing; from what was told."""
    result = [""] * len(played.recording)
    for event in played.recording.events:
        who, _, what = event.subject.partition(" ")
        if who.endswith(f"{side}_hand") and event.kind in ("reach", "release"):
            begin = round(event.time / played.recording.tick)
            result[begin:] = [what] * (len(result) - begin)
    return result


def stiffness_at(played: Played, prop: str) -> float:
    """Median stiffness of the shoulders while their arms touch such a prop that their hand is about [N m/rad]."""
    stiffness, found = shoulder_stiffness(played), [np.zeros(0)]
    for column, side in enumerate(("left", "right")):
        rows = played.contacts(*(role for role in _ARM if role.startswith(side)), prop=prop)
        ticks, what = np.unique(played.recording.contacts.tick[rows]), about(played, side)
        found.append(stiffness[[tick for tick in ticks if what[tick].startswith(prop)], column])
    every = np.concatenate(found)
    return float(np.median(every)) if len(every) else 0.0


@claim("tension adapted to the expected mass", off="AnticipationOptions(adapt=False)", cases=_COUNT)
def on_ordered(trial: Trial) -> Row:
    """Share of walks in which shoulders are the stiffer the heavier the thing."""
    walks = [walk(seed, trial.on).stiffness for seed in trial.seeds(_COUNT)]
    share = 100.0 * float(np.mean([0.0 < grass <= bush < door and door > 2.0 * grass for grass, bush, door in walks]))
    return Row(
        "alvarado2022/fig15-on",
        "With adaptation the shoulders are the stiffer the heavier what they meet (Fig. 15, bottom): grass (0.06 kg), bush "
        "(0.2 kg), door (10 kg), and at the door more than twice as stiff as in the grass; walks of which that is true, at "
        "least 90 %",
        None,
        share,
        "%",
        share >= 90.0,
    )


@claim("tension adapted to the expected mass", off="AnticipationOptions(adapt=False)", cases=_COUNT)
def door_bends_less(trial: Trial) -> Row:
    """Largest bend of the arms at the door, with adaptation over without."""
    ratio = _ratio(trial, "bend")
    return Row(
        "alvarado2022/fig15-door",
        "Heavy things do not overpower the adapted arm (Fig. 15): largest bend of shoulder and elbow at the door, adapted over "
        "constant tension, below 1 in nine of ten walks",
        None,
        ratio,
        "×",
        ratio < 1.0,
    )


@claim("tension adapted to the expected mass", off="AnticipationOptions(adapt=False)", cases=_COUNT)
def light_pushed_less(trial: Trial) -> Row:
    """Impulse of the arms on the bush, with adaptation over without."""
    ratio = _ratio(trial, "impulse")
    return Row(
        "alvarado2022/fig15-light",
        "Light things are not met over-stiffly (Fig. 15): impulse of the arms on the bush (0.2 kg, held by its roots), adapted "
        "over constant tension, below 1 in nine of ten walks; a stem of grass yields before any arm does",
        None,
        ratio,
        "×",
        ratio < 1.0,
    )


def _ratio(trial: Trial, number: str) -> float:
    """A number with adaptation over without, of nine of ten walks in which arms met the thing either way."""
    pairs = [[getattr(walk(seed, adapt), number) for adapt in (trial.on, False)] for seed in trial.seeds(_COUNT)]
    return float(np.percentile([one / other for one, other in pairs if one > 0.0 and other > 0.0], 90.0))


def _bend(played: Played, prop: str) -> float:
    """Largest bend of an arm while it touches such a prop [degrees]."""
    bends = []
    for side in ("left", "right"):
        rows = played.contacts(*(role for role in _ARM if role.startswith(side)), prop=prop)
        states = np.unique(played.recording.contacts.tick[rows]) + 1
        bend = played.bend(f"{side}_upper_arm") + played.bend(f"{side}_forearm")
        bends.append(float(bend[states].max(initial=0.0)))
    return max(bends)


CHECKS = (on_ordered, door_bends_less, light_pushed_less)


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
    for prop, color in zip(_STAGES, ("tab:green", "tab:olive", "tab:brown"), strict=True):
        ticks = played.recording.contacts.tick[played.contacts(*_ARM, prop=prop)]
        if len(ticks):
            times = played.recording.times[[ticks.min(), ticks.max() + 1]]
            axis.axvspan(*times, color=color, alpha=0.15)  # type: ignore[attr-defined]
