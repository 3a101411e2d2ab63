"""Write a mesh that changes its shape as a GLB: one morph target per kept moment, faded into one another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.io.axes import Axes
from poise.io.files import write_bytes
from poise.io.gltf.pack import INDICES, VERTICES, Packer
from poise.motion.skin import vertex_normals

__all__ = ["write_shapes"]

Array = NDArray[np.float64]

_AXES = Axes("y", 1.0)


def write_shapes(
    path: Path | str,
    name: str,
    shapes: Array,
    triangles: NDArray[np.int64],
    rate: float,
    color: tuple[float, float, float, float],
) -> None:
    """Write the shapes of a mesh over time.

    Args:
        path: Where to.
        name: Of the mesh and its animation.
        shapes: Vertices at every moment, in the design's frame [m], shape (T, V, 3).
        triangles: Counter-clockwise seen from outside, shape (F, 3).
        rate: Moments per second [Hz].
        color: Linear red, green, blue and opacity, 0…1.

    Raises:
        InputError: There is no moment, or the file cannot be written.
    """
    if not len(shapes):
        raise InputError("a mesh over time needs at least one moment", source=path)
    tree: dict[str, Any] = {"asset": {"version": "2.0", "generator": "Poise"}, "scene": 0, "scenes": [{"nodes": [0]}]}
    packer = Packer(tree)
    base, count = shapes[0], len(shapes)
    normals = np.array([vertex_normals(each, triangles) for each in shapes])
    attributes = {
        "POSITION": packer.accessor(_AXES.lengths_out(base), "f4", target=VERTICES, bounds=True),
        "NORMAL": packer.accessor(_AXES.lengths_out(normals[0]), "f4", target=VERTICES),
    }
    targets = []
    for shape, normal in zip(shapes[1:], normals[1:], strict=True):
        moved = packer.accessor(_AXES.lengths_out(shape - base), "f4", target=VERTICES, bounds=True)
        turned = packer.accessor(_AXES.lengths_out(normal - normals[0]), "f4", target=VERTICES)
        targets.append({"POSITION": moved, "NORMAL": turned})
    indices = packer.accessor(triangles.reshape(-1, 1), "u4", target=INDICES)
    surface = {"baseColorFactor": [float(part) for part in color], "metallicFactor": 0.0, "roughnessFactor": 0.1}
    blend = "BLEND" if color[3] < 1.0 else "OPAQUE"
    material = packer.append(
        "materials", {"name": name, "pbrMetallicRoughness": surface, "alphaMode": blend, "doubleSided": True}
    )
    primitive: dict[str, Any] = {"attributes": attributes, "indices": indices, "material": material}
    mesh: dict[str, Any] = {"name": name, "primitives": [primitive]}
    if targets:
        primitive["targets"], mesh["weights"] = targets, [0.0] * (count - 1)
    tree["nodes"] = [{"name": name, "mesh": packer.append("meshes", mesh)}]
    if targets:
        _fade(packer, name, count, rate)
    write_bytes(Path(path), packer.to_glb())


def _fade(packer: Packer, name: str, count: int, rate: float) -> None:
    """The animation: at each moment one target has all the weight, the base none."""
    times = packer.accessor((np.arange(count) / rate)[:, None], "f4", bounds=True)
    weights = packer.accessor(np.eye(count)[:, 1:].reshape(-1, 1), "f4")
    sampler = {"input": times, "output": weights, "interpolation": "LINEAR"}
    channel = {"sampler": 0, "target": {"node": 0, "path": "weights"}}
    packer.append("animations", {"name": name, "channels": [channel], "samplers": [sampler]})
