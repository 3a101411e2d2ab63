"""What a scene file says about anticipation, as options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from poise.anticipation import KINDS, REGIONS, Bounds, Region, Sight, spots_of
from poise.anticipation.evasion import Evasion
from poise.behaviors.anticipation import AnticipationOptions, Expectation
from poise.characters.character import Character
from poise.errors import unknown_name
from poise.scenes.schema import AnticipationEntry, BoundsEntry, RegionEntry
from poise.scenes.validation_errors import told
from poise.world.props import Ball, Box, Fence, Gate, Hanging, Plant, Prop, Wall

__all__ = ["anticipation_options"]

_KINDS = tuple(kind.__name__.lower() for kind in (Plant, Hanging, Ball, Fence, Gate, Box, Wall))


def anticipation_options(
    entry: AnticipationEntry, character: Character, props: Sequence[Prop], seed: int, file: Path, place: str
) -> AnticipationOptions:
    """How a character anticipates.

    Args:
        entry: What the file says.
        character: Whose it is.
        props: The obstacles there are.
        seed: The scene's.
        file: The scene file.
        place: Of the entry in it.

    Raises:
        InputError: A name is unknown or numbers do not go together; the message names the file and the place.
    """
    names = {prop.name: type(prop).__name__.lower() for prop in props}
    with told(file, f"{place}.bounds"):
        bounds = _bounds(entry.bounds, Bounds())
    kinds = dict(KINDS)
    for key, one in entry.kinds.items():
        with told(file, f"{place}.kinds.{key}"):
            if key not in names and key not in _KINDS:
                raise unknown_name("kind or obstacle", key, [*_KINDS, *names])
            kinds[key] = _bounds(one, kinds.get(names.get(key, key), bounds))
    for name in entry.expectations:
        with told(file, f"{place}.expectations"):
            if name not in names:
                raise unknown_name("obstacle", name, names)
    return AnticipationOptions(
        **entry.model_dump(include={"contact", "adapt", "feels", "heaviest", "hold", "hop", "startle", "noise"}),
        expectations={name: Expectation(**one.model_dump()) for name, one in entry.expectations.items()},
        seed=seed if entry.seed is None else entry.seed,
        bounds=bounds,
        kinds=kinds,
        regions=_regions(entry.regions, bounds, character, file, f"{place}.regions"),
        sight=Sight(**_radians(entry.sight.model_dump(), "sideways", "up", "down")),
        evasion=Evasion(**_radians(entry.evasion.model_dump(), "lean", "bend")),
    )


def _bounds(entry: BoundsEntry, usual: Bounds) -> Bounds:
    """The bounds the entry names, and else the usual ones."""
    return replace(usual, **entry.model_dump(exclude_unset=True))


def _regions(
    entries: tuple[RegionEntry, ...] | None, bounds: Bounds, character: Character, file: Path, place: str
) -> tuple[Region, ...]:
    regions = list(REGIONS) if entries is None else []
    for number, entry in enumerate(entries or ()):
        with told(file, f"{place}.{number}"):
            own = None if entry.bounds is None else _bounds(entry.bounds, bounds)
            regions.append(Region(**entry.model_dump(exclude={"bounds"}), bounds=own))
            spots_of(character.plan, (regions[-1],))
    return tuple(regions)


def _radians(values: dict[str, Any], *angles: str) -> dict[str, Any]:
    """The values with those of `angles` turned from degrees."""
    return {name: float(np.radians(value)) if name in angles else value for name, value in values.items()}
