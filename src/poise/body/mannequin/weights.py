"""Which joints move which vertex: bone heat, the equilibrium of heat that each bone gives to the skin nearest to it.

Baran and Popović, "Automatic Rigging and Animation of 3D Characters", SIGGRAPH 2007, section 4: (−Δ + H) w_i = H p_i.
Heat spreads along the surface only, so fingers, thighs, arm and flank do not leak into one another. Their visibility test
is not needed here: the surface was made around these very bones. "Nearest" is by the bones' own thickness here, so that
the flank follows the spine and not the collar bone.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix, diags
from scipy.sparse.linalg import splu

from poise.body.mannequin._kernels import bone_distances
from poise.body.mannequin.parts import Bone
from poise.body.mannequin.surface import Surface

__all__ = ["skin_weights"]

Array = NDArray[np.float64]

_HEAT = 1.0
"""Factor c of H = c / d²: smaller is softer."""
_NEAR = 1.02
"""Bones within this factor of the nearest distance share a vertex."""
INFLUENCES = 4


def skin_weights(skin: Surface, bones: Sequence[Bone]) -> tuple[NDArray[np.int64], Array]:
    """Joints (V, 4) and weights (V, 4) of each vertex, heaviest first; weights sum to one, unused ones are 0 on joint 0."""
    squares = np.empty((len(skin.vertices), len(bones)))
    starts, ends = np.array([bone.start for bone in bones]), np.array([bone.end for bone in bones])
    bone_distances(starts, ends, skin.vertices, squares)
    joints = np.array(sorted({bone.joint for bone in bones}))
    relative = squares / np.array([bone.radius for bone in bones]) ** 2
    by_joint = np.full((len(skin.vertices), len(joints)), np.inf)
    for column, bone in enumerate(bones):
        place = int(np.searchsorted(joints, bone.joint))
        by_joint[:, place] = np.minimum(by_joint[:, place], relative[:, column])
    shares = (by_joint <= _NEAR**2 * by_joint.min(axis=1, keepdims=True)).astype(np.float64)
    shares /= shares.sum(axis=1, keepdims=True)
    stiffness, areas = _laplacian(skin)
    nearest = squares[np.arange(len(squares)), relative.argmin(axis=1)]
    heat = _HEAT * areas / np.maximum(nearest, 1e-6 * nearest.max())
    solved = splu((stiffness + diags(heat)).tocsc()).solve(heat[:, None] * shares)
    # The solver's last bits depend on the number of cores; the weights must not.
    return _heaviest(np.round(np.maximum(solved, 0.0), 6), joints)


def _laplacian(skin: Surface) -> tuple[coo_matrix, Array]:
    """Cotangent stiffness matrix, no weight below a small positive one, and the area [m²] of each vertex."""
    triangles, count = skin.triangles, len(skin.vertices)
    corners = skin.vertices[triangles]
    rows, columns, values = [], [], []
    doubled = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=-1)
    doubled = np.maximum(doubled, 1e-12 * doubled.max())
    for k in range(3):
        i, j = triangles[:, (k + 1) % 3], triangles[:, (k + 2) % 3]
        u, v = corners[:, (k + 1) % 3] - corners[:, k], corners[:, (k + 2) % 3] - corners[:, k]
        cotangent = np.clip(np.sum(u * v, axis=-1) / doubled, 0.02, 20.0)
        rows += [i, j, i, j]
        columns += [j, i, i, j]
        values += [-0.5 * cotangent, -0.5 * cotangent, 0.5 * cotangent, 0.5 * cotangent]
    indices = (np.concatenate(rows), np.concatenate(columns))
    stiffness = coo_matrix((np.concatenate(values), indices), shape=(count, count))
    areas: Array = np.bincount(triangles.ravel(), np.repeat(doubled / 6.0, 3), minlength=count).astype(np.float64)
    return stiffness, areas


def _heaviest(full: Array, joints: NDArray[np.int64]) -> tuple[NDArray[np.int64], Array]:
    kept = min(INFLUENCES, full.shape[1])
    order = np.argsort(-full, axis=1, kind="stable")[:, :kept]
    values = np.take_along_axis(full, order, axis=1)
    values[values < 0.01 * values[:, :1]] = 0.0
    values /= values.sum(axis=1, keepdims=True)
    chosen, weights = np.zeros((len(full), INFLUENCES), np.int64), np.zeros((len(full), INFLUENCES))
    weights[:, :kept] = values
    chosen[:, :kept] = np.where(values > 0.0, joints[order], 0)
    return chosen, weights
