"""The tree of a glTF file's nodes at rest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.io.gltf.entry import LARGEST, Entry
from poise.math import quat

__all__ = ["MAX_NODES", "Nodes", "read_nodes"]

Array = NDArray[np.float64]

MAX_NODES = 1 << 16
SHEAR = 1e-3
"""A matrix whose columns are further than this from right angles is no rotation with scale."""


@dataclass(frozen=True, eq=False)
class Nodes:
    """N nodes in their rest pose, in the file's frame and unit.

    `rotations` (N, 4), `translations` (N, 3) and `scales` (N, 3) are local; `world` (N, 4, 4) is the product of all up
    to the scene and `world_rotations` (N, 4) that of the rotations alone. `order` has parents before children.
    """

    names: tuple[str, ...]
    parents: tuple[int, ...]
    children: tuple[tuple[int, ...], ...]
    order: tuple[int, ...]
    rotations: Array
    translations: Array
    scales: Array
    world: Array
    world_rotations: Array
    notes: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.names)

    def path(self, node: int) -> list[int]:
        """Nodes from the top of the tree down to `node`."""
        chain = [node]
        while self.parents[chain[-1]] >= 0:
            chain.append(self.parents[chain[-1]])
        return chain[::-1]


def _from_matrix(entry: Entry, name: str, notes: list[str]) -> tuple[Array, Array, Array]:
    """Rotation, translation and scale of a node that is given as a matrix."""
    matrix = entry.numbers("matrix", [0.0] * 16).reshape(4, 4).T
    if not np.allclose(matrix[3], [0.0, 0.0, 0.0, 1.0], atol=1e-6):
        raise entry.bad("the matrix is not affine; expected 0, 0, 0, 1 as its last row", "matrix")
    linear = matrix[:3, :3]
    scale = np.linalg.norm(linear, axis=0)
    if scale.min() <= 1e-12:
        raise entry.bad("the matrix has no inverse", "matrix")
    if np.linalg.det(linear) < 0.0:
        scale[0] = -scale[0]
    left, _, right = np.linalg.svd(linear / scale)
    rotation = left @ right
    if np.abs(rotation - linear / scale).max() > SHEAR:
        notes.append(f"node {name!r} has a matrix with shear; its nearest rotation is taken")
    return quat.from_matrix(rotation), matrix[:3, 3], scale


def _local(entry: Entry, name: str, notes: list[str]) -> tuple[Array, Array, Array]:
    if "matrix" in entry:
        return _from_matrix(entry, name, notes)
    x, y, z, w = entry.numbers("rotation", (0.0, 0.0, 0.0, 1.0))
    rotation = np.array([w, x, y, z])
    if np.linalg.norm(rotation) < 1e-6:
        raise entry.bad("found a quaternion of length 0; expected a rotation", "rotation")
    translation = entry.numbers("translation", (0.0, 0.0, 0.0))
    return quat.normalize(rotation), translation, entry.numbers("scale", (1.0, 1.0, 1.0))


def _tree(entries: list[Entry]) -> tuple[list[int], list[tuple[int, ...]], list[int]]:
    """Parents, children and an order with parents first."""
    parents, children = [-1] * len(entries), list[tuple[int, ...]]()
    for node, entry in enumerate(entries):
        children.append(tuple(entry.indices("children", len(entries), "nodes")))
        for child in children[-1]:
            if parents[child] >= 0:
                raise entry.bad(f"node {child} is already a child of node {parents[child]}", "children")
            parents[child] = node
    order: list[int] = []
    waiting = [node for node in reversed(range(len(entries))) if parents[node] < 0]
    while waiting:
        order.append(waiting.pop())
        waiting.extend(reversed(children[order[-1]]))
    if len(order) < len(entries):
        reached = set(order)
        lost = next(node for node in range(len(entries)) if node not in reached)
        raise entries[lost].bad("the node is its own ancestor", "children")
    return parents, children, order


def _world(parents: list[int], order: list[int], local: tuple[Array, Array, Array]) -> tuple[Array, Array]:
    rotations, translations, scales = local
    matrices = np.tile(np.eye(4), (len(parents), 1, 1))
    matrices[:, :3, :3] = quat.to_matrix(rotations) * scales[:, None, :]
    matrices[:, :3, 3] = translations
    turned = rotations.copy()
    with np.errstate(over="ignore", invalid="ignore"):
        for node in order:
            if parents[node] >= 0:
                matrices[node] = matrices[parents[node]] @ matrices[node]
                turned[node] = quat.mul(turned[parents[node]], rotations[node])
    return matrices, turned


def read_nodes(root: Entry) -> Nodes:
    """The nodes of a file.

    Raises:
        InputError: With the JSON path: no nodes or too many, a cycle, a node with two parents, an impossible transform.
    """
    entries = root.objects("nodes")
    if not 0 < len(entries) <= MAX_NODES:
        raise root.bad(f"the file has {len(entries)} nodes; expected 1 to {MAX_NODES}", "nodes")
    parents, children, order = _tree(entries)
    notes: list[str] = []
    names = [entry.text("name") or f"node_{node}" for node, entry in enumerate(entries)]
    local = [_local(entry, name, notes) for entry, name in zip(entries, names, strict=True)]
    rotations, translations, scales = (np.array(part) for part in zip(*local, strict=True))
    world, world_rotations = _world(parents, order, (rotations, translations, scales))
    far = np.flatnonzero(~(np.abs(world) <= LARGEST).all(axis=(1, 2)))
    if len(far):
        raise entries[far[0]].bad(f"the node's place in the world is not finite or above {LARGEST:g} in size")
    return Nodes(
        tuple(names),
        tuple(parents),
        tuple(children),
        tuple(order),
        rotations,
        translations,
        scales,
        world,
        quat.normalize(world_rotations),
        tuple(notes),
    )
