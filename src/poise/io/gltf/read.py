"""Read the character of a GLB, glTF or VRM file: skeleton, mesh, animations, and the way back into the file."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from poise.errors import InputError
from poise.io.axes import Axes, check_unit, check_up
from poise.io.gltf.animation import animation_names, read_animation
from poise.io.gltf.container import Document, open_document
from poise.io.gltf.dialect import with_dialect
from poise.io.gltf.joints import choose_joints
from poise.io.gltf.mesh import read_mesh
from poise.io.gltf.nodes import Nodes, read_nodes
from poise.io.gltf.rest import Rest, make_rest, make_skeleton
from poise.motion.clip import Clip
from poise.motion.skeleton import Skeleton
from poise.motion.skin import SkinnedMesh
from poise.motion.source import Source

__all__ = ["GltfCharacter", "Stated", "read_document", "read_gltf", "read_gltf_clip"]


class Stated(NamedTuple):
    """What a file says of its unit and up axis, in whose words; and what was found on the way to the document."""

    format: str
    metres_per_unit: float
    up: str
    unit_reason: str
    up_reason: str
    notes: tuple[str, ...] = ()
    own: tuple[float, str] | None = None
    """Unit [m] and up axis of the file's own numbers, where the document has been converted from those."""


_GLTF = Stated("gltf", 1.0, "y", "m: glTF is in metres", "y: glTF has y up")


@dataclass(frozen=True, eq=False)
class _Body:
    """What there is before an animation is chosen."""

    document: Document
    nodes: Nodes
    rest: Rest
    skeleton: Skeleton
    source: Source

    def clip(self, animation: str | None) -> Clip:
        return read_animation(self.document, self.nodes, self.rest, self.skeleton, self.source, animation)


@dataclass(frozen=True, eq=False)
class GltfCharacter:
    """The character of a glTF file, in Poise's frame.

    Args:
        path: The file.
        skeleton: Its joints; in the bind pose they stand as the file's nodes do at rest.
        mesh: All that is seen of it, or None.
        animations: Names of the file's animations.
        clip: The animation that was asked for.
        notes: What was found odd in the mesh and how it was taken; the clip's own are in its source.
        body: The file itself, for `animation` and `append_animation`.
    """

    path: Path
    skeleton: Skeleton
    mesh: SkinnedMesh | None
    animations: tuple[str, ...]
    clip: Clip
    notes: tuple[str, ...]
    body: _Body

    def animation(self, name: str) -> Clip:
        """Another animation of the file; raises `InputError` with the known names."""
        try:
            return self.body.clip(name)
        except InputError as error:
            raise InputError(error.problem, source=self.path, place=error.place) from None


def _open(document: Document, unit: str | float | None, up: str | None, stated: Stated = _GLTF) -> _Body:
    for name in ("accessors", "bufferViews", "buffers", "materials", "meshes"):
        document.root.count(name)
    nodes = read_nodes(document.root)
    joints, notes = choose_joints(document.root, nodes)
    notes = [*stated.notes, *nodes.notes, *notes]
    scale = stated.metres_per_unit if unit is None else check_unit(unit)
    axis = stated.up if up is None else check_up(up)
    own_scale, own_axis = stated.own or (scale, axis)
    rest = make_rest(document.root, nodes, joints, Axes(axis, scale), notes)
    skeleton = make_skeleton(document.root, nodes, rest, notes)
    source = Source(
        path=str(document.path),
        format=stated.format,
        metres_per_unit=own_scale if unit is None else scale,
        up_axis=own_axis if up is None else axis,
        unit_reason=stated.unit_reason if unit is None else "given by the user",
        up_reason=stated.up_reason if up is None else "given by the user",
        notes=tuple(notes),
    )
    return _Body(document, nodes, rest, skeleton, with_dialect(document.root, skeleton, source))


def read_gltf(
    path: str | os.PathLike[str],
    animation: str | None = None,
    *,
    unit: str | float | None = None,
    up: str | None = None,
) -> GltfCharacter:
    """Read a character with its mesh.

    Joints are the nodes that skins name (or VRM bones, or what is animated), with what lies between them. A rotation
    at rest is taken out of every joint, uniform scales are folded into lengths, and meshes without a skin follow the
    joint they hang on. Compressed files (Draco, meshopt) are refused.

    Args:
        path: A .glb, .gltf, .vrm or .vrma file; buffers beside it are read from its folder or below.
        animation: Name of the animation to read; by default the first.
        unit: Metres per unit or a name in `UNITS`, for files that are not in metres as they should be.
        up: The up axis, for files that are not Y up as they should be.

    Raises:
        InputError: With the file, the JSON path, what was wrong and what is allowed.
    """
    file = Path(path)
    try:
        return read_document(open_document(file), animation, unit=unit, up=up)
    except InputError as error:
        raise InputError(error.problem, source=file, place=error.place) from None


def read_document(
    document: Document,
    animation: str | None,
    *,
    unit: str | float | None,
    up: str | None,
    stated: Stated = _GLTF,
) -> GltfCharacter:
    """The character of a document in glTF, wherever it came from; `stated` is what its file says."""
    body = _open(document, unit, up, stated)
    mesh, notes = read_mesh(body.document, body.nodes, body.rest, body.skeleton)
    clip = body.clip(animation)
    names = animation_names(body.document.root)
    return GltfCharacter(document.path, body.skeleton, mesh, names, clip, notes, body)


def read_gltf_clip(
    path: Path, unit: str | float | None = None, up: str | None = None, animation: str | None = None
) -> Clip:
    """Read an animation of a file, by default the first, or its rest pose as one frame; the mesh is not looked at.

    Raises:
        InputError: With the file, the JSON path, what was wrong and what is allowed.
    """
    try:
        return _open(open_document(path), unit, up).clip(animation)
    except InputError as error:
        raise InputError(error.problem, source=path, place=error.place) from None
