"""Read the character and the takes of an FBX file, text or binary: what ufbx makes of it becomes a glTF document, read as any.

So whatever holds for glTF characters holds for these, and the result is written as GLB. ufbx is native code that opens files
of strangers, so it runs in a child (`bake.py`), which may crash, hang or eat memory on its own account.
"""

from __future__ import annotations

import io
import json
import math
import os
import zipfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.io.axes import UNITS
from poise.io.child import ask_child
from poise.io.damaged import reading
from poise.io.fbx import bake
from poise.io.fbx.surface import add_materials, add_mesh
from poise.io.files import check_readable
from poise.io.gltf.animation import FRAME_RATE
from poise.io.gltf.container import Document, parse_json, split_glb
from poise.io.gltf.entry import Entry
from poise.io.gltf.pack import Packer
from poise.io.gltf.read import GltfCharacter, Stated, read_document
from poise.io.humanoid import ROLE, humanik_role
from poise.motion.clip import Clip

__all__ = ["read_fbx", "read_fbx_clip"]

_SMALLEST, _LARGEST = 1e-9, 1e9
"""Units that are believed [m]."""


class _Scene(NamedTuple):
    """What the child says: names and numbers, and the arrays they speak of."""

    header: dict[str, Any]
    arrays: dict[str, NDArray[Any]]


def read_fbx(
    path: str | os.PathLike[str],
    animation: str | None = None,
    *,
    unit: str | float | None = None,
    up: str | None = None,
) -> GltfCharacter:
    """Read a character with its mesh and one of its takes.

    Args:
        path: An .fbx file, text or binary, of version 3 to 7.7.
        animation: Name of the take to read; by default the first that moves something.
        unit: Metres per unit or a name in `UNITS`; by default what the file says.
        up: The up axis; by default what the file says.

    Raises:
        InputError: With the file, what was wrong and what is allowed.
    """
    file = Path(path)
    with reading("FBX", file):
        scene = _baked(file, unit is None, up is None)
        document, notes = _document(file, scene)
        stated = _stated(scene.header)._replace(notes=tuple(notes))
        return read_document(document, animation, unit=unit, up=up, stated=stated)


def read_fbx_clip(
    path: Path, unit: str | float | None = None, up: str | None = None, animation: str | None = None
) -> Clip:
    """A take of a file, by default the first, or its rest pose as one frame."""
    return read_fbx(path, animation, unit=unit, up=up).clip


def _stated(header: dict[str, Any]) -> Stated:
    """The unit and up axis that the file states of its numbers: `--unit` and `--up` are about the same."""
    metres, axis = float(header["unit"]), int(header["up"])
    if _SMALLEST <= metres <= _LARGEST:
        name = next((name for name, size in UNITS.items() if math.isclose(size, metres)), f"{metres:g} m")
        why = f"{name}: stated by the file"
    else:
        metres, why = 1.0, f"m: the file states {metres:g} m, which is no unit"
    up = "xyz"[axis // 2] if 0 <= axis < 6 else "y"
    why_up = f"{up}: stated by the file" if 0 <= axis < 6 else "y: the file states no axes"
    return Stated("fbx", 1.0, "y", why, why_up, own=(metres, up))


def _baked(file: Path, own_unit: bool, own_axes: bool) -> _Scene:
    check_readable(file)
    if find_spec("ufbx") is None:
        raise InputError("FBX files are read by the package ufbx, which is not installed: pip install ufbx")
    answer = ask_child("FBX", Path(bake.__file__), [str(file.resolve()), str(int(own_unit)), str(int(own_axes))])
    try:
        with np.load(io.BytesIO(answer), allow_pickle=False) as data:
            arrays = {key: data[key] for key in data.files}
    except (ValueError, OSError, EOFError, zipfile.BadZipFile):
        raise InputError("the FBX is damaged: its reader broke off") from None
    return _Scene(json.loads(str(arrays.pop("header"))), arrays)


def _document(path: Path, scene: _Scene) -> tuple[Document, list[str]]:
    """The same scene in glTF, node by node; and notes."""
    header, arrays = scene
    nodes: list[dict[str, Any]] = []
    for number, name in enumerate(header["nodes"]):
        place = {part: arrays[part][number].tolist() for part in ("translation", "rotation", "scale")}
        nodes.append({"name": name or ("fbx" if number == 0 else f"node_{number}"), **place})
    for number, parent in enumerate(header["parents"]):
        if parent >= 0:
            nodes[parent].setdefault("children", []).append(number)
    for slot, number in header["humanik"]:
        if role := humanik_role(slot):
            nodes[number]["extras"] = {ROLE: role}
    tops = [number for number, parent in enumerate(header["parents"]) if parent < 0]
    packer = Packer({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": tops}], "nodes": nodes})
    notes = add_materials(packer, header["materials"], arrays, path)
    for mesh in header["meshes"]:
        notes += add_mesh(packer, mesh, arrays)
    if header["bones"] and not packer.tree.get("skins"):
        packer.append("skins", {"joints": header["bones"]})
    for stack in header["stacks"]:
        _add_take(packer, stack, header["rate"], arrays)
    text, binary = split_glb(packer.to_glb())
    return Document(path, Entry(parse_json(text), ""), binary), notes


def _add_take(packer: Packer, stack: dict[str, Any], rate: float, arrays: dict[str, NDArray[Any]]) -> None:
    """A take as an animation; none for one in which nothing has keys."""
    times: dict[bytes, int] = {}
    samplers, channels = list[dict[str, Any]](), list[dict[str, Any]]()
    for node, part, name in stack["channels"]:
        at = arrays[f"{name}t"]
        key = at.tobytes()
        if key not in times:
            times[key] = packer.accessor(at[:, None], "f4", bounds=True)
        samplers.append({"input": times[key], "output": packer.accessor(arrays[name], "f4"), "interpolation": "LINEAR"})
        channels.append({"sampler": len(samplers) - 1, "target": {"node": node, "path": part}})
    if channels:
        take = {"name": stack["name"], "channels": channels, "samplers": samplers, "extras": {FRAME_RATE: rate}}
        packer.append("animations", take)
