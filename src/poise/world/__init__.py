"""Layer 3: the physical world. The only package that imports MuJoCo."""

from poise.world.contact import CONTACTS, ContactSettings
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
