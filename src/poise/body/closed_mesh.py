"""What a closed mesh weighs, whole or cut into closed pieces (van Welbergen 2009, Sec. 3.1)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import trimesh
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from poise.errors import InputError

__all__ = ["Solid", "cut", "require_closed", "solid", "welded"]

Array = NDArray[np.float64]
Indices = NDArray[np.int64]


class Solid(NamedTuple):
    """Mass [kg], centre of mass [m] (3,) and inertia tensor about it [kg m²] (3, 3)."""

    mass: float
    centre: Array
    inertia: Array


def welded(vertices: Array, triangles: Indices, within: float = 1e-6) -> tuple[Indices, Indices]:
    """Vertices at the same place taken as one: files repeat them along the seams of textures.

    Args:
        vertices: Positions [m], shape (V, 3).
        triangles: Shape (F, 3).
        within: How near is the same [m].

    Returns:
        For each vertex the first one at its place, shape (V,); the triangles in these that are left, shape (G, 3).
    """
    keys = np.round(vertices / within).astype(np.int64)
    _, first, inverse = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    same = first[inverse.ravel()]
    joined = same[triangles]
    a, b, c = joined.T
    return same, joined[(a != b) & (b != c) & (c != a)]


def require_closed(triangles: Indices) -> None:
    """Raise `InputError` unless every edge has one triangle on either side, turned the same way round."""
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    _, forth = np.unique(edges, axis=0, return_counts=True)
    there, back = {tuple(e) for e in edges.tolist()}, {tuple(e) for e in edges[:, ::-1].tolist()}
    alone = len(there - back)
    if not len(triangles) or alone or (forth > 1).any():
        raise InputError(
            f"the mesh is not closed: {alone} of its edges have a triangle on one side only and {int((forth > 1).sum())} "
            "have two turned the same way; mass, centre and inertia need a closed surface"
        )


def solid(vertices: Array, triangles: Indices, density: float) -> Solid:
    """A uniform solid inside a closed surface (exact for polyhedra; Mirtich 1996).

    Args:
        vertices: Positions [m], shape (V, 3).
        triangles: Counter-clockwise seen from outside, shape (F, 3).
        density: [kg/m³].
    """
    surface = trimesh.Trimesh(vertices, triangles, process=False, validate=False)
    surface.density = density
    properties = surface.mass_properties
    return Solid(float(properties.mass), np.asarray(properties.center_mass), np.asarray(properties.inertia))


def cut(vertices: Array, triangles: Indices, owner: Indices, count: int) -> list[tuple[Array, Indices]]:
    """A closed surface cut into closed pieces, one for each owner; their volumes sum to the whole's.

    A triangle belongs to the owner of most of its vertices. Where triangles of different owners meet, the edges between them
    form rings; each ring is closed by a fan to its middle, once for either side, so that what one piece gains the other loses.

    Args:
        vertices: Positions [m], shape (V, 3).
        triangles: A closed surface, shape (F, 3).
        owner: Of each vertex, shape (V,), below `count`.
        count: How many pieces; some may be empty.

    Returns:
        Per owner its vertices and triangles; the vertices are all of the whole's with the rings' middles behind them.
    """
    a, b, c = owner[triangles].T
    of = np.where(b == c, b, a)
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    belongs = np.tile(of, 3)
    number = len(vertices)
    forth, back = edges[:, 0] * number + edges[:, 1], edges[:, 1] * number + edges[:, 0]
    order = np.argsort(forth)
    other = belongs[order[np.searchsorted(forth, back, sorter=order)]]
    seam = belongs != other
    rim, mine = edges[seam], belongs[seam]
    links = coo_array((np.ones(len(rim)), (rim[:, 0], rim[:, 1])), shape=(number, number))
    _, ring = connected_components(links, directed=False)
    used, ring_of = np.unique(ring[rim[:, 0]], return_inverse=True)
    middles = np.array([vertices[np.unique(rim[ring_of == r])].mean(axis=0) for r in range(len(used))]).reshape(-1, 3)
    # Seen from a piece, its rim runs the other way round on the cap.
    fans = np.stack([rim[:, 1], rim[:, 0], number + ring_of], axis=1)
    points = np.concatenate([vertices, middles])
    return [(points, np.concatenate([triangles[of == each], fans[mine == each]])) for each in range(count)]
