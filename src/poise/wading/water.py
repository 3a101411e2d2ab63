"""The surface of what somebody waded through, moved by the waders: what pictures, films and exports show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import body_frames
from poise.characters.character import Character
from poise.fluid import FluidVolume, SurfaceGrid, WaterSurface
from poise.motion.skin import SkinnedMesh
from poise.signals import FluidSheet
from poise.wading.record import WadingRecord
from poise.wading.skin import BodySkin

__all__ = ["Went", "fluid_sheet", "moved_sheet"]

Array = NDArray[np.float64]

_CELL = 0.05
"""Distance of nodes [m], more where the way is long."""
_MOST_NODES = 36_000
_AROUND, _DEEPER = 2.4, 1.2
"""The surface reaches this far beyond the way on all sides [m], and farther by this many times its depth: whoever looks down
at a wader past its edge would see dry legs."""
_RATE = 20.0
"""Surfaces a second that are kept [Hz]."""
_HIDDEN, _SIDES = 0.05, 0.12
"""Beside a volume, so far around it, its surface is put this far under its bottom, out of sight: what has no banks has sides
[m]."""


_BESIDE = 1e9
"""How deep a volume says it is beside itself, with the other sign [m]."""


class Went(NamedTuple):
    """Somebody who went through fluid.

    Args:
        character: Who.
        mesh: The skin that displaces the fluid.
        rows: Generalized positions, one more than there are steps, shape (N + 1, nq).
    """

    character: Character
    mesh: SkinnedMesh
    rows: Array


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
    return moved_sheet(name, [Went(character, mesh, record.rows)], record.position, volume, record.step)


def moved_sheet(name: str, waders: Sequence[Went], ways: Array, volume: FluidVolume, step: float) -> FluidSheet:
    """The surface of a volume around where some people went.

    Args:
        name: What to call it.
        waders: Who; all with as many steps.
        ways: Where they went [m], shape (n, 2).
        volume: The fluid.
        step: [s].
    """
    bodies = [BodySkin(each.character.plan, each.character.clip, each.mesh) for each in waders]
    grid = SurfaceGrid.around(*_extent(ways, volume), _CELL, _MOST_NODES)
    surface = WaterSurface(grid, volume.fluid, volume.depth)
    places = np.dstack([grid.places(), np.full(grid.shape, volume.level)])
    beside = volume.depths(places) < -0.5 * _BESIDE if volume.size is not None else None
    every = max(1, round(1.0 / (_RATE * step)))
    heights = []
    for number in range(len(waders[0].rows)):
        columns = np.zeros(grid.shape)
        for each, body in zip(waders, bodies, strict=True):
            vertices = body.vertices(body_frames(each.character.plan, each.rows[number][None]))
            columns += surface.displaced(vertices, body.triangles, volume.level)
        surface.advance(columns, step)
        if number % every == 0:
            ambient = volume.depths(places, number * step) if volume.waves else 0.0
            height = (surface.heights() + ambient).astype(np.float32)
            if beside is not None:
                height[beside] = -volume.depth - _HIDDEN
            heights.append(height)
    return FluidSheet(
        name=name,
        color=volume.fluid.color,
        opacity=volume.fluid.opacity,
        origin=(float(grid.origin[0]), float(grid.origin[1]), volume.level),
        cell=grid.cell,
        heights=np.array(heights),
        rate=1.0 / (every * step),
    )


def _extent(ways: Array, volume: FluidVolume) -> tuple[Array, Array]:
    """Lower and upper corner of what is to be seen [m], shape (2,) each."""
    around = _AROUND + _DEEPER * min(volume.depth, 2.0)
    low, high = ways.min(axis=0) - around, ways.max(axis=0) + around
    if volume.size is not None:
        c, s = abs(np.cos(volume.yaw)), abs(np.sin(volume.yaw))
        half = 0.5 * np.array([c * volume.size[0] + s * volume.size[1], s * volume.size[0] + c * volume.size[1]])
        first, last = volume.center - half, volume.center + half
        # Where nobody comes, the part nearest to the ways is shown.
        low, high = np.clip(low, first, last) - _SIDES, np.clip(high, first, last) + _SIDES
    return low, high
