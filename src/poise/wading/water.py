"""The surface of what somebody waded through, moved by the wader: what pictures, films and exports show."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import body_frames
from poise.characters.character import Character
from poise.fluid import FluidVolume, SurfaceGrid, WaterSurface
from poise.motion.skin import SkinnedMesh
from poise.signals import FluidSheet
from poise.wading.record import WadingRecord
from poise.wading.skin import BodySkin

__all__ = ["fluid_sheet"]

Array = NDArray[np.float64]

_CELL = 0.05
"""Distance of nodes [m], more where the way is long."""
_MOST_NODES = 36_000
_AROUND, _DEEPER = 2.4, 1.2
"""The surface reaches this far beyond the way on all sides [m], and farther by this many times its depth: whoever looks down
at a wader past its edge would see dry legs."""
_RATE = 20.0
"""Surfaces a second that are kept [Hz]."""


def fluid_sheet(
    name: str, character: Character, mesh: SkinnedMesh, record: WadingRecord, volume: FluidVolume
) -> FluidSheet:
    """The surface of a volume around somebody's way, over the time of it.

    Args:
        name: What to call it.
        character: Who waded.
        mesh: The skin that displaces the fluid.
        record: The way.
        volume: The fluid.
    """
    body = BodySkin(character.plan, character.clip, mesh)
    low, high = _extent(record, volume)
    grid = SurfaceGrid.around(low, high, _CELL, _MOST_NODES)
    surface = WaterSurface(grid, volume.fluid, volume.depth)
    places = np.dstack([grid.places(), np.full(grid.shape, volume.level)])
    every = max(1, round(1.0 / (_RATE * record.step)))
    heights = []
    for number, row in enumerate(record.rows):
        vertices = body.vertices(body_frames(character.plan, row[None]))
        surface.advance(surface.displaced(vertices, body.triangles, volume.level), record.step)
        if number % every == 0:
            ambient = volume.depths(places, number * record.step) if volume.waves else 0.0
            heights.append((surface.heights() + ambient).astype(np.float32))
    return FluidSheet(
        name=name,
        color=volume.fluid.color,
        opacity=volume.fluid.opacity,
        origin=(float(grid.origin[0]), float(grid.origin[1]), volume.level),
        cell=grid.cell,
        heights=np.array(heights),
        rate=1.0 / (every * record.step),
    )


def _extent(record: WadingRecord, volume: FluidVolume) -> tuple[Array, Array]:
    """Lower and upper corner of what is to be seen [m], shape (2,) each."""
    around = _AROUND + _DEEPER * min(volume.depth, 2.0)
    low, high = record.position.min(axis=0) - around, record.position.max(axis=0) + around
    if volume.size is not None:
        c, s = abs(np.cos(volume.yaw)), abs(np.sin(volume.yaw))
        half = 0.5 * np.array([c * volume.size[0] + s * volume.size[1], s * volume.size[0] + c * volume.size[1]])
        low, high = np.maximum(low, volume.center - half), np.minimum(high, volume.center + half)
    return low, high
