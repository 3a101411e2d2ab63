"""Balls hit someone who stands (Fig. 24), and someone who walks over steps of random height (Fig. 25).

The paper gives neither units nor numbers; claims are directions: a larger ball moves more, a hand more than a foot and that
more than the trunk, everything returns, and the walk goes on.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.reproductions.check import Trial, claim, invariant, open_row
from poise.reproductions.hu2024.album import Moments, write_album
from poise.reproductions.hu2024.played import Played, play
from poise.reproductions.hu2024.subject import PEOPLE, body_of, people
from poise.reproductions.motion.clips import Source, data_folder, drawn
from poise.reproductions.once import once
from poise.reproductions.row import Row
from poise.scenes.bounded import HIT, LARGE, SMALL, Shot, Struck, climb, hits
from poise.scenes.bounded.loose import Limp
from poise.world.render import Camera
from poise.world.terrain import Steps

__all__ = ["CHECKS", "picture"]

Array = NDArray[np.float64]

_STRUCK: dict[Struck, str] = {"hand": "left_hand", "foot": "left_foot", "trunk": "left_upper_arm"}
"""What is hit, and the joint whose way is measured."""
_ALL = ("left_thigh", "right_thigh", "spine")
_MASSES = (1.0, 2.0, 4.0, 8.0)
_DRAWN = ((SMALL.radius, LARGE.radius), (SMALL.mass, 2.0 * LARGE.mass), (SMALL.speed, LARGE.speed))
"""Between what radii [m], masses [kg] and speeds [m/s] balls are drawn."""


@once
def hit(struck: Struck, shot: Shot, held: bool = True, source: Source | None = None) -> Played:
    """One ball, at someone whose muscles hold a pose or who is limp; at the shipped walk's person for None."""
    scene = hits(struck, shot=shot, plan=body_of(source))
    return play(scene if held else replace(scene, behaviors={"walker": [lambda: Limp(_ALL)]}))


@once
def walked(ball: bool) -> Played:
    """The walk over the steps."""
    return play(climb(ball=ball))


def _moved(struck: Struck, shot: Shot) -> float:
    """How far what is hit is moved at most [m]."""
    return float(hit(struck, shot).away(_STRUCK[struck]).max())


@invariant("momentum", broken="the large ball is no larger than the small one", cases=len(_STRUCK))
def larger_moves_more(trial: Trial) -> Row:
    """Way after the large ball over that after the small one."""
    large = LARGE if trial.on else SMALL
    ratio = min(_moved(struck, large) / _moved(struck, SMALL) for struck in _STRUCK)
    return Row(
        "hu2024/balls-larger",
        "A large ball (size, weight and speed doubled) moves hand, foot and trunk more than a small one (Fig. 24): least ratio",
        None,
        ratio,
        "×",
        ratio > 1.0,
    )


@invariant("mass of what is hit", broken="hand and trunk change places", cases=len(_STRUCK))
def hand_moves_most(trial: Trial) -> Row:
    """The hand's way over the foot's, and the foot's over the trunk's."""
    ways = [_moved(struck, LARGE) for struck in _STRUCK][:: 1 if trial.on else -1]
    ratio = min(ways[0] / ways[1], ways[1] / ways[2])
    return Row(
        "hu2024/balls-order",
        "The upper limb reacts more strongly than the heavier leg, and that more than the trunk (Fig. 24): the lesser of hand "
        "over foot and foot over shoulders",
        None,
        ratio,
        "×",
        ratio > 1.0,
    )


@invariant("momentum", broken="every ball weighs 4 kg", cases=len(_STRUCK) * len(_MASSES))
def heavier_moves_more(trial: Trial) -> Row:
    """Least growth of the way when the ball's mass is doubled."""
    masses = _MASSES if trial.on else (4.0,) * len(_MASSES)
    ways = [[_moved(struck, Shot(0.1, mass, 4.0)) for mass in masses] for struck in _STRUCK]
    growth = float(np.min(np.diff(np.log2(ways), axis=1)))
    return Row(
        "hu2024/balls-mass",
        "The heavier the ball the larger the response: from 1 to 8 kg at 4 m/s it grows with every doubling; least growth, in "
        "powers of two",
        None,
        growth,
        "",
        growth > 0.0,
    )


def _shots(trial: Trial) -> list[tuple[Struck, Shot, Source | None]]:
    """Other people, each hit once by a ball that is drawn; for a sample the shipped person by both balls everywhere."""
    if trial.quick or data_folder() is None:
        return [(struck, shot, None) for struck in _STRUCK for shot in (SMALL, LARGE)]
    shots = list[tuple[Struck, Shot, Source | None]]()
    for source, struck in zip(people(trial), cycle(_STRUCK), strict=False):
        rng = drawn(source)
        radius, mass, speed = (float(rng.uniform(small, large)) for small, large in _DRAWN)
        shots.append((struck, Shot(radius, mass, speed), source))
    return shots


@claim("muscles that hold a pose", off="Limp(spine and legs): a plain ragdoll", cases=PEOPLE)
def all_return(trial: Trial) -> Row:
    """How far what was hit is from its place two seconds later."""
    ends = [hit(struck, shot, trial.on, source).away(_STRUCK[struck])[-1] for struck, shot, source in _shots(trial)]
    off = 100.0 * float(max(ends))
    return Row(
        "hu2024/balls-return",
        "The body takes its posture again (Fig. 24): everybody's hand, foot or shoulders two seconds after a ball that is "
        "drawn within 5 mm",
        None,
        off,
        "cm",
        off < 0.5,
    )


def _pitch(played: Played) -> Array:
    """How far the trunk leans ahead [degrees], shape (N+1,)."""
    (steps,) = (piece for piece in played.session.setting.terrain if isinstance(piece, Steps))
    trunk = played.places("neck") - played.places("pelvis")
    ahead = trunk @ np.array([np.cos(steps.yaw), np.sin(steps.yaw), 0.0])
    return np.asarray(np.degrees(np.arctan2(ahead, trunk[:, 2])))


@invariant("momentum", broken="no ball is thrown", cases=1)
def leans_back(trial: Trial) -> Row:
    """How far the hit turns the trunk back."""
    struck, free = walked(trial.on), walked(False)
    after = slice(struck.at(HIT), struck.at(HIT + 0.6))
    back = float((_pitch(struck) - _pitch(free))[after].min())
    return Row(
        "hu2024/balls-steps-after",
        "After the impact the body leans backward (Fig. 25): lean against that of the same walk without the ball, "
        "least of 0.6 s",
        None,
        back,
        "°",
        back < -1.0,
    )


@open_row(
    "a bounded drive of the hips", aim="that it falls without the drive: the compliant root takes the drive's place"
)
def goes_on(trial: Trial) -> Row:
    """How far the pelvis is from where the walk has it, at the end."""
    played = walked(True)
    off = 100.0 * float(played.away("pelvis")[-1])
    return Row(
        "hu2024/balls-steps-goes-on",
        "The walker does not fall and continues moving forward (Fig. 25; steps of 0.05 to 0.2 m, the paper's go to 0.4): "
        "pelvis from where the walk has it at the end, below 5 cm",
        None,
        off,
        "cm",
        off < 5.0 and not played.diverged,
    )


CHECKS = (
    larger_moves_more,
    hand_moves_most,
    heavier_moves_more,
    all_return,
    leans_back,
    goes_on,
)


def picture(folder: Path) -> Path:
    """Both balls on hand, foot and trunk, and the walk over the steps."""
    near = Camera(target=np.array([0.1, 0.0, 0.0]), azimuth=np.radians(75.0), elevation=-0.08, distance=5.0)
    lines, times = [], [0.4, 0.5, 0.55, 0.6, 0.7, 0.9, 1.3, 2.5]
    for struck, joint in _STRUCK.items():
        for name, shot in (("small", SMALL), ("large", LARGE)):
            played = hit(struck, shot)
            away = 100.0 * played.away(joint)
            captions = [f"{time:.2f} s   {away[played.at(time)]:.1f} cm" for time in times]
            lines.append(Moments(f"{struck}, {name} ball", played, times, captions, near, ghost=True))
    played, steps = walked(True), [HIT - 0.6 + 0.15 * number for number in range(8)]
    lean = _pitch(played)
    captions = [f"{time:.2f} s   lean {lean[played.at(time)]:.0f}°" for time in steps]
    lines.append(Moments("over random steps, a ball of 10 kg at 4 m/s", played, steps, captions, near, ghost=True))
    return write_album(
        folder, "balls", "Balls hit someone who stands, and someone who walks (Hu 2024, Figs. 24, 25)", lines
    )
