"""Scenes in fluid."""

from __future__ import annotations

from poise.assets import clip_path
from poise.body.mannequin import cache_folder, mannequin
from poise.fluid import Fluid, FluidVolume, named_fluid
from poise.io import read_clip
from poise.motion.clip import Clip
from poise.motion.edit import loop
from poise.motion.skin import SkinnedMesh
from poise.runtime.character import Character, CharacterOptions
from poise.runtime.wading import WadingOptions, depth_against, fluid_sheet, going, wade
from poise.scenes.scene import Scene
from poise.world.scene import SceneSpec

__all__ = ["WADE", "shipped_walk", "wade_scene"]

WADE = "wade"
"""What the command line calls it."""
_CYCLES = 6


def shipped_walk() -> Clip:
    """The walk that comes with Poise, six times as far."""
    return loop(read_clip(clip_path("walk")), _CYCLES)


def wade_scene(
    clip: Clip,
    options: CharacterOptions | None = None,
    *,
    mesh: SkinnedMesh | None = None,
    fluid: str | Fluid = "water",
    depth: str | float = "knee",
) -> Scene:
    """Somebody walks through fluid of even depth.

    Args:
        clip: A walk or a run.
        options: How it becomes a character.
        mesh: The character's own skin.
        fluid: What stands there, by name or as it is.
        depth: How deep: a word of `poise.runtime.wading.DEPTHS`, or metres.

    Raises:
        InputError: Fluid or depth are unknown, or the clip shows no steps.
    """
    what = named_fluid(fluid) if isinstance(fluid, str) else fluid
    fit, notes = going(clip, options)
    character = Character.from_clip(fit, options, mesh)
    deep = depth_against(character, depth)
    volume = FluidVolume(fluid=what, level=character.floor + deep, depth=deep)
    waded = wade(character, WadingOptions(volumes=(volume,)))
    skin = mesh or mannequin(waded.character.prepared.source, waded.character.plan, folder=cache_folder())
    sheet = fluid_sheet(what.name, waded.character, skin, waded.record, volume)
    return Scene(
        WADE if clip.name == WADE else f"{WADE}_{clip.name}",
        {"wader": waded.character},
        SceneSpec(floor=character.floor, sheets=(sheet,)),
        wading={"wader": waded},
        notes=notes,
    )
