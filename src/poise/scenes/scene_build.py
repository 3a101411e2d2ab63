"""What a scene file says, made: characters, what stands around them, and what acts on them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from poise.behaviors import MakeBehavior
from poise.behaviors.anticipation import Anticipation
from poise.characters.character import Character
from poise.errors import InputError, unknown_name
from poise.scenes.aimed_balls import thrown_at
from poise.scenes.anticipation_file import anticipation_options
from poise.scenes.behavior_file import stated_behaviors
from poise.scenes.catalog import make_asset
from poise.scenes.fluid_file import fluid_volume
from poise.scenes.layout import surroundings
from poise.scenes.roots import refuse_physical, rooted, with_root
from poise.scenes.scene import Scene
from poise.scenes.schema import (
    AssetEntry,
    BallEntry,
    HangingEntry,
    PlantEntry,
    PropEntry,
    SceneFile,
    WallEntry,
)
from poise.scenes.terrain import set_on_ground
from poise.scenes.terrain_file import terrain_piece
from poise.scenes.validation_errors import error_location
from poise.world.contact_settings import CONTACTS
from poise.world.props import Ball, Box, Hanging, Plant, Prop, Wall
from poise.world.query import TerrainGround
from poise.world.scene import SceneSpec

__all__ = ["built_scene"]


def built_scene(entries: SceneFile, characters: dict[str, Character], file: Path) -> Scene:
    """The scene.

    Args:
        entries: What the file says.
        characters: Who is in it, by name.
        file: Where that stands.

    Raises:
        InputError: Something is not acceptable; the message names the place and what is allowed.
    """
    first = next(iter(characters.values()))
    floor = _floor(entries.floor, first)
    level = floor or 0.0
    terrain = tuple(
        terrain_piece(entry, level, file, f"terrain.{number}") for number, entry in enumerate(entries.terrain)
    )
    ground = TerrainGround(terrain, floor)
    props = [_prop(entry, number, characters, ground, file) for number, entry in enumerate(entries.props)]
    if entries.surroundings is not None:
        who = _known(characters, entries.surroundings, file, "surroundings")
        props += set_on_ground(surroundings(who, seed=entries.seed), ground, who.floor)
    firm = entries.contact
    contact = replace(CONTACTS[firm.firmness], foot_margin=firm.foot_margin, toes=firm.toes)
    setting = SceneSpec(props=tuple(props), floor=floor, terrain=terrain, gravity=entries.gravity, contact=contact)
    fluids = tuple(
        fluid_volume(entry, level, first, file, f"fluids.{number}") for number, entry in enumerate(entries.fluids)
    )
    behaviors = _behaviors(entries, characters, props, file)
    scene = Scene(file.stem, characters, setting, entries.substep, behaviors, fluids=fluids)
    scene = replace(scene, characters={**rooted(scene).characters, **_stated_roots(entries, characters, file)})
    _check_roots(scene, file)
    return scene


def _stated_roots(entries: SceneFile, characters: dict[str, Character], file: Path) -> dict[str, Character]:
    """Characters whose root the file states."""
    stated = {}
    for name, entry in entries.characters.items():
        if entry.root is not None:
            with error_location(file, f"characters.{name}"):
                stated[name] = with_root(characters[name], entry.root)
    return stated


def _check_roots(scene: Scene, file: Path) -> None:
    """Refuse roots that would become what they cannot be, before time begins."""
    for name, who in scene.characters.items():
        options = who.options
        with error_location(file, f"characters.{name}.{'root_changes' if options.root_changes else 'root'}"):
            if options.root_changes and options.root == "kinematic":
                raise InputError("go with a compliant or a physical root; this one is kinematic")
            if "physical" in (options.root, *(change.root for change in options.root_changes)):
                refuse_physical(scene)


def _behaviors(
    entries: SceneFile, characters: dict[str, Character], props: list[Prop], file: Path
) -> dict[str, list[MakeBehavior]]:
    """Makers of what acts on each character."""
    behaviors: dict[str, list[MakeBehavior]] = {}
    for name, entry in entries.characters.items():
        if entry.anticipation is not None:
            place = f"characters.{name}.anticipation"
            options = anticipation_options(entry.anticipation, characters[name], props, entries.seed, file, place)
            behaviors[name] = [partial(Anticipation, options)]
        more = stated_behaviors(entry, characters[name], file, f"characters.{name}")
        if more:
            # What the character's own motion is comes before what is done about it.
            own = 1 if entry.breathing is not None else 0
            behaviors[name] = [*more[:own], *behaviors.get(name, []), *more[own:]]
    return behaviors


def _floor(entry: float | str, first: Character) -> float | None:
    if isinstance(entry, str):
        return first.floor if entry == "auto" else None
    return entry


def _known(characters: dict[str, Character], name: str, file: Path, place: str) -> Character:
    if name not in characters:
        raise InputError(unknown_name("character", name, characters).problem, source=file, place=place)
    return characters[name]


def _prop(entry: PropEntry, number: int, characters: dict[str, Character], ground: TerrainGround, file: Path) -> Prop:
    if isinstance(entry, AssetEntry):
        name = entry.name or f"{entry.asset}_{number + 1}"
        yaw = float(np.radians(entry.yaw))
        height = float(np.nan_to_num(ground.height(np.array(entry.position)), nan=ground.floor or 0.0))
        return make_asset(entry.asset, name, entry.position, ground=height, yaw=yaw, size=entry.size)
    if isinstance(entry, BallEntry):
        return _ball(entry, characters, file, f"props.{number}")
    values = entry.model_dump()
    if isinstance(entry, PlantEntry):
        return Plant(name=values.pop("plant"), **values)
    values["yaw"] = float(np.radians(values["yaw"]))
    if isinstance(entry, HangingEntry):
        round_ = isinstance(entry.size, float)
        values["size"] = (entry.size, 0.0, 0.0) if round_ else entry.size
        return Hanging(name=values.pop("hanging"), shape="sphere" if round_ else "box", **values)
    if isinstance(entry, WallEntry):
        return Wall(name=values.pop("wall"), **values)
    return Box(name=values.pop("box"), **values)


def _ball(entry: BallEntry, characters: dict[str, Character], file: Path, place: str) -> Ball:
    if entry.at is not None:
        who = _known(characters, entry.at, file, place)
        return thrown_at(who, entry.ball, time=entry.time, side=1.0 if entry.side == "left" else -1.0, mass=entry.mass)
    if entry.position is None or entry.velocity is None:
        raise InputError("a ball needs 'at', or 'position' and 'velocity'", source=file, place=place)
    return Ball(
        name=entry.ball,
        position=entry.position,
        velocity=entry.velocity,
        time=entry.time,
        radius=entry.radius,
        mass=entry.mass,
    )
