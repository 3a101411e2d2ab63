"""The surface of what somebody waded through, moved by the waders: what pictures, films and exports show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import body_frames
from poise.characters.character import Character
from poise.fluid import FloatingMesh, FluidVolume, SurfaceGrid, WaterSurface
from poise.math import quat
from poise.motion.skin import SkinnedMesh
from poise.signals import FluidSheet
from poise.wading.record import WadingRecord
from poise.wading.skin import BodySkin

__all__ = ["Floated", "Mover", "Went", "fluid_sheet", "moved_sheet"]

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


class Mover(Protocol):
    """What displaces fluid over some steps."""

    @property
    def triangles(self) -> NDArray[np.int64]:
        """Of its closed mesh, shape (F, 3)."""
        ...

    def __len__(self) -> int:
        """Moments there are, one more than steps."""
        ...

    def vertices(self, moment: int) -> Array:
        """Where its vertices are [m], shape (V, 3)."""
        ...


class Went:
    """Somebody who went through fluid.

    Args:
        character: Who.
        mesh: The skin that displaces the fluid.
        rows: Generalized positions, one more than there are steps, shape (N + 1, nq).
    """

    def __init__(self, character: Character, mesh: SkinnedMesh, rows: Array) -> None:
        self._plan, self._skin = character.plan, BodySkin(character.plan, character.clip, mesh)
        self.rows, self.triangles = rows, self._skin.triangles

    def __len__(self) -> int:
        return len(self.rows)

    def vertices(self, moment: int) -> Array:
        """See `Mover.vertices`."""
        return self._skin.vertices(body_frames(self._plan, self.rows[moment][None]))


class Floated:
    """A prop that was in fluid.

    Args:
        mesh: Its shape.
        rows: Place [m] and orientation at each moment, shape (N + 1, 7).
    """

    def __init__(self, mesh: FloatingMesh, rows: Array) -> None:
        self._points, self.rows, self.triangles, self._bound = mesh.vertices, rows, mesh.triangles, mesh.bound

    def __len__(self) -> int:
        return len(self.rows)

    def vertices(self, moment: int) -> Array:
        """See `Mover.vertices`."""
        row = self.rows[moment]
        return np.asarray(quat.rotate(row[3:], self._points) + row[:3])

    def places_in(self, volume: FluidVolume) -> Array:
        """Where it was while it was in a volume [m], shape (n, 2)."""
        return np.asarray(self.rows[volume.depths(self.rows[:, :3]) > -self._bound, :2])


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


def moved_sheet(name: str, movers: Sequence[Mover], ways: Array, volume: FluidVolume, step: float) -> FluidSheet:
    """The surface of a volume around where somebody went.

    Args:
        name: What to call it.
        movers: What moves it; all with as many steps.
        ways: Where they went [m], shape (n, 2).
        volume: The fluid.
        step: [s].
    """
    grid = SurfaceGrid.around(*_extent(ways, volume), _CELL, _MOST_NODES)
    surface = WaterSurface(grid, volume.fluid, volume.depth)
    places = np.dstack([grid.places(), np.full(grid.shape, volume.level)])
    beside = volume.depths(places) < -0.5 * _BESIDE if volume.size is not None else None
    every = max(1, round(1.0 / (_RATE * step)))
    heights = []
    for number in range(len(movers[0])):
        columns = np.zeros(grid.shape)
        for each in movers:
            columns += surface.displaced(each.vertices(number), each.triangles, volume.level)
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
