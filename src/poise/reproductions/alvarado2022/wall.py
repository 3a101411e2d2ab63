"""Fig. 10: along a wall the hand slides, or holds on and moves from hold to hold."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.assets import clip_path
from poise.behaviors.anticipation import AnticipationOptions
from poise.body.capsules import body_capsules
from poise.io import read_clip
from poise.motion.edit import loop
from poise.reproductions.alvarado2022.picture import save_runs
from poise.reproductions.alvarado2022.played import Played, play
from poise.reproductions.check import Trial, claim
from poise.reproductions.once import once
from poise.reproductions.row import Row
from poise.runtime import Character, Event
from poise.scenes import Scene
from poise.scenes.upper_body_figures import anticipating, wall
from poise.world import SceneSpec, Wall

__all__ = ["CHECKS", "picture"]

Array = NDArray[np.float64]

_INNER = 2.3
"""Within this of the wall's middle the walker is well beside it [m]."""
_ON = 0.005
"""A hand this near to the wall is on it [m]."""
_SETTLE, _STILL = 0.1, 0.05
"""Time a hand has to come to rest [s], and below which speed it is meant to stay [m/s]."""


_COUNT = 100
_CYCLES = 4
_SPEEDS, _PLACES = (0.8, 1.2), (0.55, 0.68)
"""Of the walk, as a share of the clip's, and of the wall's middle to the left of the way [m]; the scene has 1 and 0.6 m."""
_MOST, _FEW = 90.0, 10.0
"""Percentiles over walks: nine of ten shall keep to what is claimed."""


@once
def along(contact: Literal["slide", "stick"]) -> Played:
    """The scene's own walk along the wall."""
    return play(wall(contact))


class Facts(NamedTuple):
    """Of a walk.

    Args:
        speeds: Along the wall while the hand touches it [m/s].
        share: Of the time well beside the wall in which it does [%].
        gap: 95th percentile from first to last touch [mm].
        moved: Way within each hold [mm].
        used: Share of the reach used at each hop.
        heights: Of hops [mm].
    """

    speeds: Array
    share: float
    gap: float
    moved: tuple[float, ...]
    used: tuple[float, ...]
    heights: tuple[float, ...]


@once
def facts(
    contact: Literal["slide", "stick"], seed: int, hop: float = AnticipationOptions.hop, seen: bool = True
) -> Facts:
    """What is measured of a seeded walk; the run itself is not kept."""
    played = walked(contact, seed, hop, seen)
    on, inside, away, place = touching(played), phase(played), gaps(played), held_points(played)
    hops = [played.at(event.time) for event in _hops(played)]
    return Facts(
        speeds(played)[on],
        100.0 * float(on[_beside(played)[1:]].mean()),
        1e3 * float(np.percentile(away[1:][inside], 95.0)) if inside.any() else 1e3,
        tuple(1e3 * float(np.linalg.norm(np.ptp(place[hold], axis=0))) for hold in holds(played)),
        _used(played),
        tuple(1e3 * float(away[b:e].max()) for b, e in zip(hops, [*hops[1:], len(away)], strict=False) if e > b),
    )


def _used(played: Played) -> tuple[float, ...]:
    """How far the arm was stretched, or behind, whenever the hand let go, as a share of what it can."""
    shoulder, hand = played.bodies("left_upper_arm")[0], played.bodies("left_hand")[0]
    length = float(np.linalg.norm(played.plan.offsets[[played.bodies("left_forearm")[0], hand]], axis=1).sum())
    used = []
    for event in _hops(played):
        away = played.meant.positions[played.at(event.time)]
        away = away[hand] - away[shoulder]
        far = float(np.linalg.norm(away))
        # As far as an arm goes, or as far back: a third of the way behind the shoulder.
        used.append(max(far / length, -3.0 * float(away[0]) / far))
    return tuple(used)


def walked(
    contact: Literal["slide", "stick"], seed: int, hop: float = AnticipationOptions.hop, seen: bool = True
) -> Played:
    """A walk at a seeded speed along a wall at a seeded distance; `seen` is whether anybody anticipates."""
    rng = np.random.default_rng(seed)
    clip = loop(read_clip(clip_path("walk")), _CYCLES)
    who = Character.from_clip(replace(clip, rate=round(clip.rate * rng.uniform(*_SPEEDS))))
    side = Wall(name="wall", position=(3.6, float(rng.uniform(*_PLACES)), who.floor + 1.1), size=(3.0, 0.1, 1.1))
    scene = Scene("wall", {"walker": who}, SceneSpec(props=(side,), floor=who.floor))
    return play(anticipating(scene, AnticipationOptions(contact=contact, hop=hop)) if seen else scene)


def gaps(played: Played) -> Array:
    """How far the left hand's surface is from the wall's face at each state [m], negative where it sinks in, shape (N+1,)."""
    capsules = body_capsules(played.plan, played.actual)
    mine = capsules.bodies == played.bodies("left_hand")[0]
    nearest = np.maximum(capsules.starts[:, mine, 1], capsules.ends[:, mine, 1]) + capsules.radii[mine]
    return np.asarray(face(played) - nearest.max(axis=1))


def face(played: Played) -> float:
    """Where the wall's face is along y [m]."""
    (prop,) = played.session.setting.props
    assert isinstance(prop, Wall)
    return prop.position[1] - prop.size[1]


def touching(played: Played) -> NDArray[np.bool_]:
    """Whether the left hand is on the wall, within 5 mm, at each state but the first, shape (N,)."""
    return np.asarray(np.abs(gaps(played)[1:]) < _ON)


def speeds(played: Played) -> Array:
    """Speed of the left palm along the wall [m/s], shape (N,)."""
    return np.asarray(np.abs(np.diff(played.palm("left")[:, 0])) / played.recording.tick)


def phase(played: Played) -> NDArray[np.bool_]:
    """Ticks from the first touch of wall and left hand to the last, shape (N,)."""
    touched = np.flatnonzero(touching(played))
    result = np.zeros(len(played.recording), dtype=bool)
    if len(touched):
        result[touched[0] : touched[-1] + 1] = True
    return result


@claim("a hand that slides", off='AnticipationOptions(contact="stick")', cases=_COUNT)
def slides(trial: Trial) -> Row:
    """How fast the sliding hand goes along the wall, most of the time."""
    found = [facts("slide" if trial.on else "stick", seed).speeds for seed in trial.seeds(_COUNT)]
    value = float(np.percentile(np.concatenate(found), 5.0)) if any(map(len, found)) else 0.0
    return Row(
        "alvarado2022/fig10-slide",
        "The hand slides along a slippery wall (Fig. 10, left): its speed along the wall while it touches, in 95 of 100 ticks "
        "of all walks above 0.1 m/s; walking speed 0.8 to 1.2 m/s",
        None,
        value,
        "m/s",
        value > 0.1,
    )


@claim("hands that answer what is seen", off="no anticipation", cases=_COUNT)
def slide_lasts(trial: Trial) -> Row:
    """For how much of the walk along the wall the hand is on it, in nine of ten walks."""
    shares = [facts("slide", seed, seen=trial.on).share for seed in trial.seeds(_COUNT)]
    share = float(np.percentile(shares, _FEW))
    return Row(
        "alvarado2022/fig10-slide-lasts",
        "The contact is continuous (Fig. 10, left): the hand touches the wall in 80 % of the ticks while the walker is well "
        "beside it, in nine of ten walks",
        None,
        share,
        "%",
        share >= 80.0,
    )


@claim("hands that answer what is seen", off="no anticipation", cases=_COUNT)
def slide_gap(trial: Trial) -> Row:
    """How far the sliding hand is from the wall, in nine of ten walks."""
    found = [facts("slide", seed, seen=trial.on).gap for seed in trial.seeds(_COUNT)]
    gap = float(np.percentile(found, _MOST))
    return Row(
        "alvarado2022/fig10-slide-gap",
        "No gap can be seen between hand and wall (Sec. 6.3): from first to last touch, in 95 of 100 ticks and nine of ten "
        "walks below 1 cm",
        None,
        gap,
        "mm",
        gap < 10.0,
    )


def holds(played: Played) -> list[slice]:
    """States over which the left hand holds on well beside the wall: it touches and is meant to stay, once it has settled."""
    hops = [played.at(event.time) for event in _hops(played) if _beside(played)[played.at(event.time)]]
    settle, found = round(_SETTLE / played.recording.tick), []
    meant = np.linalg.norm(np.diff(held_points(played, meant=True), axis=0), axis=1) / played.recording.tick
    holds_on = touching(played) & (meant < _STILL)
    for begin, end in pairwise(hops):
        ticks = begin + np.flatnonzero(holds_on[begin:end])
        runs = np.split(ticks, np.flatnonzero(np.diff(ticks) > 1) + 1)
        last = max(runs, key=len)
        if len(last) > 2 * settle:
            found.append(slice(int(last[settle]) + 1, int(last[-1]) + 2))
    return found


def held_points(played: Played, *, meant: bool = False) -> Array:
    """The point of the wall the left hand is, or is meant to be, nearest to: along and up at each state [m], shape (N+1, 2).

    A hand that rolls onto its fingertips stays where it is put.
    """
    capsules = body_capsules(played.plan, played.meant if meant else played.actual)
    (mine,) = np.flatnonzero(capsules.bodies == played.bodies("left_hand")[0])
    start, end = capsules.starts[:, mine], capsules.ends[:, mine]
    nearest = np.where(start[:, 1:2] > end[:, 1:2], start, end)
    return np.asarray(nearest[:, [0, 2]])


def _beside(played: Played) -> NDArray[np.bool_]:
    """Whether the walker is well beside the wall at each state, shape (N+1,)."""
    (prop,) = played.session.setting.props
    return np.asarray(np.abs(played.actual.positions[:, 0, 0] - prop.position[0]) < _INNER)


def _hops(played: Played) -> list[Event]:
    return [event for event in played.recording.events if event.kind == "replant" and "left" in event.subject]


@claim("a hand that stays where it is put", off='AnticipationOptions(contact="slide")', cases=_COUNT)
def stick_holds(trial: Trial) -> Row:
    """How far the sticking hand moves between two hops, in nine of ten holds."""
    every = [facts("stick" if trial.on else "slide", seed) for seed in trial.seeds(_COUNT)]
    moved = [way for each in every for way in each.moved]
    most = float(np.percentile(moved, _MOST)) if moved else np.inf
    return Row(
        "alvarado2022/fig10-stick",
        f"On an uneven wall the hand stays where it is put (Fig. 10, right): {len(moved)} holds, movement in the wall's frame "
        "in nine of ten below 1 cm",
        None,
        most,
        "mm",
        most < 10.0,
    )


@claim("a hand that stays where it is put", off='AnticipationOptions(contact="slide")', cases=_COUNT)
def replants_when_needed(trial: Trial) -> Row:
    """How far the arm was stretched, or behind, when the hand let go."""
    every = [facts("stick" if trial.on else "slide", seed) for seed in trial.seeds(_COUNT)]
    used = [share for each in every for share in each.used]
    least = float(np.percentile(used, _FEW)) if used else 0.0
    return Row(
        "alvarado2022/fig10-replant",
        f"The hand moves on only when the arm can no longer reach (Sec. 5.3): {len(used)} hops, share of its reach forwards or "
        "backwards that the arm had used, in nine of ten above 0.8 (at less the elbow is bent by over 75° and could yet open)",
        None,
        least,
        "",
        least > 0.8,
    )


@claim("the hop along the normal", off="AnticipationOptions(hop=0.0)", cases=_COUNT)
def hop_height(trial: Trial) -> Row:
    """How far the hand leaves the wall while it hops, in nine of ten hops."""
    hop = AnticipationOptions.hop if trial.on else 0.0
    heights = [height for seed in trial.seeds(_COUNT) for height in facts("stick", seed, hop).heights]
    least = float(np.percentile(heights, _FEW)) if heights else 0.0
    return Row(
        "alvarado2022/fig10-hop",
        "Between two holds the hand leaves the wall along the normal (Sec. 5.3, cubic Hermite): height of a hop, in nine of "
        "ten above 3 cm (12 mm without it: a hand comes to the wall from off it)",
        None,
        least,
        "mm",
        least > 30.0,
    )


CHECKS = (slides, slide_lasts, slide_gap, stick_holds, replants_when_needed, hop_height)


def picture(folder: Path) -> Path:
    """Both walks along the wall."""
    return save_runs(
        folder,
        "wall",
        "Along a wall (Alvarado 2022, Fig. 10)",
        [("The hand slides", along("slide")), ("The hand holds on", along("stick"))],
    )
