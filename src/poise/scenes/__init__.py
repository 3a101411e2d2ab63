"""Layer 7: scenes by name, from files and around a clip."""

from poise.scenes.catalog import ASSETS, make_asset
from poise.scenes.layout import surroundings, thrown_at
from poise.scenes.named import CLIPS, SCENES, clip_scene, named_scene
from poise.scenes.rooted import rooted
from poise.scenes.scene import Scene
from poise.scenes.scene_file import SCENE_SUFFIXES, read_scene
from poise.scenes.trail import trail
from poise.scenes.upper_body_figures import anticipating
from poise.scenes.wading import WADE, shipped_walk, wade_scene

__all__ = [
    "ASSETS",
    "CLIPS",
    "SCENES",
    "SCENE_SUFFIXES",
    "WADE",
    "Scene",
    "anticipating",
    "clip_scene",
    "make_asset",
    "named_scene",
    "read_scene",
    "rooted",
    "shipped_walk",
    "surroundings",
    "thrown_at",
    "trail",
    "wade_scene",
]
