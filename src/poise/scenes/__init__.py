"""Layer 7: scenes by name, from files and around a clip."""

from __future__ import annotations

from typing import TYPE_CHECKING

from poise.lazy import lazy_names

if TYPE_CHECKING:
    from poise.scenes.aimed_balls import thrown_at
    from poise.scenes.alive import breathing
    from poise.scenes.catalog import ASSETS, make_asset
    from poise.scenes.layout import surroundings
    from poise.scenes.named import CLIPS, SCENE_SUFFIXES, SCENES, WADE, clip_scene, named_scene
    from poise.scenes.roots import rooted
    from poise.scenes.scene import Scene
    from poise.scenes.scene_file import read_scene
    from poise.scenes.trail_scene import trail
    from poise.scenes.upper_body_figures import anticipating
    from poise.scenes.wading import shipped_walk, wade_scene
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "poise.scenes.aimed_balls": ("thrown_at",),
            "poise.scenes.alive": ("breathing",),
            "poise.scenes.catalog": (
                "ASSETS",
                "make_asset",
            ),
            "poise.scenes.layout": ("surroundings",),
            "poise.scenes.named": (
                "CLIPS",
                "SCENE_SUFFIXES",
                "SCENES",
                "WADE",
                "clip_scene",
                "named_scene",
            ),
            "poise.scenes.roots": ("rooted",),
            "poise.scenes.scene": ("Scene",),
            "poise.scenes.scene_file": ("read_scene",),
            "poise.scenes.trail_scene": ("trail",),
            "poise.scenes.upper_body_figures": ("anticipating",),
            "poise.scenes.wading": (
                "shipped_walk",
                "wade_scene",
            ),
        },
    )

__all__ = [
    "ASSETS",
    "CLIPS",
    "SCENES",
    "SCENE_SUFFIXES",
    "WADE",
    "Scene",
    "anticipating",
    "breathing",
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
