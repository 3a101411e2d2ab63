"""Fig. 10: along a wall the hand slides, or holds on and moves from hold to hold."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from poise.body.capsules import body_capsules
from poise.reproductions.alvarado2022.picture import save_runs
from poise.reproductions.alvarado2022.played import Played, play
from poise.reproductions.row import Row
from poise.runtime import Event
from poise.scenes.upper_body_figures import wall
from poise.world import Wall

__all__ = ["CHECKS", "picture"]

Array = NDArray[np.float64]

_INNER = 2.3
"""Within this of the wall's middle the walker is well beside it [m]."""
_ON = 0.005
"""A hand this near to the wall is on it [m]."""
_SETTLE, _STILL = 0.1, 0.05
"""Time a hand has to come to rest [s], and below which speed it is meant to stay [m/s]."""


@cache
def along(contact: Literal["slide", "stick"]) -> Played:
    """A walk along the wall."""
    return play(wall(contact))


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


def slides() -> Row:
    """How fast the sliding hand goes along the wall, most of the time."""
    played = along("slide")
    slow = float(np.percentile(speeds(played)[touching(played)], 5.0)) if touching(played).any() else 0.0
    return Row(
        "alvarado2022/fig10-slide",
        "The hand slides along a slippery wall (Fig. 10, left): its speed along the wall while it touches, in 95 of 100 ticks "
        "above 0.1 m/s; walking speed 1 m/s",
        None,
        slow,
        "m/s",
        slow > 0.1,
    )


def slide_lasts() -> Row:
    """For how much of the walk along the wall the hand is on it."""
    played = along("slide")
    share = 100.0 * float(touching(played)[_beside(played)[1:]].mean())
    return Row(
        "alvarado2022/fig10-slide-lasts",
        "The contact is continuous (Fig. 10, left): the hand touches the wall in 80 % of the ticks while the walker is well "
        "beside it",
        None,
        share,
        "%",
        share >= 80.0,
    )


def slide_gap() -> Row:
    """How far the sliding hand is from the wall."""
    played = along("slide")
    inside = phase(played)
    gap = 1e3 * float(np.percentile(gaps(played)[1:][inside], 95.0)) if inside.any() else 1e3
    return Row(
        "alvarado2022/fig10-slide-gap",
        "No gap can be seen between hand and wall (Sec. 6.3): from first to last touch, in 95 of 100 ticks below 1 cm",
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


def stick_holds() -> Row:
    """How far the sticking hand moves between two hops."""
    played = along("stick")
    place = held_points(played)
    moved = [1e3 * float(np.linalg.norm(np.ptp(place[hold], axis=0))) for hold in holds(played)]
    worst = max(moved, default=np.inf)
    return Row(
        "alvarado2022/fig10-stick",
        f"On an uneven wall the hand stays where it is put (Fig. 10, right): {len(moved)} holds, largest movement in the "
        "wall's frame below 1 cm",
        None,
        worst,
        "mm",
        len(moved) >= 3 and worst < 10.0,
    )


def replants_when_needed() -> Row:
    """How far the arm was stretched, or behind, when the hand let go."""
    played = along("stick")
    shoulder, hand = played.bodies("left_upper_arm")[0], played.bodies("left_hand")[0]
    length = float(np.linalg.norm(played.plan.offsets[[played.bodies("left_forearm")[0], hand]], axis=1).sum())
    used = []
    for event in _hops(played):
        away = played.meant.positions[played.at(event.time)]
        away = away[hand] - away[shoulder]
        # As far as an arm goes, or as far back: a third of the way behind the shoulder.
        used.append(max(float(np.linalg.norm(away)) / length, -3.0 * float(away[0]) / float(np.linalg.norm(away))))
    least = min(used, default=0.0)
    return Row(
        "alvarado2022/fig10-replant",
        f"The hand moves on only when the arm can no longer reach (Sec. 5.3): {len(used)} hops, least share of its reach "
        "forwards or backwards that the arm had used, above 0.9",
        None,
        least,
        "",
        len(used) >= 3 and least > 0.9,
    )


def hop_height() -> Row:
    """How far the hand leaves the wall while it hops."""
    played = along("stick")
    heights, away = [], gaps(played)
    hops = [played.at(event.time) for event in _hops(played)]
    for begin, end in zip(hops, [*hops[1:], len(away)], strict=False):
        heights.append(1e3 * float(away[begin:end].max()))
    least = min(heights, default=0.0)
    return Row(
        "alvarado2022/fig10-hop",
        "Between two holds the hand leaves the wall along the normal (Sec. 5.3, cubic Hermite): least height of a hop above "
        "1 cm",
        None,
        least,
        "mm",
        least > 10.0,
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
