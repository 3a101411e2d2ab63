"""Entries of a scene file's fluids as bodies of fluid."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from poise.characters.character import Character
from poise.errors import InputError
from poise.fluid import Fluid, FluidVolume, Turbulence, Wave, fluid_of_density, named_fluid
from poise.scenes.fluid_schema import FluidEntry
from poise.scenes.stated import made
from poise.scenes.validation_errors import error_location
from poise.wading import depth_against

__all__ = ["fluid_volume"]


def fluid_volume(entry: FluidEntry, floor: float, against: Character, file: Path, place: str) -> FluidVolume:
    """The body of fluid that an entry asks for.

    Args:
        entry: What the file says.
        floor: Height of the floor, over which it is as deep as the entry says [m].
        against: Whom it stands against, where the depth is a word.
        file: The scene file.
        place: Of the entry in it.

    Raises:
        InputError: The fluid or the depth is unknown, or it cannot be; the message names the file and the place.
    """
    if (entry.position is None) != (entry.size is None):
        raise InputError("a body of fluid needs both 'position' and 'size', or neither", source=file, place=place)
    with error_location(file, f"{place}.fluid"):
        fluid = _fluid(entry)
    with error_location(file, f"{place}.depth"):
        depth = depth_against(against, entry.depth)
    with error_location(file, place):
        return FluidVolume(
            fluid=fluid,
            level=floor + depth,
            depth=depth,
            center=entry.position or (0.0, 0.0),
            size=entry.size,
            yaw=float(np.radians(entry.yaw)),
            current=(*entry.current, 0.0),
            waves=tuple(made(Wave, wave) for wave in entry.waves),
            turbulence=None if entry.eddies is None else made(Turbulence, entry.eddies),
        )


def _fluid(entry: FluidEntry) -> Fluid:
    return named_fluid(entry.fluid) if entry.density is None else fluid_of_density(entry.fluid, entry.density)
