"""What a scene file says about anticipation, as options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from poise.anticipation import KINDS, REGIONS, Bounds, Region, spots_of
from poise.behaviors.anticipation import AnticipationOptions, Expectation
from poise.characters.character import Character
from poise.errors import unknown_name
from poise.scenes.stated import Values, made
from poise.scenes.validation_errors import error_location
from poise.world.props import Ball, Box, Fence, Gate, Hanging, Plant, Prop, Wall

__all__ = ["anticipation_options"]

_KINDS = tuple(kind.__name__.lower() for kind in (Plant, Hanging, Ball, Fence, Gate, Box, Wall))


def anticipation_options(
    said: Values, character: Character, props: Sequence[Prop], seed: int, file: Path, place: str
) -> AnticipationOptions:
    """How a character anticipates.

    Args:
        said: What the file says.
        character: Whose it is.
        props: The obstacles there are.
        seed: The scene's.
        file: The scene file.
        place: Of the entry in it.

    Raises:
        InputError: A name is unknown or numbers do not go together; the message names the file and the place.
    """
    names = {prop.name: type(prop).__name__.lower() for prop in props}
    with error_location(file, f"{place}.bounds"):
        bounds = made(Bounds, said.get("bounds", {}))
    kinds = dict(KINDS)
    for key, one in said.get("kinds", {}).items():
        with error_location(file, f"{place}.kinds.{key}"):
            if key not in names and key not in _KINDS:
                raise unknown_name("kind or obstacle", key, [*_KINDS, *names])
            kinds[key] = replace(kinds.get(names.get(key, key), bounds), **one)
    expectations = said.get("expectations", {})
    for name in expectations:
        with error_location(file, f"{place}.expectations"):
            if name not in names:
                raise unknown_name("obstacle", name, names)
    return made(
        AnticipationOptions,
        {"seed": seed, **said},
        expectations={name: made(Expectation, one) for name, one in expectations.items()},
        bounds=bounds,
        kinds=kinds,
        regions=_regions(said.get("regions"), bounds, character, file, f"{place}.regions"),
    )


def _regions(
    said: tuple[Values, ...] | None, bounds: Bounds, character: Character, file: Path, place: str
) -> tuple[Region, ...]:
    regions = list(REGIONS) if said is None else []
    for number, one in enumerate(said or ()):
        with error_location(file, f"{place}.{number}"):
            own = None if one.get("bounds") is None else replace(bounds, **one["bounds"])
            regions.append(made(Region, one, bounds=own))
            spots_of(character.plan, (regions[-1],))
    return tuple(regions)
