"""A coarser mesh of the same body: vertices that share a cell of a grid become one."""

from __future__ import annotations

import numpy as np

from poise.errors import InputError
from poise.motion.skin import SkinnedMesh

__all__ = ["coarse_skin"]


def coarse_skin(mesh: SkinnedMesh, cell: float) -> SkinnedMesh:
    """The mesh with one vertex for each cell of a grid, the one nearest to the middle of those there.

    A vertex keeps its own weights, so the mesh bends as before; a closed mesh stays closed. Limbs thinner than a cell collapse.

    Args:
        mesh: The mesh, in its bind pose.
        cell: Width of a cell [m].

    Raises:
        InputError: The cell is not positive.
    """
    if not cell > 0.0:
        raise InputError(f"a cell's width must be positive; got {cell:g} m")
    cells = np.floor(mesh.vertices / cell).astype(np.int64)
    _, member = np.unique(cells, axis=0, return_inverse=True)
    member = member.reshape(-1)
    counts = np.bincount(member)
    middles = np.stack([np.bincount(member, mesh.vertices[:, axis]) / counts for axis in range(3)], axis=1)
    away = np.linalg.norm(mesh.vertices - middles[member], axis=1)
    order = np.lexsort((away, member))
    kept = order[np.searchsorted(member[order], np.arange(len(counts)))]
    triangles = member[mesh.triangles]
    whole = (triangles != np.roll(triangles, 1, axis=1)).all(axis=1)
    return SkinnedMesh(mesh.vertices[kept], triangles[whole], mesh.joints[kept], mesh.weights[kept], mesh.inverse_bind)
