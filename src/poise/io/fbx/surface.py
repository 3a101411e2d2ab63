"""Meshes, skins and materials of an FBX file as glTF: every primitive has the vertices of its own material alone."""

from __future__ import annotations

from pathlib import Path, PureWindowsPath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.io.files import MAX_BYTES
from poise.io.gltf.pack import INDICES, VERTICES, Packer
from poise.motion.skin import INFLUENCES

__all__ = ["add_materials", "add_mesh"]

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

MOST_WEIGHTS = 1 << 25
"""Vertices times bones that a skin may have."""
IMAGES = {b"\x89PNG": "image/png", b"\xff\xd8\xff": "image/jpeg"}
"""How the kinds of image that glTF has begin."""


def add_materials(
    packer: Packer, materials: list[dict[str, Any]], arrays: dict[str, NDArray[Any]], file: Path
) -> list[str]:
    """The file's materials: base color, or the image that covers it.

    Args:
        packer: Gets materials, textures and images.
        materials: Per material its `name`, `color`, the names that its image may have (`files`), and whether that has `holes`.
        arrays: `image{number}`, images that are in the file itself.
        file: The FBX; other images are looked for in its folder or below.

    Returns:
        A note for each image that is left out.
    """
    notes, textures = list[str](), dict[bytes, int]()
    for number, look in enumerate(materials):
        shade: dict[str, Any] = {
            "baseColorFactor": [*np.clip(look["color"], 0.0, 1.0).tolist(), 1.0],
            "metallicFactor": 0.0,
            "roughnessFactor": 0.8,
        }
        material = {"name": look["name"], "pbrMetallicRoughness": shade}
        if look["files"]:
            content = arrays[f"image{number}"].tobytes() if f"image{number}" in arrays else _beside(file, look["files"])
            kind = next((kind for magic, kind in IMAGES.items() if content.startswith(magic)), None)
            if kind is None:
                called = PureWindowsPath(look["files"][0] or look["files"][1]).name
                why = "is neither PNG nor JPEG" if content else "is neither in the file nor in its folder"
                notes.append(f"the image {called!r} of material {look['name']!r} {why}; drawn without it")
            else:
                if content not in textures:
                    image = packer.append("images", {"bufferView": packer.view(content), "mimeType": kind})
                    textures[content] = packer.append("textures", {"source": image})
                shade["baseColorTexture"] = {"index": textures[content]}
                shade["baseColorFactor"] = [1.0, 1.0, 1.0, 1.0]  # in FBX the image takes the color's place
                material |= {"alphaMode": "MASK"} if look["holes"] else {}
        packer.append("materials", material)
    return notes


def _beside(file: Path, names: list[str]) -> bytes:
    """The image of one of these names in the file's folder or below; empty where there is none.

    Programs write absolute paths of the artist's machine, so its bare name is looked for too, and in FILE.fbm, where FBX
    programs put what was embedded.
    """
    folder = file.resolve().parent
    for name in filter(None, names):
        path = PureWindowsPath(name)
        for place in (
            Path(*path.parts),
            Path(path.name),
            Path(f"{file.stem}.fbm", path.name),
            Path("textures", path.name),
        ):
            found = (folder / place).resolve()
            if found.is_relative_to(folder) and found.is_file() and found.stat().st_size <= MAX_BYTES:
                return found.read_bytes()
    return b""


def add_mesh(packer: Packer, mesh: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> list[str]:
    """A mesh, with a primitive for each of its materials, and its skin.

    Args:
        packer: Gets them.
        mesh: `number`, `name`, the nodes that show it (`instances`), `materials` and `bones`.
        arrays: `places` of its points, `points`, `uv` and `normal` of its vertices, `triangles` and `materials` of those,
            `binds`, and per bone the points it moves, all with the mesh's number.

    Raises:
        InputError: The skin is too large.
    """
    number = mesh["number"]
    triangles, points = arrays[f"triangles{number}"], arrays[f"points{number}"]
    if not len(triangles):
        return []
    notes, skin = list[str](), None
    values: dict[str, tuple[NDArray[Any], str]] = {"POSITION": (arrays[f"places{number}"][points], "f4")}
    if f"uv{number}" in arrays:
        values["TEXCOORD_0"] = (np.array([0.0, 1.0]) + np.array([1.0, -1.0]) * arrays[f"uv{number}"], "f4")
    if f"normal{number}" in arrays:
        length = np.linalg.norm(arrays[f"normal{number}"], axis=1, keepdims=True)
        if length.min() > 1e-6:
            values["NORMAL"] = (arrays[f"normal{number}"] / length, "f4")
    if mesh["bones"]:
        joints, weights, loose = _weights(len(arrays[f"places{number}"]), mesh, arrays)
        if loose:
            notes.append(f"{loose} points of the mesh {mesh['name']!r} follow no bone; they follow the skin's first")
        values |= {"JOINTS_0": (joints[points], "u2"), "WEIGHTS_0": (weights[points], "f4")}
        binds = packer.accessor(arrays[f"binds{number}"].reshape(-1, 16), "f4")
        skin = packer.append("skins", {"joints": mesh["bones"], "inverseBindMatrices": binds})
    looks = arrays[f"materials{number}"]
    primitives = []
    for material in np.unique(looks).tolist():
        used, corners = np.unique(triangles[looks == material], return_inverse=True)
        attributes = {
            name: packer.accessor(table[used], kind, target=VERTICES, bounds=name == "POSITION")
            for name, (table, kind) in values.items()
        }
        primitive = {"attributes": attributes, "indices": packer.accessor(corners.reshape(-1, 1), "u4", target=INDICES)}
        if 0 <= material < len(mesh["materials"]):
            primitive["material"] = mesh["materials"][material]
        primitives.append(primitive)
    index = packer.append("meshes", {"name": mesh["name"], "primitives": primitives})
    for instance in mesh["instances"]:
        packer.tree["nodes"][instance] |= {"mesh": index} | ({} if skin is None else {"skin": skin})
    return notes


def _weights(count: int, mesh: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> tuple[Indices, Array, int]:
    """The strongest joints (V, 4) of each point, their weights, which sum to one; and how many points had none."""
    bones, number = len(mesh["bones"]), mesh["number"]
    if count * bones > MOST_WEIGHTS:
        raise InputError(f"a skin has {count} vertices and {bones} bones")
    table = np.zeros((count, max(bones, INFLUENCES)))
    for bone in range(bones):
        rows, shares = arrays[f"bound{number}_{bone}"], arrays[f"weights{number}_{bone}"]
        np.add.at(table[:, bone], rows, np.maximum(shares, 0.0))
    loose = table.sum(axis=1) <= 0.0
    table[loose, 0] = 1.0
    joints = np.argsort(-table, axis=1, kind="stable")[:, :INFLUENCES]
    weights = np.take_along_axis(table, joints, axis=1)
    return np.where(weights > 0.0, joints, 0), weights / weights.sum(axis=1, keepdims=True), int(loose.sum())
