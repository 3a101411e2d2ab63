"""Triangles, vertices and weights of a file's meshes, as they are stored."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.io.gltf.accessors import read_floats, read_integers
from poise.io.gltf.container import COMPRESSED, Document
from poise.io.gltf.entry import Entry
from poise.motion.skin import INFLUENCES, merge_repeats

__all__ = ["Primitive", "read_primitives"]

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

POINTS_OR_LINES, STRIP, FAN = range(4), 5, 6


@dataclass(frozen=True, eq=False)
class Primitive:
    """A part of a mesh with one material; `joints` (V, 4) count the skin's joints, None where there are no weights."""

    vertices: Array
    triangles: Indices
    normals: Array | None
    uvs: Array | None
    joints: Indices | None
    weights: Array | None
    material: int


def _corners(indices: Indices, mode: int, entry: Entry) -> Indices:
    """Triangles (F, 3) of a list, strip or fan."""
    if mode == STRIP:
        triangles = np.stack([indices[:-2], indices[1:-1], indices[2:]], axis=1)
        triangles[1::2] = triangles[1::2, [1, 0, 2]]
        return triangles
    if mode == FAN:
        return np.stack([np.full(max(len(indices) - 2, 0), indices[0]), indices[1:-1], indices[2:]], axis=1)
    if len(indices) % 3:
        raise entry.bad(f"{len(indices)} indices make no whole triangles")
    return indices.reshape(-1, 3)


def _attribute(document: Document, entry: Entry, name: str, count: int, *types: str) -> Array | None:
    attributes = entry.member("attributes")
    if name not in attributes:
        return None
    values = read_floats(document, attributes.index(name, document.root.count("accessors"), "accessors"), *types)
    if len(values) != count:
        raise attributes.bad(f"found {len(values)} values for {count} vertices", name)
    return values


def _weights(
    document: Document, entry: Entry, count: int, joints: int
) -> tuple[Indices | None, Array | None, int, int]:
    """Joints and weights (V, 4); how many vertices had more than four, and how many had none."""
    attributes = entry.member("attributes")
    columns: list[Indices] = []
    shares: list[Array] = []
    while f"JOINTS_{len(columns)}" in attributes:
        name, weight_name = f"JOINTS_{len(columns)}", f"WEIGHTS_{len(columns)}"
        places = read_integers(document, attributes.index(name, document.root.count("accessors"), "accessors"), "VEC4")
        share = _attribute(document, entry, weight_name, count, "VEC4")
        if share is None or len(places) != count:
            raise attributes.bad(f"found {len(places)} joints for {count} vertices and {weight_name}", name)
        if share.min() < 0.0:
            raise attributes.bad(f"vertex {int(share.min(axis=1).argmin())} has a negative weight", weight_name)
        outside = ((places >= joints) & (share > 0.0)).any(axis=1)
        if outside.any():
            raise attributes.bad(f"vertex {int(outside.argmax())} follows a joint outside 0…{joints - 1}", name)
        columns.append(np.where(share > 0.0, places, 0))
        shares.append(share)
    if not columns:
        return None, None, 0, 0
    place, weight, more = np.concatenate(columns, axis=1), np.concatenate(shares, axis=1), 0
    if weight.shape[1] > INFLUENCES:
        weight = merge_repeats(place, weight)
        more = int(((weight > 0.0).sum(axis=1) > INFLUENCES).sum())
        best = np.argsort(-weight, axis=1, kind="stable")[:, :INFLUENCES]
        place, weight = np.take_along_axis(place, best, axis=1), np.take_along_axis(weight, best, axis=1)
    total = weight.sum(axis=1, keepdims=True)
    none = total[:, 0] <= 0.0
    weight[none, 0], total[none] = 1.0, 1.0
    return place, weight / total, more, int(none.sum())


def _primitive(document: Document, entry: Entry, joints: int, notes: list[str]) -> Primitive | None:
    root = document.root
    mode = entry.integer("mode", high=6, default=4)
    if mode in POINTS_OR_LINES:
        notes.append(f"{entry.path} consists of points or lines; left out")
        return None
    attributes = entry.member("attributes")
    if "POSITION" not in attributes:
        notes.append(f"{entry.path} has no positions; left out")
        return None
    at = attributes.index("POSITION", root.count("accessors"), "accessors")
    for name in entry.member("extensions").value:
        if name in COMPRESSED and "bufferView" not in root.item("accessors", at):
            raise entry.bad(f"the mesh is compressed with {COMPRESSED[name]}, which is not read", "extensions")
    vertices = read_floats(document, at, "VEC3")
    count = len(vertices)
    indices = np.arange(count)
    if "indices" in entry:
        indices = read_integers(document, entry.index("indices", root.count("accessors"), "accessors"), "SCALAR")[:, 0]
        if indices.max() >= count:
            raise entry.bad(f"index {int(indices.argmax())} is {indices.max()}; there are {count} vertices", "indices")
    material = entry.index("material", root.count("materials"), "materials") if "material" in entry else -1
    places, weights, more, none = _weights(document, entry, count, joints) if joints else (None, None, 0, 0)
    if more:
        notes.append(f"{entry.path}: {more} vertices follow more than four joints; the four strongest are kept")
    if none:
        notes.append(f"{entry.path}: {none} vertices have no weights; they follow the skin's first joint")
    return Primitive(
        vertices,
        _corners(indices, mode, entry),
        _attribute(document, entry, "NORMAL", count, "VEC3"),
        _attribute(document, entry, "TEXCOORD_0", count, "VEC2"),
        places,
        weights,
        material,
    )


def read_primitives(document: Document, mesh: int, joints: int, notes: list[str]) -> list[Primitive]:
    """The triangles of a mesh.

    Args:
        document: The file.
        mesh: Index of the mesh.
        joints: How many joints the skin has; 0 where there is none.
        notes: Gets a line for what is left out or changed.

    Raises:
        InputError: With the JSON path: accessors that do not fit, indices out of range, negative weights.
    """
    entry = document.root.item("meshes", mesh)
    parts = [_primitive(document, each, joints, notes) for each in entry.objects("primitives")]
    if any(weight != 0.0 for weight in entry.values("weights") if isinstance(weight, int | float)):
        notes.append(f"{entry.path} has morph targets that are on at rest; the plain shape is taken")
    return [part for part in parts if part is not None]
