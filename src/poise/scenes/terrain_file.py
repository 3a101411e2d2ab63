"""Entries of a scene file's terrain as pieces of terrain."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from poise.errors import InputError
from poise.scenes.schema import BlockEntry, FieldEntry, PlatformEntry, SlopeEntry, StepsEntry, TerrainEntry
from poise.scenes.terrain import noise_field
from poise.world.terrain import Block, HeightField, Platform, Slope, Steps, Terrain, check_terrain

__all__ = ["terrain_piece"]


def terrain_piece(entry: TerrainEntry, floor: float, file: Path, place: str) -> Terrain:
    """The piece that an entry asks for; heights in the file are over the floor.

    Raises:
        InputError: It cannot be ground; the message names the file and the place.
    """
    try:
        piece = _piece(entry, floor)
        check_terrain(piece)
    except InputError as error:
        raise InputError(str(error), source=file, place=place) from error
    return piece


def _piece(entry: TerrainEntry, floor: float) -> Terrain:
    x, y, z = entry.position
    position = (x, y, z + floor)
    if isinstance(entry, FieldEntry):
        return _field(entry, position)
    yaw = float(np.radians(entry.yaw))
    if isinstance(entry, StepsEntry):
        return Steps(
            name=entry.steps, position=position, yaw=yaw, tops=_tops(entry), depth=entry.depth, width=entry.width
        )
    if isinstance(entry, SlopeEntry):
        angle = float(np.radians(entry.angle))
        return Slope(name=entry.slope, position=position, yaw=yaw, angle=angle, length=entry.length, width=entry.width)
    if isinstance(entry, BlockEntry):
        return Block(name=entry.block, position=position, size=entry.size, yaw=yaw)
    return _platform(entry, position, yaw)


def _platform(entry: PlatformEntry, position: tuple[float, float, float], yaw: float) -> Platform:
    return Platform(
        name=entry.platform,
        position=position,
        size=entry.size,
        yaw=yaw,
        thickness=entry.thickness,
        travel=entry.travel,
        period=entry.period,
        phase=entry.phase,
        course=entry.course,
        until=np.inf if entry.until is None else entry.until,
    )


def _field(entry: FieldEntry, position: tuple[float, float, float]) -> HeightField:
    if (entry.amplitude is None) == (entry.heights is None):
        raise InputError("a field needs either 'amplitude' or 'heights'")
    if entry.heights is None:
        assert entry.amplitude is not None
        return noise_field(
            entry.field,
            position,
            entry.size,
            cell=entry.cell,
            amplitude=entry.amplitude,
            seed=entry.seed,
            rim=entry.rim,
        )
    if len({len(row) for row in entry.heights}) != 1:
        raise InputError(f"rows of heights must be equally long; got {[len(row) for row in entry.heights][:20]}")
    return HeightField(name=entry.field, position=position, size=entry.size, heights=np.array(entry.heights))


def _tops(entry: StepsEntry) -> tuple[float, ...]:
    if (entry.tops is None) == (entry.height is None):
        raise InputError("steps need either 'tops' or 'height'")
    if entry.tops is not None:
        return entry.tops
    assert entry.height is not None
    return tuple(entry.height * (number + 1) for number in range(entry.count))
