"""Layer 3: the physical world. The only package that imports MuJoCo."""

from __future__ import annotations

from typing import TYPE_CHECKING

from poise.lazy import lazy_names

if TYPE_CHECKING:
    from poise.world.contact_settings import CONTACTS, ContactSettings
    from poise.world.cut import ARMATURE, Cut
    from poise.world.dynamics import CharacterDynamics
    from poise.world.layout import CharacterLayout
    from poise.world.props import Ball, Box, Fence, Gate, Hanging, Plant, Prop, Wall
    from poise.world.query import TerrainGround
    from poise.world.scene import SceneSpec, build_world
    from poise.world.system import System
    from poise.world.terrain import Block, HeightField, Platform, Slope, Steps, Terrain
    from poise.world.things import Link, Shape, Thing
    from poise.world.world import Divergence, Snapshot, World
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "poise.world.contact_settings": (
                "CONTACTS",
                "ContactSettings",
            ),
            "poise.world.cut": (
                "ARMATURE",
                "Cut",
            ),
            "poise.world.dynamics": ("CharacterDynamics",),
            "poise.world.layout": ("CharacterLayout",),
            "poise.world.props": (
                "Ball",
                "Box",
                "Fence",
                "Gate",
                "Hanging",
                "Plant",
                "Prop",
                "Wall",
            ),
            "poise.world.query": ("TerrainGround",),
            "poise.world.scene": (
                "SceneSpec",
                "build_world",
            ),
            "poise.world.system": ("System",),
            "poise.world.terrain": (
                "Block",
                "HeightField",
                "Platform",
                "Slope",
                "Steps",
                "Terrain",
            ),
            "poise.world.things": (
                "Link",
                "Shape",
                "Thing",
            ),
            "poise.world.world": (
                "Divergence",
                "Snapshot",
                "World",
            ),
        },
    )

__all__ = [
    "ARMATURE",
    "CONTACTS",
    "Ball",
    "Block",
    "Box",
    "CharacterDynamics",
    "CharacterLayout",
    "ContactSettings",
    "Cut",
    "Divergence",
    "Fence",
    "Gate",
    "Hanging",
    "HeightField",
    "Link",
    "Plant",
    "Platform",
    "Prop",
    "SceneSpec",
    "Shape",
    "Slope",
    "Snapshot",
    "Steps",
    "System",
    "Terrain",
    "TerrainGround",
    "Thing",
    "Wall",
    "World",
    "build_world",
]
