"""What is under the surface: volume, buoyancy, and the fluid that moves along."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.fluid import _kernels
from poise.fluid.flow import GRAVITY
from poise.fluid.volume import FluidVolume

__all__ = ["Submerged", "added_mass", "buoyancy", "submerged_part"]

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

ADDED_MASS = 1.0
"""Mass of fluid that moves along, as a share of the fluid displaced: that of a circular cylinder across the flow."""


class Submerged(NamedTuple):
    """Volume [m³] and its middle [m], shape (3,); NaN where it is empty."""

    volume: float
    center: Array


def submerged_part(
    vertices: Array, triangles: Indices, volume: FluidVolume, time: float = 0.0, *, under: Array | None = None
) -> Submerged:
    """The part of a closed mesh that is under the surface, its triangles cut there.

    Exact where the surface is level. A mesh with holes gives what its triangles enclose with the holes fanned shut, roughly.

    Args:
        vertices: [m], shape (V, 3).
        triangles: Counter-clockwise seen from outside, shape (F, 3).
        volume: The fluid.
        time: [s].
        under: How far below the surface the vertices are [m], shape (V,), where that is known.
    """
    depth, out = volume.depths(vertices, time) if under is None else under, np.empty(4)
    _kernels.submerged(vertices, triangles, depth, out)
    size = float(out[0])
    return Submerged(size, out[1:] / size if abs(size) > 1e-12 else np.full(3, np.nan))


def buoyancy(part: Submerged, density: float) -> float:
    """Upward force at the middle of a submerged part [N] (Archimedes), in a fluid of a density [kg/m³]."""
    return density * GRAVITY * max(part.volume, 0.0)


def added_mass(part: Submerged, density: float) -> float:
    """Mass of the fluid that has to be speeded up with a submerged part [kg] (Morison 1950)."""
    return ADDED_MASS * density * max(part.volume, 0.0)
