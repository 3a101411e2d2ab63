"""From parts to a closed surface: a grid as fine as the thinnest part needs, marching cubes, fewer triangles, settled.

The grid is rectilinear: its planes stand close where fingers are and wide where only the trunk is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from manifold3d import Error, Manifold, Mesh
from numpy.typing import NDArray
from skimage.measure import marching_cubes

from poise.body.mannequin._kernels import fill_field, settle
from poise.body.mannequin.parts import PartArrays
from poise.errors import PoiseError

__all__ = ["Surface", "surface"]

Array = NDArray[np.float64]

_CELLS = 1.2e6
"""Grid points at most; about 0.1 s."""
_TRIANGLES = (3_500, 9_500)
_AIM = 7_500
_ROUNDS = 4


@dataclass(frozen=True, eq=False)
class Surface:
    """A closed surface: vertices [m] (V, 3) and triangles (F, 3), outward by the right-hand rule."""

    vertices: Array
    triangles: NDArray[np.int64]


def surface(parts: PartArrays, size: float) -> Surface:
    """The smooth union of the parts.

    Args:
        parts: What to unite.
        size: Height or greatest extent of the figure [m]; tolerances are shares of it.
    """
    axes = _grid(parts, size)
    field = np.full(tuple(len(axis) for axis in axes), 1e9, dtype=np.float32)
    fill_field(parts.frames, parts.profiles, parts.cuts, _index_boxes(parts, axes), *axes, field)
    # Marching cubes must not meet a zero: a triangle would shrink to a point.
    field[np.abs(field) < 1e-7 * size] = 1e-7 * size
    places, faces, _, _ = marching_cubes(np.minimum(field, np.float32(size)), 0.0)
    whole = np.stack([np.interp(places[:, k], np.arange(len(axes[k])), axes[k]) for k in range(3)], axis=-1)
    thinned = _thinned(whole, faces, size)
    vertices = np.ascontiguousarray(thinned.vert_properties[:, :3], dtype=np.float64)
    triangles = np.ascontiguousarray(thinned.tri_verts, dtype=np.int64)
    step, reach = 2e-4 * size, 2e-3 * size
    arrays = (parts.frames, parts.profiles, parts.cuts, parts.boxes)
    settle(arrays, step, reach, triangles, _ROUNDS, vertices)
    return Surface(vertices, triangles)


def _grid(parts: PartArrays, size: float) -> list[Array]:
    """Coordinates of the grid's planes along x, y and z."""
    spacing = np.clip(0.62 * parts.thickness, 0.0025 * size, 0.0085 * size)
    low, high = parts.boxes[:, 0].min(axis=0) - 0.02 * size, parts.boxes[:, 1].max(axis=0) + 0.02 * size
    widths = []
    for axis in range(3):
        steps = np.full(400, 0.0085 * size)
        places = np.linspace(low[axis], high[axis], 400)
        for part, fine in enumerate(spacing):
            inside = (places > parts.boxes[part, 0, axis] - fine) & (places < parts.boxes[part, 1, axis] + fine)
            steps[inside] = np.minimum(steps[inside], fine)
        widths.append(steps)
    counts = [(high[axis] - low[axis]) * np.mean(1.0 / widths[axis]) for axis in range(3)]
    coarser = max((float(np.prod(counts)) / _CELLS) ** (1.0 / 3.0), 1.0)
    return [_planes(low[axis], high[axis], widths[axis] * coarser) for axis in range(3)]


def _planes(low: float, high: float, steps: Array) -> Array:
    """Planes from low to high whose distances follow `steps`, given at even places between them."""
    places = np.linspace(low, high, len(steps))
    density = 1.0 / steps
    passed = np.concatenate([[0.0], np.cumsum(0.5 * (density[1:] + density[:-1]) * np.diff(places))])
    count = int(np.ceil(passed[-1])) + 1
    return np.interp(np.linspace(0.0, passed[-1], count), passed, places)


def _index_boxes(parts: PartArrays, axes: list[Array]) -> NDArray[np.int64]:
    boxes = np.zeros((len(parts.frames), 6), dtype=np.int64)
    margin = parts.frames[:, 17]
    for axis, planes in enumerate(axes):
        boxes[:, 2 * axis] = np.searchsorted(planes, parts.boxes[:, 0, axis] - margin)
        boxes[:, 2 * axis + 1] = np.searchsorted(planes, parts.boxes[:, 1, axis] + margin)
    return boxes


def _thinned(vertices: Array, faces: NDArray[np.int32], size: float) -> Any:
    """The surface with 3,000 to 10,000 triangles: simplified until it is near, long edges split again for bending."""
    solid = Manifold(Mesh(vert_properties=vertices.astype(np.float32), tri_verts=faces.astype(np.uint32)))
    if solid.status() != Error.NoError:
        raise PoiseError(f"the mannequin's surface is not closed ({solid.status().name}); please report this skeleton")
    tolerance = 6e-4 * size
    solid = solid.simplify(tolerance)
    while solid.num_tri() > _AIM:
        tolerance *= 1.4
        solid = solid.simplify(tolerance)
    length = 0.03 * size
    refined = solid.refine_to_length(length)
    while refined.num_tri() > _TRIANGLES[1]:
        length *= 1.25
        refined = solid.refine_to_length(length)
    while refined.num_tri() < _TRIANGLES[0]:
        length *= 0.8
        refined = solid.refine_to_length(length)
    return refined.to_mesh()
