"""Scenes in fluid."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from poise.assets import clip_path
from poise.body.coordinates import body_frames, generalized_from_clip
from poise.characters.character import Character, CharacterOptions
from poise.fluid import Fluid, FluidVolume, Turbulence, Wave, named_fluid
from poise.io import read_clip
from poise.locomotion.contacts import ContactPhases
from poise.locomotion.sync import sync_phases
from poise.math.easing import smoothstep
from poise.motion.clip import Clip
from poise.motion.edit import follow, loop, trim
from poise.motion.skin import SkinnedMesh
from poise.scenes.layout import walked_path
from poise.scenes.named import WADE
from poise.scenes.people import walker
from poise.scenes.scene import Scene
from poise.wading import Gait, Push, WadingOptions, depth_against, fluid_sheet, going, wade
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
        depth: How deep: a word of `poise.wading.DEPTHS`, or metres.

    Raises:
        InputError: Fluid or depth are unknown, or the clip shows no steps.
    """
    what = named_fluid(fluid) if isinstance(fluid, str) else fluid
    fit, notes = going(clip, options)
    character = Character.from_clip(fit, options, mesh)
    deep = depth_against(character, depth)
    volume = FluidVolume(fluid=what, level=character.floor + deep, depth=deep)
    name = WADE if clip.name == WADE else f"{WADE}_{clip.name}"
    return _waded(name, character, WadingOptions(volumes=(volume,)), notes=notes)


def _waded(
    name: str,
    character: Character,
    options: WadingOptions,
    terrain: tuple[Terrain, ...] = (),
    notes: tuple[str, ...] = (),
) -> Scene:
    """A scene of somebody who waded, with the surfaces of the fluids."""
    waded = wade(character, options, TerrainGround(terrain, character.floor))
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
    """The shipped run down a bank to the water's edge, where it becomes the shipped walk, in water to the knee."""
    run, walk = (loop(read_clip(clip_path(name)), cycles) for name, cycles in (("run", _RUN_CYCLES), ("walk", _CYCLES)))
    goers = [Character.from_clip(each) for each in (run, walk)]
    lands = [Gait.of(who, TerrainGround((), who.floor)).steps[0].lands for who in goers]
    cut, start = (round(float(at) * run.rate) for at in (lands[0][-1], lands[1][lands[1] > 0.0][0]))
    clip = replace(follow(trim(run, 0, cut + 1), trim(walk, start, len(walk))), name="jog_into_water")
    # When feet stand is told from each alone: across the seam a foot of the run would seem to stand far behind the body.
    stands = [_stands(each) for each in goers]
    mask = np.concatenate([stands[0][: cut + 1], stands[1][start + 1 :]])
    contacts: dict[str, list[tuple[float, float]]] = {}
    for phase in ContactPhases(run.rate, mask).intervals():
        contacts.setdefault(phase.contact, []).append((phase.start, phase.end))
    who = Character.from_clip(clip, CharacterOptions(contacts=contacts))
    way = float(np.linalg.norm(run.local_positions()[cut, 0, :2] - run.local_positions()[0, 0, :2]))
    deep = depth_against(who, "knee")
    edge = way - 0.5
    bank = deep + 0.08
    field = _along(who, "bank", lambda at: bank * (1.0 - smoothstep(np.clip((at - edge + 2.7) / 7.0, 0.0, 1.0))))
    water = FluidVolume(fluid=named_fluid("water"), level=who.floor + deep, depth=deep)
    return _waded("jog_into_water", who, WadingOptions(volumes=(water,)), (field,))


def _stands(who: Character) -> NDArray[np.bool_]:
    """When somebody's heels and balls stand, shape (T, 4)."""
    frames = body_frames(who.plan, generalized_from_clip(who.plan, who.clip))
    return sync_phases(who.plan, frames, who.clip.rate, who.floor).mask


def ford() -> Scene:
    """The shipped walk through a ford: down its bank, across a stream to the hips, and up again, dripping."""
    who = walker(_FORD_CYCLES)

    def bed(way: Array) -> Array:
        down = np.clip((way - _FIRST) / _SHORE, 0.0, 1.0)
        up = np.clip((way - _FIRST - _SHORE - _BED) / _SHORE, 0.0, 1.0)
        return _BANK * (1.0 - smoothstep(down) + smoothstep(up))

    field = _along(who, "ford", bed)
    flow = 0.5 * _across(who)
    water = FluidVolume(
        fluid=named_fluid("water"),
        level=who.floor + _FORD,
        depth=_FORD,
        current=(float(flow[0]), float(flow[1]), 0.0),
        turbulence=Turbulence(speed=0.08, size=0.8),
    )
    return _waded("ford", who, WadingOptions(volumes=(water,)), (field,))


def _along(character: Character, name: str, profile: Callable[[Array], Array]) -> HeightField:
    """Ground whose height over the floor [m] is a function of the way gone along somebody's walk [m]."""
    path = walked_path(character)
    (start, ahead), (end, _) = path.at(0.0), path.at(path.length)
    middle, reach = 0.5 * (start + end), float(np.linalg.norm(end - start)) + 6.0
    ticks = np.linspace(-0.5 * reach, 0.5 * reach, _NODES)
    x, y = np.meshgrid(middle[0] + ticks, middle[1] + ticks, indexing="xy")
    way = (x - start[0]) * ahead[0] + (y - start[1]) * ahead[1]
    heights = profile(way)
    place = (float(middle[0]), float(middle[1]), character.floor)
    return HeightField(name=name, position=place, size=(reach, reach), heights=np.maximum(heights, 0.0) + 0.01)
