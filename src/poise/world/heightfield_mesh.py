"""Ground that is not flat, as meshes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.math import quat
from poise.motion.skin import vertex_normals

__all__ = ["Relief", "reliefs_of"]

Array = NDArray[np.float64]

_HEIGHT_FIELD = 1
"""MuJoCo's number for height fields (mjtGeom)."""
_MOST_POINTS = 160
"""A finer field is drawn with every second, third, … row and column."""


class Relief(NamedTuple):
    """A fixed surface: vertices [m] (V, 3), their normals (V, 3), triangles (F, 3) and a color from 0 to 1."""

    vertices: Array
    normals: Array
    triangles: NDArray[np.int64]
    color: tuple[float, float, float]


def reliefs_of(model: Any) -> tuple[Relief, ...]:
    """The height fields of a MuJoCo model."""
    return tuple(_surface(model, int(geom)) for geom in np.flatnonzero(model.geom_type == _HEIGHT_FIELD))


def _surface(model: Any, geom: int) -> Relief:
    field = int(model.geom_dataid[geom])
    rows, columns = int(model.hfield_nrow[field]), int(model.hfield_ncol[field])
    first = int(model.hfield_adr[field])
    heights = np.asarray(model.hfield_data[first : first + rows * columns], dtype=np.float64).reshape(rows, columns)
    half_x, half_y, top, _ = (float(value) for value in model.hfield_size[field])
    across, along = _picked(columns), _picked(rows)
    x = half_x * (2.0 * across / (columns - 1) - 1.0)
    y = half_y * (2.0 * along / (rows - 1) - 1.0)
    grid = np.stack([*np.meshgrid(x, y), top * heights[np.ix_(along, across)]], axis=-1).reshape(-1, 3)
    vertices = model.geom_pos[geom] + quat.rotate(model.geom_quat[geom], grid)
    index = np.arange(len(grid)).reshape(len(y), len(x))
    a, b, c, d = (part.ravel() for part in (index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1]))
    triangles = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
    red, green, blue = (float(value) for value in model.geom_rgba[geom, :3])
    return Relief(vertices, vertex_normals(vertices, triangles), triangles, (red, green, blue))


def _picked(count: int) -> NDArray[np.int64]:
    """Rows or columns that are drawn, the last one among them."""
    step = -(-count // _MOST_POINTS)
    return np.unique(np.append(np.arange(0, count, step), count - 1))
