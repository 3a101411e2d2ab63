"""The shipped walk over rough ground."""

from __future__ import annotations

import numpy as np

from poise.scenes.catalog import make_asset
from poise.scenes.layout import Path, walked_path
from poise.scenes.people import walker
from poise.scenes.scene import Scene
from poise.scenes.terrain import noise_field, set_on_ground
from poise.world.query import TerrainGround
from poise.world.scene import SceneSpec
from poise.world.terrain import Block, Slope, Steps, Terrain

__all__ = ["rough"]

_CYCLES = 9
_PLANTS = (
    ("sunflower_large", 1.2, 0.42),
    ("bush", 2.0, -0.5),
    ("sunflower_small", 2.9, 0.4),
    ("sunflower_large", 3.8, -0.42),
    ("bush", 4.7, 0.5),
    ("sunflower_small", 5.6, -0.4),
    ("sunflower_large", 8.0, 0.42),
    ("sunflower_large", 10.2, -0.42),
)
"""What stands beside the rough way: the asset, how far along it, and how far to its left [m]."""


def rough() -> Scene:
    """The shipped walk over rolling ground, up three steps and down a slope, past plants that brush the arms."""
    character = walker(_CYCLES)
    path, floor = walked_path(character), character.floor
    terrain = _way(path, floor)
    ground = TerrainGround(terrain, floor)
    plants = []
    for number, (asset, along, side) in enumerate(_PLANTS):
        middle, ahead = path.at(along)
        x, y = middle + side * np.array([-ahead[1], ahead[0]])
        plants.append(make_asset(asset, f"{asset}_{number + 1}", (float(x), float(y)), ground=floor))
    setting = SceneSpec(props=set_on_ground(plants, ground, floor), floor=floor, terrain=terrain)
    return Scene("rough", {"character": character}, setting)


def _way(path: Path, floor: float) -> tuple[Terrain, ...]:
    """A meadow across the way, then stairs, a landing and a ramp one behind the other along it."""
    (x, y), _ = path.at(3.0)
    foot, ahead = path.at(6.0)
    heading = float(np.arctan2(ahead[1], ahead[0]))
    angle = float(np.radians(20.0))
    length = 0.4 / float(np.tan(angle))

    def behind(along: float, height: float) -> tuple[float, float, float]:
        spot = foot + along * ahead
        return float(spot[0]), float(spot[1]), floor + height

    return (
        noise_field("meadow", (float(x), float(y), floor), (5.0, 4.0), amplitude=0.1, seed=3),
        Steps(name="stairs", position=behind(0.0, 0.0), yaw=heading, tops=(0.12, 0.26, 0.4), depth=0.5, width=1.8),
        Block(name="landing", position=behind(2.0, 0.4), size=(1.0, 1.8), yaw=heading),
        Slope(
            name="ramp",
            position=behind(2.5 + length, 0.0),
            yaw=heading + np.pi,
            angle=angle,
            length=length,
            width=1.8,
        ),
    )
