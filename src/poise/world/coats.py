"""What fluid leaves on skins, in a picture: a film over the wet triangles, cut where wet and dry meet."""

from __future__ import annotations

from collections.abc import Mapping

import mujoco as mj
import numpy as np
from numpy.typing import NDArray

from poise.motion.skin import vertex_normals
from poise.world.skins import DrawnSkin

__all__ = ["add_coats", "move_coat", "wet_triangles"]

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

_OVER = 0.0025
"""The film lies this far over the skin, or the two would flicker [m]."""
_CORNERS = 6
"""Corners of the film per triangle of the skin: what is left of a triangle that is cut has four, which is two triangles."""


def wet_triangles(values: Array, depths: Array, triangles: Indices) -> Array:
    """Values at the corners of what of each triangle is wet, two triangles each, of no size where there is less.

    Args:
        values: At the vertices, shape (V, n).
        depths: Above 0 where a vertex is wet, shape (V,).
        triangles: Shape (F, 3).

    Returns:
        In the triangles' own turning sense, shape (F, 6, n).
    """
    wet = depths[triangles] > 0.0
    count = wet.sum(axis=1)
    # The corner that is unlike the two others comes first.
    unlike = np.where(count == 1, wet.argmax(axis=1), (~wet).argmax(axis=1))
    corners = np.take_along_axis(triangles, (unlike[:, None] + np.arange(3)) % 3, axis=1)
    one, two, three = (values[corners[:, place]] for place in range(3))
    above = depths[corners]
    to_two, to_three = (_share(above[:, 0], above[:, place])[:, None] for place in (1, 2))
    cut, other = one + to_two * (two - one), one + to_three * (three - one)
    result = np.repeat(one[:, None], _CORNERS, axis=1)
    whole, single, double = count == 3, count == 1, count == 2
    result[whole, 1], result[whole, 2] = two[whole], three[whole]
    result[single, 1], result[single, 2] = cut[single], other[single]
    for corner, place in enumerate((cut, two, three, cut, three, other)):
        result[double, corner] = place[double]
    return result


def _share(first: Array, second: Array) -> Array:
    """Where between two depths of different sign the line lies, as a share of the way from the first."""
    return np.clip(first / np.where(first == second, 1.0, first - second), 0.0, 1.0)


def add_coats(spec: mj.MjSpec, skins: Mapping[str, DrawnSkin]) -> None:
    """Put a mesh per skin into a model for pictures, as large as the film can become."""
    for name, skin in skins.items():
        points = skin.mesh.vertices[skin.mesh.triangles]
        film = np.concatenate([points, points], axis=1).reshape(-1, 3)
        faces = np.arange(len(film))
        asset = spec.add_mesh(name=_asset(name), inertia=mj.mjtMeshInertia.mjMESH_INERTIA_SHELL)
        asset.uservert, asset.userface = film.ravel(), faces
        asset.usernormal, asset.userfacenormal = np.tile([0.0, 0.0, 1.0], len(film)), faces


def move_coat(model: mj.MjModel, name: str, skin: DrawnSkin, vertices: Array, depths: Array) -> int:
    """Lay a film over what is wet of somebody's skin; returns the number of its mesh, which is then to be uploaded."""
    number = int(model.mesh(_asset(name)).id)
    normals = vertex_normals(vertices, skin.mesh.triangles)
    wet_corners = wet_triangles(np.hstack([vertices + _OVER * normals, normals]), depths, skin.mesh.triangles).reshape(
        -1, 6
    )
    start, first = int(model.mesh_vertadr[number]), int(model.mesh_normaladr[number])
    model.mesh_vert[start : start + len(wet_corners)] = wet_corners[:, :3]
    model.mesh_normal[first : first + len(wet_corners)] = wet_corners[:, 3:]
    return number


def _asset(name: str) -> str:
    return f"coat of {name}"
