"""The trail: one walk through everything, with all methods at once."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from poise.assets import clip_path
from poise.behaviors.anticipation import Anticipation
from poise.behaviors.behavior import MakeBehavior
from poise.behaviors.push import Push
from poise.characters.character import Character, CharacterOptions
from poise.io import read_clip
from poise.motion.clip import Clip
from poise.motion.edit import loop
from poise.motion.skin import SkinnedMesh
from poise.scenes.catalog import make_asset
from poise.scenes.layout import Path, walked_path
from poise.scenes.roots import with_root
from poise.scenes.scene import Scene
from poise.scenes.terrain import noise_field, set_on_ground
from poise.scenes.thrown import thrown
from poise.world.props import Gate, Hanging, Prop, Wall
from poise.world.query import TerrainGround
from poise.world.scene import SceneSpec
from poise.world.terrain import Terrain

__all__ = ["trail", "trail_clip"]

Array = NDArray[np.float64]

_CYCLES = 22
_PLANTS = (
    ("sunflower_large", 1.6, 0.3),
    ("bush", 2.4, -0.5),
    ("sunflower_small", 3.3, -0.3),
    ("branch", 4.2, 1.3),
    ("fruit", 11.3, -0.2),
    ("banana_tree", 12.3, 0.42),
    ("sunflower_large", 13.2, -0.25),
    ("fence", 17.0, 0.45),
)
"""What stands beside the way: the asset, how far along it, and how far to its left [m]."""
_MEADOW, _GATE, _LOG, _WALL = 7.5, 15.0, 20.0, 24.0
"""Where along the way the rough ground has its middle, and where the gate, the log and the wall are [m]."""
_BALL, _SHOVE = 10.0, 18.3
"""Where the walker is when a ball gets there, and when somebody shoves [m]."""
_FLIGHT = 0.6
"""How long the ball flies [s]."""
_SHOVED, _SHOVES = 350.0, 0.12
"""How hard and for how long the shove is, in the back from the right [N, s]."""


def trail_clip() -> Clip:
    """The shipped walk, so often that it goes past everything."""
    return loop(read_clip(clip_path("walk")), _CYCLES)


def trail(
    clip: Clip | None = None, options: CharacterOptions | None = None, *, mesh: SkinnedMesh | None = None
) -> Scene:
    """A walk over rough ground, through plants, a thrown ball, a gate and a shove, past a log, to a wall to lean on.

    Args:
        clip: Who walks; the shipped walk without one.
        options: How it becomes a character.
        mesh: Its skin.
    """
    who = with_root(Character.from_clip(trail_clip() if clip is None else clip, options, mesh), "compliant")
    path, floor = walked_path(who), who.floor
    (x, y), _ = path.at(_MEADOW)
    terrain: tuple[Terrain, ...] = (
        noise_field("meadow", (float(x), float(y), floor), (5.0, 4.0), amplitude=0.07, seed=5),
    )
    ground = TerrainGround(terrain, floor)
    plants = [
        make_asset(
            asset, f"{asset}_{number + 1}", _beside(path, along, left), ground=floor, yaw=_yaw(path, along, asset)
        )
        for number, (asset, along, left) in enumerate(_PLANTS)
    ]
    props = [*set_on_ground(plants, ground, floor), *_things(path, floor, who)]
    behaviors: list[MakeBehavior] = [
        Anticipation,
        partial(Push, _shove(path), _when(path, who, _SHOVE), _SHOVES, "spine"),
    ]
    return Scene(
        "trail",
        {"walker": who},
        SceneSpec(props=tuple(props), floor=floor, terrain=terrain),
        behaviors={"walker": behaviors},
    )


def _beside(path: Path, along: float, left: float) -> tuple[float, float]:
    middle, ahead = path.at(along)
    x, y = middle + left * np.array([-ahead[1], ahead[0]])
    return float(x), float(y)


def _yaw(path: Path, along: float, asset: str) -> float:
    """Branches reach towards the way, fences stand along it [rad]."""
    _, ahead = path.at(along)
    heading = float(np.arctan2(ahead[1], ahead[0]))
    return heading - 0.5 * np.pi if asset == "branch" else heading


def _when(path: Path, who: Character, along: float) -> float:
    """When the clip is so far along its way [s]."""
    hips = who.clip.local_positions()[:, 0, :2]
    gone = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(hips, axis=0), axis=1)))
    return float(np.interp(along, gone, who.clip.times))


def _shove(path: Path) -> Array:
    """In the back, from the right [N]."""
    _, ahead = path.at(_SHOVE)
    left = np.array([-ahead[1], ahead[0]])
    return np.append(_SHOVED * (0.8 * ahead + 0.6 * left), 0.0)


def _things(path: Path, floor: float, who: Character) -> list[Prop]:
    """The ball, the gate, the log and the wall."""
    spot, ahead = path.at(_BALL)
    heading = float(np.arctan2(ahead[1], ahead[0]))
    right = np.array([ahead[1], -ahead[0]])
    target = np.array([*(spot + 0.05 * ahead), floor + 1.25])
    course = np.append(-5.0 * (0.8 * ahead + 0.6 * -right), 0.0)
    ball = thrown("ball", target, course, _FLIGHT, time=_when(path, who, _BALL) - _FLIGHT, mass=0.4)
    gate_x, gate_y = _beside(path, _GATE, 0.5)
    gate = Gate(
        name="gate", position=(gate_x, gate_y, floor), yaw=heading - 0.5 * np.pi, width=1.0, height=1.2, mass=10.0,
        stiffness=15.0, damping=12.0,
    )  # fmt: skip
    log_x, log_y = _beside(path, _LOG, -0.06)
    log = Hanging(
        name="log", position=(log_x, log_y, floor + 4.64), rope=3.0, size=(0.08, 0.08, 0.12), shape="box", mass=40.0,
        color=(0.45, 0.3, 0.2),
    )  # fmt: skip
    (wall_x, wall_y), _ = path.at(_WALL)
    wall = Wall(name="wall", position=(float(wall_x), float(wall_y), floor + 1.1), size=(0.1, 1.5, 1.1), yaw=heading)
    return [ball, gate, log, wall]
