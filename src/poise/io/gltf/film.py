"""A film that comes to lie over a character's skin by and by, added to a GLB that is written: a wet line that rises.

It is a mesh on the character's own joints. What is not yet there is shrunk to specks under the skin; for each step a morph
target brings its triangles out, which every program shows that plays skins and morph targets (colors of vertices over time
none does).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.io.axes import Axes
from poise.io.files import write_bytes
from poise.io.gltf.container import open_document
from poise.io.gltf.nodes import Nodes, read_nodes
from poise.io.gltf.pack import VERTICES, Packer
from poise.motion.skeleton import Skeleton
from poise.motion.skin import bind_at

__all__ = ["FILM", "Film", "add_film", "at_rest", "coming_out"]

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

FILM = "poise_film"
"""What the `extras` of a node with a film have, so that it is not read as a part of the skin."""
_UNDER = 0.02
"""What is not there yet lies so far under the skin [m]."""
_SHRUNK = 0.02
"""And is so small, as a share of its size."""
_NEAR = 1e-4
"""A joint of the file stands where the skeleton's does within this [m]."""
_AXES = Axes("y", 1.0)


class Film(NamedTuple):
    """Triangles over a skin, three corners each in a row.

    Args:
        corners: In the skin's bind space [m], shape (3 F, 3).
        normals: Shape (3 F, 3).
        joints: Each corner follows, shape (3 F, 4).
        weights: How much, shape (3 F, 4).
        inverse_bind: Of the skin, shape (J, 4, 4).
        steps: In which step each triangle comes, shape (F,); 0 is there from the beginning.
        times: Of the steps from the first on [s], rising, shape (K,).
        color: Linear red, green, blue and opacity, 0…1.
    """

    corners: Array
    normals: Array
    joints: Indices
    weights: Array
    inverse_bind: Array
    steps: Indices
    times: Array
    color: tuple[float, float, float, float]


def add_film(path: Path, name: str, film: Film, skeleton: Skeleton) -> list[str]:
    """Add a film to a GLB whose last animation is a character's motion, which then brings it out.

    Args:
        path: The GLB, of one buffer. It is written again, whole or not at all.
        name: Of the film.
        film: The film.
        skeleton: Of the character, whose joints are nodes of the file by name.

    Returns:
        Notes, one line each: why there is none, where the file has the joints elsewhere.

    Raises:
        InputError: The file cannot be read or written.
    """
    document = open_document(path)
    nodes = read_nodes(document.root)
    joints = _joints(nodes, skeleton)
    if joints is None:
        return [f"no {name} in {path.name}: its joints are not those of the motion"]
    packer = Packer(document.root.value, document.buffer(0))
    binds = at_rest(film, nodes.world[joints], skeleton, _AXES).transpose(0, 2, 1).reshape(-1, 16)
    skin = packer.append("skins", {"joints": joints, "inverseBindMatrices": packer.accessor(binds, "f4")})
    node = {"name": name, "mesh": _mesh(packer, name, film), "skin": skin, "extras": {FILM: True}}
    scenes = packer.tree["scenes"]
    scenes[packer.tree.get("scene", 0)].setdefault("nodes", []).append(packer.append("nodes", node))
    if len(film.times):
        _come_out(packer, len(packer.tree["nodes"]) - 1, film.times)
    write_bytes(path, packer.to_glb())
    return []


def _joints(nodes: Nodes, skeleton: Skeleton) -> list[int] | None:
    """The node of each joint; None where one is missing, is there twice, or stands elsewhere at rest."""
    numbers = {name: number for number, name in enumerate(nodes.names)}
    if any(nodes.names.count(name) != 1 for name in skeleton.names):
        return None
    joints = [numbers[name] for name in skeleton.names]
    places = -bind_at(skeleton)[:, :3, 3]
    apart = np.abs(_AXES.lengths_out(places) - nodes.world[joints, :3, 3])
    return joints if apart.max() < _NEAR else None


def at_rest(film: Film, worlds: Array, skeleton: Skeleton, axes: Axes) -> Array:
    """What brings a film's corners into each joint of a file that stands at rest, shape (J, 4, 4).

    Args:
        film: The film; its corners are taken in the file's axes and unit.
        worlds: Where the file has the joints, shape (J, 4, 4).
        skeleton: Of the character.
        axes: Of the file.
    """
    out = np.eye(4)
    out[:3, :3] = axes.lengths_out(np.eye(3)).T
    moved: Array = (
        np.linalg.inv(worlds) @ out @ np.linalg.inv(bind_at(skeleton)) @ film.inverse_bind @ np.linalg.inv(out)
    )
    return moved


def coming_out(film: Film) -> tuple[Array, list[tuple[Indices, Array]]]:
    """Corners (3 F, 3) [m] with specks where a triangle comes later, and for each step which corners go how far."""
    triangles = film.corners.reshape(-1, 3, 3)
    middles, under = triangles.mean(axis=1, keepdims=True), film.normals.reshape(-1, 3, 3).mean(axis=1, keepdims=True)
    # Not to points: programs that work normals out of triangles (Blender) need them to face somewhere.
    small_ones = middles - _UNDER * under + _SHRUNK * (triangles - middles)
    begin = np.where(np.repeat(film.steps > 0, 3)[:, None], small_ones.reshape(-1, 3), film.corners)
    moves = []
    for step in range(1, len(film.times) + 1):
        own = np.flatnonzero(np.repeat(film.steps == step, 3))
        moves.append((own, film.corners[own] - begin[own]))
    return begin, moves


def _mesh(packer: Packer, name: str, film: Film) -> int:
    """The mesh, each step's triangles shrunk to specks where it comes later."""
    begin, moves = coming_out(film)
    small = len(film.inverse_bind) <= 256
    attributes = {
        "POSITION": packer.accessor(_AXES.lengths_out(begin), "f4", target=VERTICES, bounds=True),
        "NORMAL": packer.accessor(_AXES.lengths_out(film.normals), "f4", target=VERTICES),
        "WEIGHTS_0": packer.accessor(film.weights, "f4", target=VERTICES),
        "JOINTS_0": packer.accessor(film.joints, "u1" if small else "u2", target=VERTICES),
    }
    targets = [{"POSITION": packer.sparse(len(begin), own, _AXES.lengths_out(moved))} for own, moved in moves]
    surface = {"baseColorFactor": list(film.color), "metallicFactor": 0.0, "roughnessFactor": 0.3}
    look = {"name": name, "pbrMetallicRoughness": surface, "alphaMode": "BLEND"}
    primitive: dict[str, Any] = {"attributes": attributes, "material": packer.append("materials", look)}
    mesh: dict[str, Any] = {"name": name, "primitives": [primitive]}
    if targets:
        primitive["targets"], mesh["weights"] = targets, [0.0] * len(targets)
    return packer.append("meshes", mesh)


def _come_out(packer: Packer, node: int, times: Array) -> None:
    """One more channel of the last animation: each step comes out from the step before it to its own time."""
    if not packer.tree.get("animations"):
        raise InputError("a film that comes by and by needs an animation")
    animation = packer.tree["animations"][-1]
    keys = packer.accessor(np.append(0.0, times)[:, None], "f4", bounds=True)
    shown = np.tril(np.ones((len(times) + 1, len(times))), -1)
    sampler = {"input": keys, "output": packer.accessor(shown.reshape(-1, 1), "f4"), "interpolation": "LINEAR"}
    animation["samplers"].append(sampler)
    channel = {"sampler": len(animation["samplers"]) - 1, "target": {"node": node, "path": "weights"}}
    animation["channels"].append(channel)
