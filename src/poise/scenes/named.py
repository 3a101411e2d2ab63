"""Scenes that come with Poise, by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from poise.assets import clip_path
from poise.characters.character import Character, CharacterOptions
from poise.errors import unknown_name
from poise.io import read_clip
from poise.motion.clip import Clip
from poise.motion.edit import loop
from poise.motion.skin import SkinnedMesh
from poise.scenes import bounded, evading, mixed, playground, startled, together, wading
from poise.scenes import upper_body_figures as figures
from poise.scenes.catalog import make_asset
from poise.scenes.layout import Path, surroundings, walked_path
from poise.scenes.people import walker
from poise.scenes.scene import Scene
from poise.scenes.terrain import noise_field, set_on_ground
from poise.scenes.trail import trail, trail_clip
from poise.world.query import TerrainGround
from poise.world.scene import SceneSpec
from poise.world.terrain import Block, Slope, Steps, Terrain

__all__ = ["CLIPS", "SCENES", "clip_scene", "named_scene"]

_FOREST_CYCLES = 9
_JOG_CYCLES = 6
_ROUGH_CYCLES = 9
_ROUGH_PLANTS = (
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


def clip_scene(
    clip: Clip,
    options: CharacterOptions | None = None,
    *,
    mesh: SkinnedMesh | None = None,
    seed: int = 0,
    props: bool = True,
    floor: float | None = None,
) -> Scene:
    """A clip in surroundings made for it: obstacles along its own path, or a ring where it stays in place.

    Args:
        clip: The motion.
        options: How it becomes a character.
        mesh: The character's own skin.
        seed: Varies the surroundings.
        props: Whether there are any.
        floor: Height of the ground [m]; found from the feet where None.
    """
    character = Character.from_clip(clip, options, mesh)
    if floor is not None:
        character = replace(character, floor=floor)
    around = surroundings(character, seed=seed) if props else ()
    return Scene(clip.name, {"character": character}, SceneSpec(props=around, floor=character.floor))


def _forest_clip() -> Clip:
    return loop(read_clip(clip_path("walk")), _FOREST_CYCLES)


def _jog_clip() -> Clip:
    return loop(read_clip(clip_path("run")), _JOG_CYCLES)


CLIPS: dict[str, Callable[[], Clip]] = {"forest": _forest_clip, "jog": _jog_clip, "trail": trail_clip}
"""The clips of the scenes that are made for whoever moves in them, so that another character can."""


def _forest() -> Scene:
    """The shipped walk past every obstacle of Alvarado 2022, Table 3, and a ball that hits an arm."""
    return replace(clip_scene(_forest_clip()), name="forest")


def _jog() -> Scene:
    """The shipped run through the same kind of surroundings."""
    return replace(clip_scene(_jog_clip()), name="jog")


def _rough() -> Scene:
    """The shipped walk over rolling ground, up three steps and down a slope, past plants that brush the arms."""
    character = walker(_ROUGH_CYCLES)
    path, floor = walked_path(character), character.floor
    terrain = _rough_way(path, floor)
    ground = TerrainGround(terrain, floor)
    plants = []
    for number, (asset, along, side) in enumerate(_ROUGH_PLANTS):
        middle, ahead = path.at(along)
        x, y = middle + side * np.array([-ahead[1], ahead[0]])
        plants.append(make_asset(asset, f"{asset}_{number + 1}", (float(x), float(y)), ground=floor))
    setting = SceneSpec(props=set_on_ground(plants, ground, floor), floor=floor, terrain=terrain)
    return Scene("rough", {"character": character}, setting)


def _rough_way(path: Path, floor: float) -> tuple[Terrain, ...]:
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


SCENES: dict[str, Callable[[], Scene]] = {
    "forest": _forest,
    "jog": _jog,
    "rough": _rough,
    "ford": wading.ford,
    "jog_into_water": wading.jog_into_water,
    "stream": wading.stream,
    "surf": wading.surf,
    "shove_in_water": wading.shove_in_water,
    "backpack": wading.backpack,
    "rough_physical": lambda: bounded.physical_legs(_rough()),
    "blocks": bounded.treads,
    "drag": bounded.hand_dragged,
    "balls": bounded.hands_hit,
    "climb": bounded.climb,
    "conductor": mixed.conductor,
    "arm_swing": mixed.arm_swing,
    "clapping": mixed.clapping,
    "upper_body": mixed.upper_body,
    "fat_thin": mixed.fat_thin,
    "halt": mixed.halt,
    "swing": playground.swing,
    "apple": figures.apple,
    "apple_unseen": lambda: figures.apple("unseen"),
    "apple_fast": lambda: figures.apple("fast"),
    "shoved": startled.shoved,
    "ball": figures.ball,
    "heavy": figures.heavy,
    "wall_slide": lambda: figures.wall("slide"),
    "wall_stick": lambda: figures.wall("stick"),
    "gate": figures.gate,
    "garden": figures.garden,
    "duck": evading.duck,
    "sidestep": evading.sidestep,
    "log": evading.log,
    "lean": evading.lean,
    "stop": evading.stop,
    "trail": trail,
    **together.SCENES,
}
"""Scene name to its maker."""


def named_scene(name: str) -> Scene:
    """The scene called `name`; raises `InputError` with the names there are."""
    if name not in SCENES:
        raise unknown_name("scene", name, SCENES)
    return SCENES[name]()
