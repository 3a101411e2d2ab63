"""Write a mesh that changes its shape as a USD stage: its points at every moment."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.io.usd.child import ask_to_write
from poise.io.usd.write import AXES, identifier
from poise.motion.skin import vertex_normals

__all__ = ["write_usd_shapes"]

Array = NDArray[np.float64]


def write_usd_shapes(
    path: Path,
    name: str,
    shapes: Array,
    triangles: NDArray[np.int64],
    rate: float,
    color: tuple[float, float, float, float],
    codes: float | None = None,
) -> None:
    """Write the shapes of a mesh over time.

    Args:
        path: A .usd, .usda, .usdc or .usdz file. One of that name is replaced.
        name: Of the mesh.
        shapes: Vertices at every moment, in the design's frame [m], shape (T, V, 3).
        triangles: Counter-clockwise seen from outside, shape (F, 3).
        rate: Moments per second [Hz].
        color: Linear red, green, blue and opacity, 0…1.
        codes: Time codes per second, one for each moment where None. Where it lies beside another stage it has that one's:
            some programs (Blender 5.0) play codes as they come.

    Raises:
        InputError: There is no moment, USD is not installed, or the file cannot be written.
    """
    if not len(shapes):
        raise InputError("a mesh over time needs at least one moment", source=path)
    normals = np.array([vertex_normals(each, triangles) for each in shapes])
    apart = (codes or rate) / rate
    header = {
        "apart": apart,
        "name": identifier(name),
        "rate": codes or rate,
        "frames": len(shapes),
        "color": [float(part) for part in color],
    }
    arrays = {"points": AXES.lengths_out(shapes), "normals": AXES.lengths_out(normals), "triangles": triangles}
    ask_to_write(path, ["shapes", path.suffix.lower()], arrays | {"header": np.array(json.dumps(header))})
