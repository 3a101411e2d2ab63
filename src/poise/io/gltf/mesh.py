"""All meshes of a character as one skinned mesh.

Per skin, D_j = W_j IBM_j takes the mesh to the world as joint j does at rest (W its world matrix, IBM its inverse bind
matrix). Where all D_j agree the mesh was bound in the rest pose: its vertices are put there, in metres. Where they do
not, the inverse bind transforms keep the difference. A mesh without a skin follows the joint it hangs on.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.io.gltf.accessors import read_floats
from poise.io.gltf.container import Document
from poise.io.gltf.film import FILM
from poise.io.gltf.joints import skin_joints
from poise.io.gltf.materials import read_materials
from poise.io.gltf.nodes import Nodes
from poise.io.gltf.primitives import Primitive, read_primitives
from poise.io.gltf.rest import Rest
from poise.motion.skeleton import Skeleton
from poise.motion.skin import INFLUENCES, Material, SkinnedMesh, bind_at

__all__ = ["read_mesh"]

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

SAME_BIND = 2e-5
"""Two bind transforms agree where they take the mesh to the same place within this part of its size."""
MAX_VERTICES = 1 << 23
MAX_BINDS = 1 << 21
"""Most parts times joints."""


@dataclass(frozen=True, eq=False)
class _Part:
    """A primitive with joints (V, 4) of the skeleton and, per joint of the skeleton, D (J, 4, 4) into Poise's world."""

    primitive: Primitive
    joints: Indices
    weights: Array
    to_rest: Array
    node: int

    def used(self) -> Indices:
        return np.unique(self.joints[self.weights > 0.0])

    def disagreement(self, transforms: Array) -> float:
        """How far apart the given transforms of the used joints take the vertices, relative to their extent."""
        low, high = self.primitive.vertices.min(axis=0), self.primitive.vertices.max(axis=0)
        corners = np.array([[*np.where(pick, high, low), 1.0] for pick in np.ndindex(2, 2, 2)])
        places = np.einsum("jab,cb->jca", transforms[self.used(), :3], corners)
        extent = float(np.ptp(places[0], axis=0).max())
        return float(np.abs(places - places[0]).max()) / max(extent, 1e-9)


def _matrix_in(rest: Rest) -> Array:
    """Poise's frame from the file's, as a matrix (4, 4)."""
    matrix = np.eye(4)
    matrix[:3, :3] = rest.axes.lengths_in(np.eye(3)).T
    return matrix


def _inverse_binds(document: Document, skin: int, count: int) -> Array:
    entry = document.root.item("skins", skin)
    if "inverseBindMatrices" not in entry:
        return np.tile(np.eye(4), (count, 1, 1))
    at = entry.index("inverseBindMatrices", document.root.count("accessors"), "accessors")
    values = read_floats(document, at, "MAT4")
    if len(values) < count:
        raise entry.bad(f"found {len(values)} matrices for {count} joints", "inverseBindMatrices")
    matrices = values[:count].reshape(-1, 4, 4).transpose(0, 2, 1)
    if not np.allclose(matrices[:, 3], [0.0, 0.0, 0.0, 1.0], atol=1e-4):
        raise entry.bad("a matrix is not affine; expected 0, 0, 0, 1 as its last row", "inverseBindMatrices")
    return matrices


class _Parts:
    """Collects the parts of the meshes that hang on the skeleton."""

    def __init__(self, document: Document, nodes: Nodes, rest: Rest) -> None:
        self.document, self.nodes, self.rest = document, nodes, rest
        self.notes: list[str] = []
        self.parts: list[_Part] = []
        self._place = {node: joint for joint, node in enumerate(rest.joints)}
        self._vertices = 0
        self._into = _matrix_in(rest)
        self._skins = skin_joints(document.root)

    def add(self, node: int) -> None:
        """The mesh of `node`."""
        root = self.document.root
        entry = root.item("nodes", node)
        mesh = entry.index("mesh", root.count("meshes"), "meshes")
        joints = list[int]()
        if "skin" in entry:
            joints = self._skins[entry.index("skin", root.count("skins"), "skins")]
        primitives = read_primitives(self.document, mesh, len(joints), self.notes)
        self._vertices += sum(len(primitive.vertices) for primitive in primitives)
        if self._vertices > MAX_VERTICES or (len(self.parts) + len(primitives)) * len(self._place) > MAX_BINDS:
            raise entry.bad(f"the meshes have more than {MAX_VERTICES} vertices or too many parts", "mesh")
        for primitive in primitives:
            if primitive.joints is None:
                self._hang(primitive, node)
            elif all(joint in self._place for joint in joints):
                self._bind(primitive, node, entry.value["skin"], joints)
            else:
                self._leave_out(node, "follows the joints of another tree")

    def _leave_out(self, node: int, why: str) -> None:
        self.notes.append(f"the mesh of node {self.nodes.names[node]!r} {why}; left out")

    def _hang(self, primitive: Primitive, node: int) -> None:
        joint = next((self._place[each] for each in reversed(self.nodes.path(node)) if each in self._place), None)
        if joint is None:
            self._leave_out(node, "hangs on no joint")
            return
        shape = (len(primitive.vertices), INFLUENCES)
        weights = np.zeros(shape)
        weights[:, 0] = 1.0
        to_rest = np.tile(self._into @ self.nodes.world[node], (len(self._place), 1, 1))
        self.parts.append(_Part(primitive, np.full(shape, joint), weights, to_rest, node))

    def _bind(self, primitive: Primitive, node: int, skin: int, joints: list[int]) -> None:
        assert primitive.joints is not None
        assert primitive.weights is not None
        places = np.array([self._place[joint] for joint in joints])
        to_rest = np.tile(np.eye(4), (len(self._place), 1, 1))
        binds = _inverse_binds(self.document, skin, len(joints))
        to_rest[places] = self._into @ self.nodes.world[joints] @ binds
        self.parts.append(_Part(primitive, places[primitive.joints], primitive.weights, to_rest, node))


def _common_bind(parts: list[_Part], skeleton: Skeleton) -> Array:
    """Inverse bind transforms (J, 4, 4): of the rest pose, or of the pose that a part was bound in where it is another.

    Where several parts claim a joint the largest wins.
    """
    at_rest = bind_at(skeleton)
    posed = [part for part in parts if part.disagreement(part.to_rest) > SAME_BIND]
    bind, claimed = at_rest.copy(), set[int]()
    for part in sorted(posed, key=lambda part: -len(part.primitive.vertices)):
        used = part.used().tolist()
        joint = next((joint for joint in used if joint in claimed), used[0])
        reference = np.linalg.inv(bind[joint]) @ at_rest[joint] @ part.to_rest[joint]
        for joint in set(used) - claimed:
            bind[joint] = at_rest[joint] @ part.to_rest[joint] @ np.linalg.inv(reference)
        claimed.update(used)
    return bind


def _unit_normals(linear: Array, normals: Array) -> Array:
    """Normals (V, 3) turned by linear parts (V, 3, 3), as their cofactors do; the length is left."""
    a, b, c = linear[:, :, 0], linear[:, :, 1], linear[:, :, 2]
    cofactors = np.stack([np.cross(b, c), np.cross(c, a), np.cross(a, b)], axis=2)
    turned: Array = np.einsum("vij,vj->vi", cofactors, normals)
    turned *= np.sign(np.linalg.det(linear))[:, None]
    return turned


def _placed(part: _Part, bind: Array, at_rest: Array) -> tuple[Array, Array | None, Indices]:
    """Vertices and normals of a part in the common bind space, and its triangles."""
    used = part.used()
    own = np.zeros_like(bind)
    own[used] = np.linalg.inv(bind[used]) @ at_rest[used] @ part.to_rest[used]
    matrices = np.einsum("vk,vkij->vij", part.weights, own[part.joints][:, :, :3])
    primitive = part.primitive
    vertices = np.einsum("vij,vj->vi", matrices[:, :, :3], primitive.vertices) + matrices[:, :, 3]
    mirrored = np.linalg.det(own[used[0], :3, :3]) < 0.0
    triangles = primitive.triangles[:, [0, 2, 1]] if mirrored else primitive.triangles
    normals = None if primitive.normals is None else _unit_normals(matrices[:, :, :3], primitive.normals)
    return vertices, normals, triangles


def _merge(parts: list[_Part], bind: Array, at_rest: Array, materials: tuple[Material, ...]) -> SkinnedMesh:
    placed = [_placed(part, bind, at_rest) for part in parts]
    starts = np.cumsum([0, *(len(vertices) for vertices, _, _ in placed)])
    primitives = [part.primitive for part in parts]
    has_normals = all(normals is not None for _, normals, _ in placed)
    uvs = [np.zeros((len(each.vertices), 2)) if each.uvs is None else each.uvs for each in primitives]
    return SkinnedMesh(
        np.concatenate([vertices for vertices, _, _ in placed]),
        np.concatenate([triangles + start for (_, _, triangles), start in zip(placed, starts[:-1], strict=True)]),
        np.concatenate([part.joints for part in parts]),
        np.concatenate([part.weights for part in parts]),
        bind,
        np.concatenate([normals for _, normals, _ in placed if normals is not None]) if has_normals else None,
        np.concatenate(uvs) if any(each.uvs is not None for each in primitives) else None,
        np.concatenate([np.full(len(each.triangles), each.material) for each in primitives]),
        materials,
    )


def read_mesh(
    document: Document, nodes: Nodes, rest: Rest, skeleton: Skeleton
) -> tuple[SkinnedMesh | None, tuple[str, ...]]:
    """Everything that is seen of the character, as one mesh; None where there is nothing. And notes.

    Raises:
        InputError: With the JSON path: accessors that do not fit, indices out of range, negative weights, a bind
            matrix without inverse.
    """
    root = document.root
    parts = _Parts(document, nodes, rest)
    for node, entry in enumerate(root.objects("nodes")):
        if "mesh" in entry and FILM not in entry.member("extras"):
            parts.add(node)
    found = [part for part in parts.parts if len(part.primitive.triangles)]
    if not found:
        return None, tuple(parts.notes)
    at_rest = bind_at(skeleton)
    for part in found:
        linear = part.to_rest[part.used()][:, :3, :3]
        if (np.abs(np.linalg.det(linear)) < 1e-18).any():
            raise root.item("nodes", part.node).bad(
                "the mesh is scaled to nothing or has a bind matrix without inverse"
            )
    bind = _common_bind(found, skeleton)
    for part in found:
        own = np.linalg.inv(bind) @ at_rest @ part.to_rest
        single = (part.weights > 0.0).sum(axis=1).max() == 1
        if not single and part.disagreement(own) > SAME_BIND:
            parts.notes.append(
                f"the mesh of node {nodes.names[part.node]!r} was bound in a pose of its own; it is taken as it is at rest"
            )
    mesh = _merge(found, bind, at_rest, read_materials(document, parts.notes))
    return mesh, tuple(parts.notes)
