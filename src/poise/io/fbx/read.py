"""Read the character of an FBX file: its models and skins become a glTF document, which is then read as any other.

So whatever holds for glTF characters holds for these, and the result is written as GLB. Animations, textures and text files
are not read.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.io.fbx.scene import Scene, geometric_matrix, local_matrix, read_scene
from poise.io.fbx.tree import FbxNode, parse_fbx, text_of
from poise.io.files import read_bytes
from poise.io.gltf.container import Document, parse_json, split_glb
from poise.io.gltf.entry import Entry
from poise.io.gltf.pack import INDICES, VERTICES, Packer
from poise.io.gltf.read import GltfCharacter, read_document
from poise.math import quat
from poise.motion.clip import Clip
from poise.motion.skin import INFLUENCES

__all__ = ["read_fbx", "read_fbx_clip"]

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

MOST_WEIGHTS = 1 << 25
"""Vertices times bones that a skin may have."""
_UP = (
    [0.0, 0.0, np.sqrt(0.5), np.sqrt(0.5)],
    [0.0, 0.0, 0.0, 1.0],
    [-np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)],
)
"""By the file's up axis, the turn (xyzw) that makes y the one that is up."""


def read_fbx(path: str | os.PathLike[str], *, unit: str | float | None = None, up: str | None = None) -> GltfCharacter:
    """Read a character with its mesh, at rest.

    Args:
        path: A binary .fbx file of version 7.
        unit: Metres per unit or a name in `UNITS`; by default what the file says.
        up: The up axis; by default what the file says.

    Raises:
        InputError: With the file, what was wrong and what is allowed.
    """
    file = Path(path)
    content = read_bytes(file)
    try:
        scene = read_scene(parse_fbx(content))
        document = _document(file, scene, 1.0 if unit is not None else scene.metres, 1 if up is not None else scene.up)
        character = read_document(document, None, unit=unit, up=up, kind="fbx")
    except InputError as error:
        raise InputError(error.problem, source=file, place=error.place) from None
    except (ValueError, TypeError, IndexError, KeyError, np.linalg.LinAlgError) as error:
        raise InputError(f"the FBX is damaged ({error})", source=file) from None
    return character


def read_fbx_clip(path: Path, unit: str | float | None = None, up: str | None = None) -> Clip:
    """The rest pose of a character as a clip of one frame."""
    return read_fbx(path, unit=unit, up=up).clip


def _document(path: Path, scene: Scene, metres: float, up: int) -> Document:
    """The same scene in glTF: node 0 turns and scales it, the models follow in the file's order."""
    place = {number: node for node, number in enumerate(scene.models, start=1)}
    nodes: list[dict[str, Any]] = [{"name": "fbx", "scale": [metres] * 3, "rotation": _UP[up], "children": []}]
    for number in scene.models:
        model = scene.objects[number]
        nodes.append({"name": text_of(model.values[1]), **_transform(local_matrix(model))})
    for number in scene.models:
        above = place.get(scene.parents.get(number, 0), 0)
        nodes[above].setdefault("children", []).append(place[number])
    packer = Packer({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": nodes})
    for number in scene.models:
        for geometry in scene.under(number, "Geometry"):
            if scene.objects[geometry].first("Vertices") is not None:
                _add_mesh(packer, scene, number, geometry, place)
    text, binary = split_glb(packer.to_glb())
    return Document(path, Entry(parse_json(text), ""), binary)


def _transform(matrix: Array) -> dict[str, Any]:
    """A node's transform as translation, rotation and scale; as it is where that would leave something out."""
    scale = np.linalg.norm(matrix[:3, :3], axis=0)
    if scale.min() < 1e-12 or np.linalg.det(matrix[:3, :3]) <= 0.0:
        return {"matrix": matrix.T.ravel().tolist()}
    w, x, y, z = quat.from_matrix(matrix[:3, :3] / scale).tolist()
    rest = matrix[:3, :3] - quat.to_matrix(np.array([w, x, y, z])) * scale
    if np.abs(rest).max() > 1e-6 * scale.max():
        return {"matrix": matrix.T.ravel().tolist()}
    return {"translation": matrix[:3, 3].tolist(), "rotation": [x, y, z, w], "scale": scale.tolist()}


def _add_mesh(packer: Packer, scene: Scene, number: int, geometry: int, place: dict[int, int]) -> None:
    shape, model = scene.objects[geometry], scene.objects[number]
    own = geometric_matrix(model)
    vertices = shape.array("Vertices", "f8").reshape(-1, 3) @ own[:3, :3].T + own[:3, 3]
    triangles = _triangles(shape.array("PolygonVertexIndex", "i8"))
    if not len(triangles):
        return
    attributes = {"POSITION": packer.accessor(vertices, "f4", target=VERTICES, bounds=True)}
    node = packer.tree["nodes"][place[number]]
    clusters = [each for skin in scene.under(geometry, "Deformer") for each in scene.under(skin, "Deformer")]
    bones = [(each, scene.under(each, "Model")) for each in clusters]
    bound = [(scene.objects[each], place[models[0]]) for each, models in bones if models]
    if bound:
        joints, weights = _weights(len(vertices), [cluster for cluster, _ in bound])
        attributes["JOINTS_0"] = packer.accessor(joints, "u2", target=VERTICES)
        attributes["WEIGHTS_0"] = packer.accessor(weights, "f4", target=VERTICES)
        # FBX has row vectors, so its numbers lie as glTF's columns do.
        binds = np.array([cluster.array("Transform", "f8") for cluster, _ in bound]).reshape(-1, 16)
        matrices = packer.accessor(binds, "f4")
        node["skin"] = packer.append(
            "skins", {"joints": [joint for _, joint in bound], "inverseBindMatrices": matrices}
        )
    primitive: dict[str, Any] = {
        "attributes": attributes,
        "indices": packer.accessor(triangles.reshape(-1, 1), "u4", target=INDICES),
    }
    for material in scene.under(number, "Material")[:1]:
        primitive["material"] = _add_material(packer, scene.objects[material])
    node["mesh"] = packer.append("meshes", {"name": text_of(model.values[1]), "primitives": [primitive]})


def _add_material(packer: Packer, material: FbxNode) -> int:
    table = material.properties()
    color = np.clip(np.array(table.get("DiffuseColor", (0.8, 0.8, 0.8))[:3], dtype=np.float64), 0.0, 1.0)
    look = {"baseColorFactor": [*color.tolist(), 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.8}
    return packer.append("materials", {"name": text_of(material.values[1]), "pbrMetallicRoughness": look})


def _triangles(corners: Indices) -> Indices:
    """Polygons as fans; the last corner of each is stored as its complement."""
    ends = np.flatnonzero(corners < 0)
    starts = np.concatenate([[0], ends[:-1] + 1]) if len(ends) else ends
    corners = np.where(corners < 0, ~corners, corners)
    fans = [
        np.stack(
            [np.full(end - start - 1, corners[start]), corners[start + 1 : end], corners[start + 2 : end + 1]], axis=1
        )
        for start, end in zip(starts, ends, strict=True)
        if end - start >= 2
    ]
    return np.concatenate(fans) if fans else np.zeros((0, 3), np.int64)


def _weights(count: int, clusters: list[FbxNode]) -> tuple[Indices, Array]:
    """The strongest joints (V, 4) of each vertex and their weights, which sum to one where there are any."""
    if count * len(clusters) > MOST_WEIGHTS:
        raise InputError(f"a skin has {count} vertices and {len(clusters)} bones")
    table = np.zeros((count, max(len(clusters), INFLUENCES)))
    for column, cluster in enumerate(clusters):
        rows, shares = cluster.array("Indexes", "i8"), cluster.array("Weights", "f8")
        np.add.at(table[:, column], rows, np.maximum(shares, 0.0))
    joints = np.argsort(-table, axis=1, kind="stable")[:, :INFLUENCES]
    weights = np.take_along_axis(table, joints, axis=1)
    total = weights.sum(axis=1, keepdims=True)
    return np.where(weights > 0.0, joints, 0), weights / np.where(total > 0.0, total, 1.0)
