"""Write a clip as a GLB of our own: joints, the animation and, where there is one, the skin."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from poise.errors import InputError
from poise.io.axes import Axes
from poise.io.bvh_text import unique_names
from poise.io.files import write_bytes
from poise.io.gltf.dialect import dialect_extras
from poise.io.gltf.pack import INDICES, VERTICES, Packer
from poise.motion.clip import Clip
from poise.motion.skeleton import Skeleton
from poise.motion.skin import SkinnedMesh, bind_at

__all__ = ["write_glb"]

AXES = Axes("y", 1.0)
"""glTF is Y up, Z forward, in metres."""
MATERIAL = {
    "name": "body",
    "pbrMetallicRoughness": {"baseColorFactor": [0.75, 0.71, 0.66, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.8},
}


def _nodes(skeleton: Skeleton) -> list[dict[str, Any]]:
    """A node per joint, then one per end site; at rest every rotation is the identity."""
    ends = [f"{skeleton.names[joint]}_end" for joint in skeleton.end_parents]
    names, _ = unique_names([*skeleton.names, *ends])
    places = AXES.lengths_out(np.concatenate([skeleton.offsets, skeleton.end_offsets]))
    nodes: list[dict[str, Any]] = [
        {"name": name, "translation": place.tolist()} for name, place in zip(names, places, strict=True)
    ]
    for node, parent in enumerate([*skeleton.parents, *skeleton.end_parents]):
        if parent >= 0:
            nodes[parent].setdefault("children", []).append(node)
    return nodes


def _add_mesh(packer: Packer, mesh: SkinnedMesh) -> int:
    """The mesh as one primitive; returns its index."""
    assert mesh.normals is not None
    floats = {"POSITION": AXES.lengths_out(mesh.vertices), "NORMAL": AXES.lengths_out(mesh.normals)}
    if mesh.uvs is not None:
        floats["TEXCOORD_0"] = mesh.uvs
    floats["WEIGHTS_0"] = mesh.weights
    attributes = {
        name: packer.accessor(values, "f4", target=VERTICES, bounds=name == "POSITION")
        for name, values in floats.items()
    }
    small = len(mesh.inverse_bind) <= 256
    attributes["JOINTS_0"] = packer.accessor(mesh.joints, "u1" if small else "u2", target=VERTICES)
    short = len(mesh) < 1 << 16
    indices = packer.accessor(mesh.triangles.reshape(-1, 1), "u2" if short else "u4", target=INDICES)
    material = packer.append("materials", MATERIAL)
    primitive = {"attributes": attributes, "indices": indices, "material": material}
    return packer.append("meshes", {"name": "body", "primitives": [primitive]})


def _add_skin(packer: Packer, skeleton: Skeleton, mesh: SkinnedMesh | None) -> None:
    """The skin of all joints, and the node that shows the mesh, which is not below a joint."""
    inverse = bind_at(skeleton) if mesh is None else mesh.inverse_bind
    turn = np.eye(4)
    turn[:3, :3] = AXES.lengths_out(np.eye(3)).T
    matrices = (turn @ inverse @ turn.T).transpose(0, 2, 1).reshape(-1, 16)
    joints = list(range(len(skeleton)))
    binds = packer.accessor(matrices, "f4")
    skin = packer.append("skins", {"skeleton": 0, "joints": joints, "inverseBindMatrices": binds})
    if mesh is not None:
        shown = packer.append("nodes", {"name": "body", "mesh": _add_mesh(packer, mesh), "skin": skin})
        packer.tree["scenes"][0]["nodes"].append(shown)


def write_glb(path: Path, clip: Clip, mesh: SkinnedMesh | None = None) -> list[str]:
    """Write `clip`, on the given mesh, to a GLB, whole or not at all.

    Every joint is a node of its name with a LINEAR rotation key at every frame; joints that are translated have
    positions too. How the clip's BVH file was written is kept (`dialect.py`). The skeleton is there as a skin even
    where there is no mesh, so that readers see joints.

    Args:
        path: The file. One of that name is replaced.
        clip: The motion.
        mesh: The mesh, bound to the clip's skeleton; without it the file has joints and motion only.

    Returns:
        No notes, since nothing is lost.

    Raises:
        InputError: The mesh was bound to another number of joints, or the file cannot be written.
    """
    skeleton = clip.skeleton
    if mesh is not None and len(mesh.inverse_bind) != len(skeleton):
        raise InputError(
            f"the mesh is bound to {len(mesh.inverse_bind)} joints; the clip's skeleton has {len(skeleton)}",
            source=path,
        )
    tree: dict[str, Any] = {
        "asset": {"version": "2.0", "generator": "Poise", **dialect_extras(skeleton, clip.source)},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": _nodes(skeleton),
    }
    packer = Packer(tree)
    _add_skin(packer, skeleton, mesh)
    packer.animate(
        clip.name,
        clip.rate,
        AXES.rotations_out(clip.rotations),
        range(len(skeleton)),
        AXES.lengths_out(clip.translations),
        clip.translated.tolist(),
    )
    write_bytes(path, packer.to_glb())
    return []
