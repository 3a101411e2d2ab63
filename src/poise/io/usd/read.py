"""Read the character and the animations of a USD file: what USD makes of it becomes a glTF document, read as any.

So whatever holds for glTF characters holds for these. Each node keeps, as `extras.usd`, what it was: a prim or a joint.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.io.damaged import reading
from poise.io.files import check_readable
from poise.io.gltf.container import Document, parse_json, split_glb
from poise.io.gltf.entry import LARGEST, Entry
from poise.io.gltf.pack import INDICES, VERTICES, Packer
from poise.io.gltf.read import GltfCharacter, Stated, read_document
from poise.io.usd.child import ask
from poise.io.usd.joints import BIND, PRIM, end_sites, joint_nodes
from poise.io.usd.takes import add_takes
from poise.motion.clip import Clip

__all__ = ["SUFFIXES", "read_usd", "read_usd_clip"]

SUFFIXES = (".usd", ".usda", ".usdc", ".usdz")
_BEGINNINGS = (b"#usda", b"PXR-USDC", b"PK\x03\x04")
"""Of a .usda, a .usdc, a .usdz; a .usd is any of them."""
_ROOT_HALF = float(np.sqrt(0.5))


class _Scene(NamedTuple):
    """What the child says: names and numbers, and the arrays they speak of."""

    header: dict[str, Any]
    arrays: dict[str, NDArray[Any]]


def read_usd(
    path: str | os.PathLike[str],
    animation: str | None = None,
    *,
    unit: str | float | None = None,
    up: str | None = None,
) -> GltfCharacter:
    """Read a character with its mesh and one of its animations.

    The largest skeleton (UsdSkel) of the stage is read, with the meshes that follow it. Layers, references and textures are
    read in the file's own folder or below.

    Args:
        path: A .usd, .usda, .usdc or .usdz file.
        animation: Name of the animation to read; by default the one bound to the skeleton, if it moves.
        unit: Metres per unit or a name in `UNITS`; by default what the file says.
        up: The up axis; by default what the file says.

    Raises:
        InputError: With the file, what was wrong and what is allowed.
    """
    file = Path(path)
    check_readable(file)
    with reading("USD", file):
        _check_kind(file)
        scene = _opened(file)
        document = _document(file, scene, unit is None, up is None)
        return read_document(document, animation, unit=unit, up=up, stated=_stated(scene.header))


def read_usd_clip(
    path: Path, unit: str | float | None = None, up: str | None = None, animation: str | None = None
) -> Clip:
    """An animation of a file, by default the bound one, or its rest pose as one frame."""
    return read_usd(path, animation, unit=unit, up=up).clip


def _check_kind(file: Path) -> None:
    """Refuse what does not begin as USD does, so that native code need not."""
    try:
        with file.open("rb") as content:
            begins = content.read(8)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}") from None
    if not begins.startswith(_BEGINNINGS):
        raise InputError("this is not a USD file (neither text, binary nor package)")


def _opened(file: Path) -> _Scene:
    content = ask(["read", str(file.resolve())])
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as data:
            arrays = {key: data[key] for key in data.files}
    except (ValueError, OSError, EOFError, zipfile.BadZipFile):
        raise InputError("the USD is damaged: its reader broke off") from None
    header = json.loads(str(arrays.pop("header")))
    if not 1e-9 <= header["unit"] <= 1e9 or not 0.0 < header["codes"] <= LARGEST:
        raise InputError(
            f"found metersPerUnit {header['unit']:g} and timeCodesPerSecond {header['codes']:g}; expected positive numbers"
        )
    return _Scene(header, arrays)


def _stated(header: dict[str, Any]) -> Stated:
    silent = "what USD has where a file is silent"
    unit = f"{header['unit']:g} m, {'metersPerUnit of the file' if header['unit_stated'] else silent}"
    up = f"{header['up']}, {'upAxis of the file' if header['up_stated'] else silent}"
    return Stated("usd", 1.0, "y", f"m: made so from {unit}", f"y: made so from {up}", tuple(header["notes"]))


def _document(path: Path, scene: _Scene, own_unit: bool, own_axes: bool) -> Document:
    """The same scene in glTF: in metres with y up, unless the user knows better."""
    header, arrays = scene
    top: dict[str, Any] = {"name": "stage", "children": []}
    if own_unit:
        top["scale"] = [header["unit"]] * 3
    if own_axes and header["up"] == "z":
        top["rotation"] = [-_ROOT_HALF, 0.0, 0.0, _ROOT_HALF]
    nodes = [top]
    for node in header["nodes"][: header["first"]]:
        nodes.append({"name": node["name"], "matrix": node["matrix"], "extras": {PRIM: node["path"]}})
    rig = joint_nodes(header, arrays, header["notes"])
    for node, bind in zip(rig.nodes, header["binds"], strict=False):  # None of a file that has no skin.
        node["extras"][BIND] = bind
    nodes += rig.nodes
    for number, node in enumerate(header["nodes"], start=1):
        nodes[node["parent"] + 1].setdefault("children", []).append(number)
    tree = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": nodes}
    packer = Packer(tree | {"extras": {"skeleton": header["skeleton"], "beside": header["beside"]}})
    _add_materials(packer, header["materials"], arrays)
    ends = end_sites(header, arrays)
    joints = [header["first"] + 1 + at for at in range(header["joints"]) if at not in ends]
    inverse = np.array(np.linalg.inv(np.array(header["binds"], np.float64).reshape(-1, 4, 4)), np.float64)
    inverse[:, :, :3] *= rig.own[: len(inverse), None, None]
    for mesh in header["meshes"]:
        _add_mesh(packer, mesh, joints, inverse, arrays)
    if not header["meshes"]:
        packer.append("skins", {"joints": joints})
    add_takes(packer, header, arrays, rig)
    text, binary = split_glb(packer.to_glb())
    return Document(path, Entry(parse_json(text), ""), binary)


def _add_materials(packer: Packer, materials: list[dict[str, Any]], arrays: dict[str, NDArray[Any]]) -> None:
    images: dict[str, int] = {}
    for look in materials:
        shade: dict[str, Any] = {
            "baseColorFactor": [*look["color"], 1.0],
            "metallicFactor": 0.0,
            "roughnessFactor": 0.8,
        }
        name = look["image"]
        if name is not None and name not in images:
            content = arrays[name].tobytes()
            kind = "image/png" if content.startswith(b"\x89PNG") else "image/jpeg"
            image = packer.append("images", {"bufferView": packer.view(content), "mimeType": kind})
            images[name] = packer.append("textures", {"source": image})
        if name is not None:
            shade["baseColorTexture"] = {"index": images[name]}
        material = {"name": look["name"], "pbrMetallicRoughness": shade}
        packer.append("materials", material | ({"alphaMode": "MASK"} if look["holes"] else {}))


def _add_mesh(
    packer: Packer,
    mesh: dict[str, Any],
    joints: list[int],
    inverse: NDArray[np.float64],
    arrays: dict[str, NDArray[Any]],
) -> None:
    """A mesh with a skin of its own: USD binds meshes by geomBindTransform and the joints' bindTransforms."""
    label = mesh["label"]
    rows = np.array(joints) - joints[0]  # in the file's list, of which end sites are left out
    place = np.zeros(len(inverse), np.int64)
    place[rows] = np.arange(len(rows))
    matrices = (np.array(mesh["shape"], np.float64).reshape(4, 4) @ inverse)[rows].reshape(-1, 16)
    binds = packer.accessor(matrices, "f4")
    skin = packer.append("skins", {"joints": joints, "inverseBindMatrices": binds})
    kinds = {"vertices": ("POSITION", "f4"), "weights": ("WEIGHTS_0", "f4"), "uvs": ("TEXCOORD_0", "f4")}
    kinds["joints"] = ("JOINTS_0", "u2")
    values = {name: arrays[f"{label}{name}"] for name in kinds if f"{label}{name}" in arrays}
    values["joints"] = np.where(values["weights"] > 0.0, place[values["joints"]], 0)
    primitives, looks = list[dict[str, Any]](), arrays[f"{label}looks"]
    for look in np.unique(looks).tolist():
        used, corners = np.unique(arrays[f"{label}triangles"][looks == look], return_inverse=True)
        attributes = {}
        for name, table in values.items():
            called, kind = kinds[name]
            attributes[called] = packer.accessor(table[used], kind, target=VERTICES, bounds=name == "vertices")
        indices = packer.accessor(corners.reshape(-1, 1), "u4", target=INDICES)
        primitive = {"attributes": attributes, "indices": indices}
        primitives.append(primitive | ({"material": look} if look >= 0 else {}))
    index = packer.append("meshes", {"name": mesh["name"], "primitives": primitives})
    shown = packer.append("nodes", {"name": mesh["name"], "mesh": index, "skin": skin})
    packer.tree["scenes"][0]["nodes"].append(shown)
