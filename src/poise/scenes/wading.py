"""Scenes in fluid."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from poise.assets import clip_path
from poise.characters.character import Character, CharacterOptions
from poise.fluid import Fluid, FluidVolume, Turbulence, Wave, named_fluid
from poise.io import read_clip
from poise.math.easing import smoothstep
from poise.motion.clip import Clip
from poise.motion.edit import loop
from poise.motion.skin import SkinnedMesh
from poise.scenes.layout import walked_path
from poise.scenes.named import WADE
from poise.scenes.people import walker
from poise.scenes.scene import Scene
from poise.wading import (
    Gait,
    Push,
    WadingOptions,
    depth_against,
    far_enough,
    fluid_sheet,
    going,
    wade,
    walks_where_slow,
)
from poise.world.query import TerrainGround
from poise.world.scene import SceneSpec
from poise.world.terrain import HeightField, Terrain

__all__ = [
    "backpack",
    "ford",
    "jog_into_water",
    "shipped_walk",
    "shove_in_water",
    "stream",
    "surf",
    "wade_scene",
]

Array = NDArray[np.float64]

_CYCLES = 6
_FORD_CYCLES = 18
_RUN_CYCLES = 4
_BANK, _SHORE, _BED = 0.95, 6.5, 2.5
"""How high the banks of the ford are over its bed, how long they slope, how wide the bed is [m]."""
_FORD = 0.8
"""How deep the ford is [m]."""
_FIRST = 2.5
"""Where the ford's way begins to go down [m]."""
_NODES = 161
_FREEBOARD = 0.15
"""How far banks are over the water that runners run into [m]."""
_STRAIGHT = 0.9
"""Banks lie across ways that get at least so far from their beginning, as a share of their length."""
_RUN_UP, _RUN_ON, _SHARE = 2.0, 4.0, 0.3
"""How far runners run at least before the bank and behind the fluid [m], and what share of all they have more before it."""


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
    """Somebody walks through fluid of even depth, or runs into it and out of it and walks where it is too deep to run.

    Args:
        clip: A walk or a run.
        options: How it becomes a character.
        mesh: The character's own skin.
        fluid: What stands there, by name or as it is.
        depth: How deep: a word of `poise.wading.DEPTHS`, or metres.

    Raises:
        InputError: Fluid or depth are unknown, or the clip shows no steps.
    """
    what = named_fluid(fluid) if isinstance(fluid, str) else fluid
    fit, notes = going(clip, options)
    character = Character.from_clip(fit, options, mesh)
    deep = depth_against(character, depth)
    name = WADE if clip.name == WADE else f"{WADE}_{clip.name}"
    if not Gait.of(character, TerrainGround((), character.floor)).walks:
        scene = _run_through(name, character, what, deep, notes)
        if scene is not None:
            return scene
        notes = (
            *notes,
            "nothing on a straight way makes it too slow to run: it runs, in the fluid from the first moment on",
        )
    volume = FluidVolume(fluid=what, level=character.floor + deep, depth=deep)
    return _waded(name, character, WadingOptions(volumes=(volume,)), notes=notes)


def _waded(
    name: str,
    character: Character,
    options: WadingOptions,
    terrain: tuple[Terrain, ...] = (),
    notes: tuple[str, ...] = (),
    changes: tuple[float, ...] = (),
) -> Scene:
    """A scene of somebody who waded, with the surfaces of the fluids."""
    waded = wade(character, options, TerrainGround(terrain, character.floor), changes=changes)
    who = waded.character
    skin = character.skin
    sheets = tuple(
        fluid_sheet(f"{volume.fluid.name}{number or ''}", waded.source, skin, waded.record, volume)
        for number, volume in enumerate(options.volumes)
    )
    setting = SceneSpec(floor=character.floor, terrain=terrain, sheets=sheets)
    return Scene(name, {"wader": who}, setting, wading={"wader": waded}, notes=notes)


def _pool(character: Character, depth: str, **more: object) -> FluidVolume:
    deep = depth_against(character, depth)
    return FluidVolume(fluid=named_fluid("water"), level=character.floor + deep, depth=deep, **more)  # type: ignore[arg-type]


def _across(character: Character) -> Array:
    """To the left of somebody's way, shape (2,)."""
    _, ahead = walked_path(character).at(1.0)
    return np.array([-ahead[1], ahead[0]])


def stream() -> Scene:
    """The shipped walk across a stream to the thigh that runs from its right, with eddies."""
    who = walker(_CYCLES)
    flow = 0.8 * _across(who)
    pool = _pool(
        who, "thigh", current=(float(flow[0]), float(flow[1]), 0.0), turbulence=Turbulence(speed=0.12, size=0.8)
    )
    return _waded("stream", who, WadingOptions(volumes=(pool,)))


def surf() -> Scene:
    """The shipped walk against waves, in water to the thigh."""
    who = walker(_CYCLES)
    _, ahead = walked_path(who).at(1.0)
    back = float(np.arctan2(-ahead[1], -ahead[0]))
    waves = (Wave(amplitude=0.08, length=2.6, heading=back), Wave(amplitude=0.03, length=1.1, heading=back + 0.4))
    return _waded("surf", who, WadingOptions(volumes=(_pool(who, "thigh", waves=waves),)))


def shove_in_water() -> Scene:
    """The shipped walk in water to the knee, shoved from its right with 100 N s."""
    who = walker(_CYCLES)
    force = 1000.0 * _across(who)
    push = Push(3.0, (float(force[0]), float(force[1])))
    return _waded("shove_in_water", who, WadingOptions(volumes=(_pool(who, "knee"),), pushes=(push,)))


def backpack() -> Scene:
    """The shipped walk up a slope of six degrees with 25 kg on its back."""
    who = walker(_CYCLES)
    slope = float(np.tan(np.radians(6.0)))
    field = _along(who, "hill", lambda way: slope * np.clip(way - 1.5, 0.0, None))
    return _waded("backpack", who, WadingOptions(pack=25.0), (field,))


def jog_into_water() -> Scene:
    """The shipped run down a bank into water to the knee, where it becomes a walk, up the other bank, and on at a run."""
    who = Character.from_clip(loop(read_clip(clip_path("run")), _RUN_CYCLES))
    scene = _run_through("jog_into_water", who, named_fluid("water"), depth_against(who, "knee"))
    assert scene is not None
    return scene


def _run_through(name: str, who: Character, fluid: Fluid, deep: float, notes: tuple[str, ...] = ()) -> Scene | None:
    """A runner comes down a bank into fluid, walks through it and, behind it, runs on; None where it stays a run."""
    path = walked_path(who)
    if np.linalg.norm(path.at(path.length)[0] - path.at(0.0)[0]) < _STRAIGHT * path.length:
        return None
    bank = deep + _FREEBOARD
    shore = bank * _SHORE / _BANK
    far = far_enough(who, _RUN_UP + shore + _RUN_ON)
    if far is None:
        return None
    if far is not who:
        notes = (*notes, "runs too short a way; its most even stride is repeated")
        who = far
    first = max(_RUN_UP, _SHARE * (walked_path(who).length - shore))
    field = _along(who, "banks", lambda way: _banks(way, first, shore, bank), 2.0 * shore + _BED)
    water = FluidVolume(fluid=fluid, level=who.floor + deep, depth=deep)
    options = WadingOptions(volumes=(water,))
    ground = TerrainGround((field,), who.floor)
    changed = walks_where_slow(who, options, ground, reach=2.0 * shore + _BED)
    if changed is None:
        return None
    return _waded(name, changed.character, options, (field,), notes, changed.changes)


def _banks(way: Array, first: float, shore: float, bank: float) -> Array:
    """Height of ground that slopes down to a bed from a place on [m], and up again."""
    down, up = (way - first) / shore, (way - first - shore - _BED) / shore
    return bank * (1.0 - smoothstep(np.clip(down, 0.0, 1.0)) + smoothstep(np.clip(up, 0.0, 1.0)))


def ford() -> Scene:
    """The shipped walk through a ford: down its bank, across a stream to the hips, and up again, dripping."""
    who = walker(_FORD_CYCLES)

    field = _along(who, "ford", lambda way: _banks(way, _FIRST, _SHORE, _BANK))
    flow = 0.5 * _across(who)
    water = FluidVolume(
        fluid=named_fluid("water"),
        level=who.floor + _FORD,
        depth=_FORD,
        current=(float(flow[0]), float(flow[1]), 0.0),
        turbulence=Turbulence(speed=0.08, size=0.8),
    )
    return _waded("ford", who, WadingOptions(volumes=(water,)), (field,))


def _along(character: Character, name: str, profile: Callable[[Array], Array], more: float = 0.0) -> HeightField:
    """Ground whose height over the floor [m] is a function of the way along somebody's walk [m], and some more behind it."""
    path = walked_path(character)
    (start, ahead), (end, _) = path.at(0.0), path.at(path.length)
    end = end + more * ahead
    middle, reach = 0.5 * (start + end), float(np.linalg.norm(end - start)) + 6.0
    ticks = np.linspace(-0.5 * reach, 0.5 * reach, _NODES)
    x, y = np.meshgrid(middle[0] + ticks, middle[1] + ticks, indexing="xy")
    way = (x - start[0]) * ahead[0] + (y - start[1]) * ahead[1]
    heights = profile(way)
    place = (float(middle[0]), float(middle[1]), character.floor)
    return HeightField(name=name, position=place, size=(reach, reach), heights=np.maximum(heights, 0.0) + 0.01)
